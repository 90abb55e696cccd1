"""The dice of claims that come with the package: what the learning makes of rendered shots, and nothing else."""

import numpy as np
import pytest

from hardware.box import load_box
from hardware.sim.dice import CLAIM_COLOURS, JOKERS
from tools.training.claims import teach_claim_set
from vision.sim.custom_dice import load_claim_set


@pytest.mark.parametrize("joker", JOKERS)
def test_six_colours_that_are_far_from_one_another_come_with_the_package(joker: str) -> None:
    taught = load_claim_set(joker)
    assert tuple(body.name for body in taught.bodies) == CLAIM_COLOURS
    assert [face.label for face in taught.faces] == [joker, "2", "3", "4", "5", "6"]
    assert not taught.alike
    unlike = [one.unlikeness(other.bgr) for one in taught.bodies for other in taught.bodies if one is not other]
    assert min(unlike) > 5.0


@pytest.mark.long
@pytest.mark.parametrize("joker", JOKERS)
def test_the_files_are_what_teaching_makes(joker: str) -> None:
    kept, again = load_claim_set(joker), teach_claim_set(load_box("two-level-9"), joker)
    assert again.shape.edge_mm == pytest.approx(kept.shape.edge_mm, abs=0.1)
    for one, other in zip(kept.bodies, again.bodies, strict=True):
        assert np.abs(one.bgr - other.bgr).max() < 2.0
    for before, after in zip(kept.faces, again.faces, strict=True):
        assert np.abs(before.mean - after.mean).mean() < 4.0
