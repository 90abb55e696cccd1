"""Measures the gloss of a lamp in the middle of a face: on a light die it hides a pip, on a dark one it is like one."""

import numpy as np
from numpy.typing import NDArray

from vision.capture import WHITE, Pixels
from vision.field import Places
from vision.pips.face_check import FaceFit

_WITHOUT_MIDDLE, _WITH_MIDDLE = (2, 4), (3, 5)  # values that a pip in the middle more or less makes each other
# A soft spot of a lamp was by 86 levels fainter than the pips beside it, and passed for one. The pips of 450 faces in
# the lamp's light or out of it were by 12 fainter at most: so a fainter one counts twice.
_FAINTER = 2.0
_RIM, _BETWEEN = 0.48, np.pi / 8  # in edges from the middle, between the ways to edges and corners: body on any face
_PART = 0.6  # of a pip's radius: so much of a place is looked at
_OFF = 0.6  # ... and so far from a pip's middle its two sides


def measure_gloss(pixels: Pixels, face: FaceFit) -> float:
    """By how many levels gloss in the middle of a face speaks against its value; 0 where a pip more or less there would
    not change it.

    A 2 or 4: a washed out middle outshines the rim, or is not washed out as a whole, or (where the gloss lies over all
    of the face) its dark pips are lighter towards the middle. A 3 or 5 with light pips: the one in the middle outshines
    the others, or is fainter than they are.
    """
    others = face.places[np.linalg.norm(face.places - face.middle, axis=1) > face.pip_px]
    middle = _level(pixels, face.middle[None], face.pip_px)
    if face.value in _WITH_MIDDLE and face.light:
        brighter = middle - _level(pixels, others, face.pip_px)
        return max(brighter, -_FAINTER * brighter)
    if face.value not in _WITHOUT_MIDDLE:
        return 0.0
    low, high = _range(pixels, face.middle, face.pip_px)
    if high < WHITE:
        return 0.0
    outshines = high - _level(pixels, _rim(face), face.pip_px)
    return outshines if face.light else max(outshines, high - low, _lighter_inside(pixels, face, others))


def _range(pixels: Pixels, place: NDArray[np.float64], reach_px: float) -> tuple[float, float]:
    """How dark and how light the darkest colour about a place becomes, without the extreme twentieths."""
    part = _about(pixels, place, reach_px)
    low, high = np.percentile(part, (5, 95)) if part.size else (0.0, 0.0)
    return float(low), float(high)


def _lighter_inside(pixels: Pixels, face: FaceFit, pips: Places) -> float:
    """By how many levels the sides of pips (n, 2) towards the middle are lighter than those away from it."""
    out = pips - face.middle
    out *= _OFF * face.pip_px / np.linalg.norm(out, axis=1, keepdims=True)
    return _level(pixels, pips - out, face.pip_px / 2) - _level(pixels, pips + out, face.pip_px / 2)


def _rim(face: FaceFit) -> Places:
    """Places (8, 2) of a face where no value has a pip."""
    turns = face.turn_rad + _BETWEEN + np.arange(8) * np.pi / 4
    return np.asarray(face.middle + _RIM * face.edge_px * np.column_stack((np.cos(turns), np.sin(turns))), np.float64)


def _level(pixels: Pixels, places: NDArray[np.float64], pip_px: float) -> float:
    """The usual level at places (n, 2): the mean of the darkest colour about each; 0 beside the picture."""
    parts = [_about(pixels, place, _PART * pip_px) for place in places]
    return float(np.median([part.mean() if part.size else 0.0 for part in parts])) if parts else 0.0


def _about(pixels: Pixels, place: NDArray[np.float64], reach_px: float) -> NDArray[np.uint8]:
    """The darkest colour (h, w) of every pixel about a place; empty beside the picture."""
    reach = max(1, round(reach_px))
    x, y = (round(float(part)) for part in place)
    return np.asarray(
        pixels[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1].min(axis=2), np.uint8
    )
