"""Recognize a 1 that is only one pip of another value: the next pip lies beside it on the same face."""

import numpy as np
from numpy.typing import NDArray

from vision.pips.face_check import FaceFit
from vision.pips.spots import Spots

# The limits for the next pip of a face: its least contrast, as a part of the 1's, the largest ratio of their radii, its
# roundness, and its distance from the 1, in edges. None of 1,134 ones has such a spot.
_AS_STRONG, _AS_LARGE, _ROUND, _SAME_FACE = 0.6, 1.6, 0.72, 0.6


def find_next_pips(spots: Spots, one: FaceFit, edge_px: float) -> NDArray[np.bool_]:
    """Return which spots (n) are like the pip of a 1 and lie beside it on the face of a die of this edge, in pixels."""
    away = np.linalg.norm(spots.at - one.middle, axis=1)
    like = (spots.light == one.light) & (spots.strength > _AS_STRONG * one.strength) & (spots.aspect > _ROUND)
    like &= (spots.radius > one.pip_px / _AS_LARGE) & (spots.radius < one.pip_px * _AS_LARGE)
    return np.asarray(like & (away > one.pip_px) & (away < _SAME_FACE * edge_px), np.bool_)
