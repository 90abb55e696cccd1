"""The canvas that all painters of the simulated picture share, windows into it, outlines of solids."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardware.box import FieldLayout
from vision.capture.arrays import Real
from vision.capture.frame import Pixels
from vision.libraries import cv2
from vision.sim.light import Light
from vision.sim.optics import Optics
from vision.sim.solids import Solid

BITS = 4
"""Fraction bits of the fixed-point coordinates for the drawing functions of OpenCV."""

Window = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Canvas:
    """The picture being painted, the map of the light (both (h, w, 3) uint8 BGR), the camera and the lamps."""

    picture: Pixels
    bright: Pixels
    optics: Optics
    light: Light
    layout: FieldLayout


def silhouette(solid: Solid, optics: Optics) -> Real:
    """Return the outline (n, 2) in pixels of a rounded solid: the hull of a ball at each corner of its core."""
    points = optics.project(solid.core)
    rims = optics.project(solid.core + np.array([solid.radius_mm, 0.0, 0.0]))
    return hull_of_circles(points, np.linalg.norm(rims - points, axis=1))


def hull_of_circles(points: Real, radii: Real) -> Real:
    """Return the hull (n, 2) of circles around `points` (n, 2)."""
    turns = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    ring = np.column_stack((np.cos(turns), np.sin(turns)))
    balls = (points[:, None] + radii[:, None, None] * ring).reshape(-1, 2)
    return np.asarray(cv2.convexHull(balls.astype(np.float32))[:, 0], np.float64)


def px_per_mm(optics: Optics, place: Real) -> float:
    """Return the number of pixels of a millimetre to the right at `place` (3,) mm."""
    one, other = optics.project(np.array([place, place + np.array([1.0, 0.0, 0.0])]))
    return float(np.linalg.norm(other - one))


def window(points: Real, margin: int, picture: Pixels) -> Window | None:
    """Return the part of the picture around `points`: left, top, right, bottom; None when they lie outside."""
    low, high = np.floor(points.min(axis=0)) - margin, np.ceil(points.max(axis=0)) + margin
    height, width = picture.shape[:2]
    ends = [np.clip(end, 0, (width, height)).astype(int).tolist() for end in (low, high)]
    (left, top), (right, bottom) = ends
    return (left, top, right, bottom) if right > left and bottom > top else None


def to_fixed_point(points: Real) -> NDArray[np.int32]:
    """Convert points for the drawing functions of OpenCV: whole numbers with `BITS` fraction bits."""
    return np.asarray(np.round(points * 2**BITS), np.int32)
