"""Measure the gloss of a lamp amid a face: it hides a pip of a light die, and looks like one on a dark die."""

import math

import numpy as np

from vision.capture.arrays import Places, Real
from vision.capture.frame import Pixels
from vision.capture.quality import WHITE
from vision.libraries import cv2
from vision.pips.face_check import FaceFit

_WITHOUT_MIDDLE, _WITH_MIDDLE = (2, 4), (3, 5)  # values that differ only by a pip in the middle
# Soft spots of a lamp look like pips: most are fainter than the pips beside them in one of the three colours, which
# counts twice. In 900 faces with a pip there it was fainter by 28 levels at most, in 99.8 % by less than 21.
_FAINTER = 2.0
# Of 133 such spots that stand out like pips two are accepted; of 2,050 faces, most of them in the lamp's light, five
# are refused. A spot as light as the pips is softer, and still light this far from its middle, in radii.
_ABOUT = 1.55
# Rings around the middle of a face, in radii of a pip, the index of the one that may not be washed out, and the levels
# by which an outer one may be lighter than an inner one. Of 476 faces with a lamp's light and no pip in the middle,
# which had 81 levels at most, half fade like this; a strong spot over a pip leaves an arc of its rim, or washes out all
# of it.
_OUTWARDS, _CORE, _EVEN, _MOST_FADING = (0.3, 0.6, 0.8, 1.0, 1.2, 1.5, 1.8), 1, 3.0, 90.0
_ROUND = 16  # places around a pip
_RIM, _BETWEEN = 0.48, np.pi / 8  # edges from the middle, in directions between edges and corners: body on any face
_PART = 0.6  # of a pip's radius: the size of a place
_OFF = 0.6  # ... and the distance of a pip's two sides from its middle


def measure_gloss(pixels: Pixels, face: FaceFit) -> float:
    """Return by how many levels gloss amid a face contradicts its value; 0 where a pip there would not change it.

    A 2 or 4: a washed-out middle is brighter than the rim, or is not washed out as a whole, or (where the gloss covers
    all of the face) its dark pips are lighter towards the middle. With dark pips this does not count where the light is
    weak, washed out only at its very top, and fades outwards: around a pip it would be lighter. A 3 or 5 with light
    pips: the middle one is brighter than the others, fainter than they are in one of the colours, or lacks their rim.
    """
    others = face.places[np.linalg.norm(face.places - face.middle, axis=1) > face.pip_px]
    if face.value in _WITH_MIDDLE and face.light:
        return _unlike_others(pixels, face, others)
    if face.value not in _WITHOUT_MIDDLE:
        return 0.0
    middle = _about(pixels, face.middle, face.pip_px).min(axis=2)
    low, high = (float(level) for level in (np.percentile(middle, (5, 95)) if middle.size else (0.0, 0.0)))
    if high < WHITE:
        return 0.0
    turns = face.turn_rad + _BETWEEN + np.arange(8) * np.pi / 4
    rim = face.middle + _RIM * face.edge_px * np.column_stack((np.cos(turns), np.sin(turns)))
    outshines = high - _level(pixels, rim, face.pip_px)
    if face.light:
        return outshines
    # By how many levels the sides of pips towards the middle are lighter than those away from it.
    out = others - face.middle
    out *= _OFF * face.pip_px / np.linalg.norm(out, axis=1, keepdims=True)
    lighter = _level(pixels, others - out, face.pip_px / 2) - _level(pixels, others + out, face.pip_px / 2)
    levels = max(outshines, high - low, lighter)
    if levels >= _MOST_FADING:
        return levels
    # Weak gloss does not count where most of the area of a middle pip is not washed out, and gets no lighter outwards.
    rings = [_colours_about(pixels, face.middle[None], part * face.pip_px).min(axis=2) for part in _OUTWARDS]
    tenths = np.percentile(rings, 10, axis=(1, 2))
    fades = tenths[_CORE] < WHITE and (tenths - np.minimum.accumulate(tenths) <= _EVEN).all()
    return 0.0 if fades else levels


def _unlike_others(pixels: Pixels, face: FaceFit, others: Places) -> float:
    """Return by how many levels the light pip in the middle differs from the other ones (n, 2)."""
    middle = face.middle[None]
    brighter = _level(pixels, middle, face.pip_px) - _level(pixels, others, face.pip_px)
    fainter = _colour(pixels, others, face.pip_px) - _colour(pixels, middle, face.pip_px)
    about_px = _ABOUT * face.pip_px
    softer = _usual(_colours_about(pixels, middle, about_px)) - _usual(_colours_about(pixels, others, about_px))
    return max(brighter, _FAINTER * float(fainter.max()), float(softer.max()))


def _level(pixels: Pixels, places: Real, pip_px: float) -> float:
    """Return the usual level at places (n, 2): the mean of the darkest colour around each; 0 outside the picture."""
    parts = [_about(pixels, place, _PART * pip_px).min(axis=2) for place in places]
    return float(np.median([part.mean() if part.size else 0.0 for part in parts])) if parts else 0.0


def _colour(pixels: Pixels, places: Places, pip_px: float) -> Real:
    """Return the usual colour (3) at places (n, 2): the mean around each; black outside the picture."""
    parts = [_about(pixels, place, _PART * pip_px).reshape(-1, 3) for place in places]
    means = [part.mean(axis=0) if part.size else np.zeros(3) for part in parts]
    return np.asarray(np.median(means, axis=0), np.float64)


def _usual(colours: Pixels) -> Real:
    """Return the usual colour (3) of rings (n, k, 3)."""
    return np.asarray(np.median(np.median(colours, axis=1), axis=0), np.float64)


def _colours_about(pixels: Pixels, places: Places, radius_px: float) -> Pixels:
    """Return the colours (n, k, 3) in a ring around each of the places (n, 2)."""
    turns = np.arange(_ROUND) * 2 * np.pi / _ROUND
    ring = radius_px * np.column_stack((np.cos(turns), np.sin(turns)))
    x, y = np.asarray(places[:, None] + ring, np.float32).transpose(2, 0, 1)
    return np.asarray(cv2.remap(pixels, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _about(pixels: Pixels, place: Real, reach_px: float) -> Pixels:
    """Return the pixels (h, w, 3) around a place; none outside the picture."""
    reach = max(1, round(reach_px))
    x, y = (round(float(part)) for part in place)
    return pixels[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]


_REACH = 1.8  # the rim of a pip lies within this many of its radii
_SOFT_PX = 1.0  # deviation of the blur that keeps noise from counting as edges


def measure_smear(pixels: Pixels, face: FaceFit) -> float:
    """Return the part (0..1) of the edges around a face's pips that all point one way: 0 for round pips, 1 for streaks.

    Motion keeps the edges along its direction and blurs those across it. The measure is the coherence of the structure
    tensor: J. Bigun and G. Granlund, Optimal orientation detection of linear symmetry (1987).
    """
    left, top = (max(0, int(low)) for low in face.middle - face.edge_px)
    right, bottom = (int(high) + 1 for high in face.middle + face.edge_px)
    part = pixels[top:bottom, left:right].astype(np.float32)
    if part.size == 0:
        return 0.0
    axis = (face.pip - face.body).astype(np.float32)
    pipness = cv2.GaussianBlur(part @ (axis / max(float(axis @ axis), 1.0)), (0, 0), _SOFT_PX)
    about_pips = np.zeros(part.shape[:2], np.uint8)
    for x, y in face.places:
        middle = round(float(x) - left), round(float(y) - top)
        cv2.circle(about_pips, middle, round(_REACH * face.pip_px), 1, -1)
    across, down = (
        np.asarray(cv2.Sobel(pipness, cv2.CV_32F, *way), np.float32)[about_pips > 0] for way in ((1, 0), (0, 1))
    )
    whole = float((across * across).sum() + (down * down).sum())
    if whole <= 0:
        return 0.0
    off = float((across * across).sum() - (down * down).sum())
    return math.hypot(off, 2 * float((across * down).sum())) / whole
