"""The camera over the simulated field: a pinhole and a lens that bends a little."""

import math
import random
from dataclasses import dataclass

import numpy as np

from hardware.box import FieldLayout
from hardware.camera import Camera
from vision.capture.arrays import Real

# Raspberry Pi Camera Module 3 product brief: 66 degrees of horizontal field of view.
_FIELD_OF_VIEW_RAD = math.radians(66.0)
_NO_DISTORTION = (0.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Optics:
    """A camera looking down."""

    focal_px: float
    centre_px: tuple[float, float]  # (x, y) of the picture
    pinhole_mm: tuple[float, float, float]  # (x, y, height) in field coordinates
    turn_rad: tuple[float, float, float] = (0.0, 0.0, 0.0)  # roll, pitch, yaw from straight down
    distortion: tuple[float, float, float, float, float] = _NO_DISTORTION  # k1, k2, p1, p2, k3 as in OpenCV

    @property
    def turn(self) -> Real:
        """Return the rotation (3, 3) from field directions (the third one down) to those of the camera."""
        roll, pitch, yaw = self.turn_rad
        about_x = np.array([[1, 0, 0], [0, math.cos(pitch), -math.sin(pitch)], [0, math.sin(pitch), math.cos(pitch)]])
        about_y = np.array([[math.cos(roll), 0, math.sin(roll)], [0, 1, 0], [-math.sin(roll), 0, math.cos(roll)]])
        about_z = np.array([[math.cos(yaw), -math.sin(yaw), 0], [math.sin(yaw), math.cos(yaw), 0], [0, 0, 1]])
        return np.asarray(about_z @ about_y @ about_x, np.float64)

    def project(self, points_mm: Real) -> Real:
        """Map field points (n, 3), the third being the height over the baize, to picture points (n, 2)."""
        x, y, height = self.pinhole_mm
        away = np.column_stack((points_mm[:, 0] - x, points_mm[:, 1] - y, height - points_mm[:, 2]))
        seen = away @ self.turn.T
        flat = _bend(seen[:, :2] / seen[:, 2:], self.distortion)
        return np.asarray(self.focal_px * flat + np.asarray(self.centre_px), np.float64)

    def lift(self, points_px: Real, height_mm: float = 0.0) -> Real:
        """Map picture points (n, 2) to the places (n, 2) in mm at `height_mm` over the baize that they show."""
        bent = (points_px - np.asarray(self.centre_px)) / self.focal_px
        flat = bent
        if self.distortion != _NO_DISTORTION:
            # The lens model backwards, by fixed-point iteration: a mild lens settles within a few rounds.
            for _ in range(8):
                flat = flat + bent - _bend(flat, self.distortion)
        rays = np.column_stack((flat, np.ones(len(flat)))) @ self.turn
        x, y, height = self.pinhole_mm
        return np.asarray(np.array([x, y]) + rays[:, :2] / rays[:, 2:] * (height - height_mm), np.float64)


def mount(camera: Camera, layout: FieldLayout, seed: int) -> Optics:
    """Mount the camera of the box as a person does: some millimetres off the middle, a degree or two askew."""
    rng = random.Random(f"mount/{seed}")
    focal_px = camera.width_px / 2 / math.tan(_FIELD_OF_VIEW_RAD / 2)
    pinhole = (
        layout.width_mm / 2 + rng.uniform(-8, 8),
        layout.depth_mm / 2 + rng.uniform(-8, 8),
        camera.height_mm * rng.uniform(0.98, 1.02),
    )
    roll, pitch, yaw = (math.radians(rng.uniform(-limit, limit)) for limit in (1.2, 1.2, 2.0))
    return Optics(focal_px, (camera.width_px / 2, camera.height_px / 2), pinhole, (roll, pitch, yaw))


def _bend(flat: Real, distortion: tuple[float, ...]) -> Real:
    """Apply the lens model of OpenCV to normalised picture points (n, 2)."""
    if distortion == _NO_DISTORTION:
        return flat
    k1, k2, p1, p2, k3 = distortion
    x, y = flat[:, 0], flat[:, 1]
    far = x * x + y * y
    radial = 1 + far * (k1 + far * (k2 + far * k3))
    sideways = 2 * p1 * x * y + p2 * (far + 2 * x * x)
    downwards = 2 * p2 * x * y + p1 * (far + 2 * y * y)
    return np.column_stack((x * radial + sideways, y * radial + downwards))
