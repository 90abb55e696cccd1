"""A 1 with another pip beside it is none; what is unlike its pip, or far off, is no pip of its face."""

from typing import Any

import numpy as np
import pytest

from vision.pips.face_check import FaceFit
from vision.pips.patch import Outline
from vision.pips.search import find_next_pips
from vision.pips.spots import Spots

NO_OUTLINE = Outline(0.0, 0.0, 0.0, 1.0)

EDGE, PIP, MIDDLE = 72.0, 6.5, np.array([100.0, 100.0])
ONE = FaceFit(
    *(1, MIDDLE, 0.0, EDGE, PIP, True, np.zeros(3), np.zeros(3), (0,), MIDDLE[None], 1.0, 80.0, 1.0, NO_OUTLINE)
)


def is_next(
    away: float = 0.5, *, radius: float = 1.0, aspect: float = 0.95, light: bool = True, strength: float = 1.0
) -> bool:
    """Whether a spot so many edges off the middle, like the pip of the 1 in this, is the next pip of its face."""
    at = np.array([MIDDLE, MIDDLE + np.array([0.6, 0.8]) * away * EDGE])
    spots = Spots(
        at,
        np.array([PIP, PIP * radius]),
        np.array([1.0, aspect]),
        np.array([True, light]),
        ONE.strength * np.array([1.0, strength]),
    )
    own, other = find_next_pips(spots, ONE, EDGE)
    assert not own
    return bool(other)


@pytest.mark.parametrize("spot", [{}, {"away": 0.35}, {"radius": 1.4}, {"aspect": 0.8}, {"strength": 0.7}])
def test_what_is_like_its_pip_lies_on_the_same_face(spot: dict[str, Any]) -> None:
    assert is_next(**spot)


@pytest.mark.parametrize(
    "spot",
    [*({"away": away} for away in (0.65, 1.0)), {"radius": 1.8}, {"radius": 0.5}, {"aspect": 0.6}, {"strength": 0.5}],
)
def test_what_is_unlike_it_or_farther_off_does_not(spot: dict[str, Any]) -> None:
    assert not is_next(**spot)


def test_a_dark_spot_is_no_pip_beside_a_light_one() -> None:
    assert not is_next(light=False)
