"""Measures the gloss of a lamp in the middle of a face: on a light die it hides a pip, on a dark one it is like one."""

import numpy as np
from numpy.typing import NDArray

from vision.capture import WHITE, Pixels
from vision.field import Places
from vision.pips.face_check import FaceFit

_WITHOUT_MIDDLE, _WITH_MIDDLE = (2, 4), (3, 5)  # values that a pip in the middle more or less makes each other
_RIM, _BETWEEN = 0.48, np.pi / 8  # in edges from the middle, between the ways to edges and corners: body on any face
_PART = 0.6  # of a pip's radius: so much of a place is looked at
_OFF = 0.6  # ... and so far from a pip's middle its two sides


def measure_gloss(pixels: Pixels, face: FaceFit) -> float:
    """By how many levels a washed out middle outshines its like: the body of a 2 or 4, the other pips of a 3 or 5.

    Where gloss lies over all of a 2 or 4, its pips are lighter towards the middle: then by how many levels. 0 where the
    middle is not washed out, or nothing in it would change the value.
    """
    others = face.places[np.linalg.norm(face.places - face.middle, axis=1) > face.pip_px]
    middle = _level(pixels, face.middle[None], face.pip_px)
    if middle < WHITE:
        return 0.0
    if face.value in _WITH_MIDDLE and face.light:
        return middle - _level(pixels, others, face.pip_px)
    if face.value in _WITHOUT_MIDDLE and not face.light:
        out = others - face.middle
        out *= _OFF * face.pip_px / np.linalg.norm(out, axis=1, keepdims=True)
        lighter = _level(pixels, others - out, face.pip_px / 2) - _level(pixels, others + out, face.pip_px / 2)
        return max(middle - _level(pixels, _rim(face), face.pip_px), lighter)
    return 0.0


def _rim(face: FaceFit) -> Places:
    """Places (8, 2) of a face where no value has a pip."""
    turns = face.turn_rad + _BETWEEN + np.arange(8) * np.pi / 4
    return np.asarray(face.middle + _RIM * face.edge_px * np.column_stack((np.cos(turns), np.sin(turns))), np.float64)


def _level(pixels: Pixels, places: NDArray[np.float64], pip_px: float) -> float:
    """The usual level at places (n, 2): the mean of the darkest colour about each; 0 beside the picture."""
    reach = max(1, round(_PART * pip_px))
    found = []
    for x, y in np.round(places).astype(int).tolist():
        part = pixels[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
        found.append(float(part.min(axis=2).mean()) if part.size else 0.0)
    return float(np.median(found)) if found else 0.0
