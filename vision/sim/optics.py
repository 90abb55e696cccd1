"""The camera over the simulated field: a pinhole and a lens that bends a little."""

import math
import random
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hardware.box import Camera, FieldLayout

# Raspberry Pi Camera Module 3 product brief: 66 degrees of horizontal field of view.
_FIELD_OF_VIEW_RAD = math.radians(66.0)
_NO_DISTORTION = (0.0, 0.0, 0.0, 0.0, 0.0)
_MILD = ((-0.12, 0.06), (-0.02, 0.03), (-0.001, 0.001), (-0.001, 0.001))  # k1, k2, p1, p2

Real = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Optics:
    """A camera looking down.

    `focal_px`, the picture's centre `centre_px` (x, y), the pinhole `pinhole_mm` (x, y, height) in field
    coordinates, `turn_rad` (roll, pitch, yaw) from straight down to where the camera really looks, and the
    lens's `distortion` (k1, k2, p1, p2, k3) as OpenCV's camera model has it.
    """

    focal_px: float
    centre_px: tuple[float, float]
    pinhole_mm: tuple[float, float, float]
    turn_rad: tuple[float, float, float] = (0.0, 0.0, 0.0)
    distortion: tuple[float, float, float, float, float] = _NO_DISTORTION

    @property
    def turn(self) -> Real:
        """The rotation (3, 3) from field directions (the third one down) to the camera's."""
        return _turn(*self.turn_rad)

    def project(self, points_mm: Real) -> Real:
        """Field points (n, 3), the third being the height over the baize, to picture points (n, 2)."""
        x, y, height = self.pinhole_mm
        away = np.column_stack((points_mm[:, 0] - x, points_mm[:, 1] - y, height - points_mm[:, 2]))
        seen = away @ self.turn.T
        flat = _bend(seen[:, :2] / seen[:, 2:], self.distortion)
        pixels: Real = self.focal_px * flat + np.asarray(self.centre_px)
        return pixels

    def lift(self, points_px: Real, height_mm: float = 0.0) -> Real:
        """Picture points (n, 2) to the places (n, 2) in mm at `height_mm` over the baize that they show."""
        flat = _unbend((points_px - np.asarray(self.centre_px)) / self.focal_px, self.distortion)
        rays = np.column_stack((flat, np.ones(len(flat)))) @ self.turn
        x, y, height = self.pinhole_mm
        places: Real = np.array([x, y]) + rays[:, :2] / rays[:, 2:] * (height - height_mm)
        return places


def mount(camera: Camera, layout: FieldLayout, seed: int) -> Optics:
    """Mount the box's camera as a person does: some millimetres off the middle, a degree or two askew."""
    rng = random.Random(f"mount/{seed}")
    focal_px = camera.width_px / 2 / math.tan(_FIELD_OF_VIEW_RAD / 2)
    pinhole = (
        layout.width_mm / 2 + rng.uniform(-8, 8),
        layout.depth_mm / 2 + rng.uniform(-8, 8),
        camera.height_mm * rng.uniform(0.98, 1.02),
    )
    roll, pitch, yaw = (math.radians(rng.uniform(-limit, limit)) for limit in (1.2, 1.2, 2.0))
    return Optics(focal_px, (camera.width_px / 2, camera.height_px / 2), pinhole, (roll, pitch, yaw))


def mount_variously(
    rng: random.Random, layout: FieldLayout, size_px: tuple[int, int] = (1280, 720), tilt_rad: float = math.radians(12)
) -> Optics:
    """Mount a camera 330..480 mm up, tilted by at most `tilt_rad`, its lens bending a little.

    It looks at the middle of the field; the field fills 70..95 % of the picture's half that it fills most.
    """
    height_mm, tilt, towards = rng.uniform(330, 480), rng.uniform(0, tilt_rad), rng.uniform(0, 2 * math.pi)
    aside = height_mm * math.tan(tilt)
    dx, dy = aside * math.cos(towards), aside * math.sin(towards)
    pitch = math.atan2(dy, height_mm)
    roll = math.atan2(-dx, math.hypot(dy, height_mm))
    pinhole = (
        layout.width_mm / 2 - dx + rng.uniform(-5, 5),
        layout.depth_mm / 2 - dy + rng.uniform(-5, 5),
        height_mm,
    )
    centre = (size_px[0] / 2 + rng.uniform(-6, 6), size_px[1] / 2 + rng.uniform(-6, 6))
    k1, k2, p1, p2 = (rng.uniform(*span) for span in _MILD)
    yaw = math.radians(rng.uniform(-4, 4))
    unit = Optics(1.0, (0.0, 0.0), pinhole, (roll, pitch, yaw), (k1, k2, p1, p2, 0.0))
    corners = [(x, y, 0.0) for x in (0, layout.width_mm) for y in (0, layout.depth_mm)]
    across, down = np.abs(unit.project(np.array(corners))).max(axis=0)
    focal_px = rng.uniform(0.70, 0.95) * min(size_px[0] / 2 / across, size_px[1] / 2 / down)
    return replace(unit, focal_px=float(focal_px), centre_px=centre)


def _bend(flat: Real, distortion: tuple[float, ...]) -> Real:
    """OpenCV's lens model on normalised picture points (n, 2)."""
    if distortion == _NO_DISTORTION:
        return flat
    k1, k2, p1, p2, k3 = distortion
    x, y = flat[:, 0], flat[:, 1]
    far = x * x + y * y
    radial = 1 + far * (k1 + far * (k2 + far * k3))
    sideways = 2 * p1 * x * y + p2 * (far + 2 * x * x)
    downwards = 2 * p2 * x * y + p1 * (far + 2 * y * y)
    return np.column_stack((x * radial + sideways, y * radial + downwards))


def _unbend(bent: Real, distortion: tuple[float, ...]) -> Real:
    """The lens model backwards, by fixed-point iteration: a mild lens settles within a few rounds."""
    if distortion == _NO_DISTORTION:
        return bent
    flat = bent
    for _ in range(8):
        flat = flat + bent - _bend(flat, distortion)
    return flat


@lru_cache(maxsize=256)
def _turn(roll: float, pitch: float, yaw: float) -> Real:
    about_x = np.array([[1, 0, 0], [0, math.cos(pitch), -math.sin(pitch)], [0, math.sin(pitch), math.cos(pitch)]])
    about_y = np.array([[math.cos(roll), 0, math.sin(roll)], [0, 1, 0], [-math.sin(roll), 0, math.cos(roll)]])
    about_z = np.array([[math.cos(yaw), -math.sin(yaw), 0], [math.sin(yaw), math.cos(yaw), 0], [0, 0, 1]])
    turn: Real = about_z @ about_y @ about_x
    return turn
