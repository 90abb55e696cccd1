"""Measures how much a die is smeared by its own motion, which a sharp picture of the table about it does not show."""

import math

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Pixels
from vision.libraries import cv2
from vision.pips.face_check import FaceFit

_REACH = 1.8  # the rim of a pip lies within so many of its radii
_SOFT_PX = 1.0  # deviation of the blur that keeps noise from counting as edges


def measure_smear(pixels: Pixels, face: FaceFit) -> float:
    """The part (0..1) of the edges about a face's pips that all point one way: 0 for round pips, 1 for streaks.

    Motion leaves the edges across its way as they are and takes those along it. It is the coherence of the structure
    tensor: J. Bigun and G. Granlund, Optimal orientation detection of linear symmetry (1987).
    """
    left, top = (max(0, int(low)) for low in face.middle - face.edge_px)
    right, bottom = (int(high) + 1 for high in face.middle + face.edge_px)
    part = pixels[top:bottom, left:right].astype(np.float32)
    if part.size == 0:
        return 0.0
    axis = (face.pip - face.body).astype(np.float32)
    pipness = cv2.GaussianBlur(part @ (axis / max(float(axis @ axis), 1.0)), (0, 0), _SOFT_PX)
    across, down = (np.asarray(cv2.Sobel(pipness, cv2.CV_32F, *way), np.float32) for way in ((1, 0), (0, 1)))
    return _coherence(across, down, _about_pips(face, part.shape[:2], left, top))


def _about_pips(face: FaceFit, shape: tuple[int, ...], left: int, top: int) -> NDArray[np.bool_]:
    mask = np.zeros(shape, np.uint8)
    for x, y in face.places:
        cv2.circle(mask, (round(float(x) - left), round(float(y) - top)), round(_REACH * face.pip_px), 1, -1)
    return np.asarray(mask > 0, np.bool_)


def _coherence(across: NDArray[np.float32], down: NDArray[np.float32], where: NDArray[np.bool_]) -> float:
    x, y = across[where], down[where]
    whole = float((x * x).sum() + (y * y).sum())
    if whole <= 0:
        return 0.0
    return math.hypot(float((x * x).sum() - (y * y).sum()), 2 * float((x * y).sum())) / whole
