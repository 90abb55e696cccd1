"""Tell whether a die moved while its picture was taken, and whether a lamp hides the middle of its face."""

import math

import numpy as np

from vision.capture.arrays import Real
from vision.capture.frame import Pixels
from vision.capture.quality import WHITE
from vision.libraries import cv2
from vision.pips.face import Face

_REACH = 1.8  # the rim of a pip lies within this many of its radii
_SOFT_PX = 1.0  # deviation of the blur that keeps noise from counting as edges


def measure_smear(pixels: Pixels, face: Face, corner: Real) -> float:
    """Return the part (0..1) of the edges around a face's pips that all point one way: 0 for round pips, 1 for streaks.

    `pixels` (h, w, 3) show the face; `corner` (2,) is the place of their upper left corner in the view. Motion keeps
    the edges along its direction and blurs those across it. The measure is the coherence of the structure tensor:
    J. Bigun and G. Granlund, Optimal orientation detection of linear symmetry (1987).
    """
    part = pixels.astype(np.float32)
    axis = (face.pip - face.body).astype(np.float32)
    pipness = cv2.GaussianBlur(part @ (axis / max(float(axis @ axis), 1.0)), (0, 0), _SOFT_PX)
    about_pips = np.zeros(part.shape[:2], np.uint8)
    for x, y in face.places - corner:
        cv2.circle(about_pips, (round(float(x)), round(float(y))), round(_REACH * face.pip_px), 1, -1)
    across, down = (
        np.asarray(cv2.Sobel(pipness, cv2.CV_32F, *way), np.float32)[about_pips > 0] for way in ((1, 0), (0, 1))
    )
    whole = float((across * across).sum() + (down * down).sum())
    if whole <= 0:
        return 0.0
    off = float((across * across).sum() - (down * down).sum())
    return math.hypot(off, 2 * float((across * down).sum())) / whole


_WITHOUT_MIDDLE, _WITH_MIDDLE = (2, 4), (3, 5)  # values that differ by the pip in the middle
_MIDDLE, _RIM, _BETWEEN = 0.6, 0.42, np.pi / 8  # radii of a pip; edges from the middle, in directions off all pips
# Levels by which a washed-out middle exceeds light pips elsewhere (of 22 spots that changed a value one had 41, none
# less), and the rim of a face without a pip there; and by which dark pips stay darker. Of 20 overexposed white faces
# the rim lay 18 levels below the middle at most and the pips at least 159, of four in a lamp's light more than 33, or
# less than 143.
_OUTSHINES, _FADES, _DARKER = 40, 27, 150


def is_washed_out(pixels: Pixels, face: Face, corner: Real) -> bool:
    """Return True when a lamp washes out the middle of a face: a pip may lie there or not.

    `pixels` and `corner` are as in `measure_smear`. A 1 and a 6 have no neighbour that differs by the middle pip alone.
    """
    if face.value not in _WITHOUT_MIDDLE + _WITH_MIDDLE:
        return False
    middle = _lightest(pixels, face.middle - corner, _MIDDLE * face.pip_px)
    if middle < WHITE:
        return False
    if face.value in _WITH_MIDDLE:
        # The last of the places is the middle itself.
        others = (_lightest(pixels, place, _MIDDLE * face.pip_px) for place in face.places[:-1] - corner)
        return bool(face.pip.sum() > face.body.sum()) and middle > max(others) + _OUTSHINES
    turns = face.turn_rad + _BETWEEN + np.arange(8) * np.pi / 4
    rim = face.middle - corner + _RIM * face.edge_px * np.column_stack((np.cos(turns), np.sin(turns)))
    fades = middle > min(_lightest(pixels, place, 1.0) for place in rim) + _FADES
    return fades or middle < float(face.pip.min()) + _DARKER


def _lightest(pixels: Pixels, place: Real, reach_px: float) -> int:
    """Return the level of the least colour in the lightest pixel about a place."""
    reach = max(1, round(reach_px))
    x, y = (round(float(part)) for part in place)
    about = pixels[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
    return int(about.min(axis=2).max()) if about.size else 0
