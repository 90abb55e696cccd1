"""Boxes whose parts are as inexact as parts are: printed 0.2 mm, sawn 0.5 mm, stops a degree, horns three."""

import pytest

pytest.importorskip("build123d", reason="needs build123d: make setup-cad")

from hardware.cad import sweep
from tests.cad.boxes import bodies_of
from tests.support.long import long_but_every

BOXES = 200


@pytest.mark.parametrize(
    "seeds", long_but_every(8, [range(5), *(range(start, start + 39) for start in range(5, BOXES, 39))])
)
def test_no_box_within_tolerances_collides(seeds: range) -> None:
    found = {seed: sweep.toleranced(bodies_of("two-level-9"), seed) for seed in seeds}
    assert {seed: pairs for seed, pairs in found.items() if pairs} == {}
