"""Which values the spots of a face suggest."""

import numpy as np

from vision.pips.face_candidates import candidates
from vision.pips.spots import Spots

EDGES = (44.0, 86.0)
FOUR = [(84.0, 84.0), (116.0, 84.0), (84.0, 116.0), (116.0, 116.0)]
BETWEEN = (100.0, 84.0)


def spots(*strengths: float) -> Spots:
    """The spots of a 4 with these contrasts; a fifth one lies between two of them."""
    count = len(strengths)
    at = np.array([*FOUR, BETWEEN][:count])
    return Spots(at, np.full(count, 6.0), np.ones(count), np.ones(count, np.bool_), np.array(strengths, np.float64))


def values(found: Spots) -> set[int]:
    return {face.value for face in candidates(found, EDGES)}


def test_four_spots_may_be_a_four() -> None:
    assert 4 in values(spots(100, 100, 100, 100))


def test_with_as_strong_a_spot_between_they_are_a_six_and_no_four() -> None:
    found = values(spots(100, 100, 100, 100, 100))
    assert 6 in found
    assert 4 not in found


def test_with_a_faint_one_which_a_lamp_may_have_made_they_may_be_either() -> None:
    assert {4, 6} <= values(spots(100, 100, 100, 100, 40))
