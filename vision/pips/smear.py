"""Measure how much a die is smeared by its own motion, which the sharpness of the table around it does not show."""

import math

import numpy as np

from vision.capture.frame import Pixels
from vision.libraries import cv2
from vision.pips.face_check import FaceFit

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
