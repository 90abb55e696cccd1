"""The pinhole camera over the simulated field."""

import math
import random
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardware.box import Camera, FieldLayout

# Raspberry Pi Camera Module 3 product brief: 66 degrees of horizontal field of view.
_FIELD_OF_VIEW_RAD = math.radians(66.0)

Real = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Optics:
    """A pinhole camera looking down.

    `focal_px`, the picture's centre `centre_px` (x, y), the pinhole `pinhole_mm` (x, y, height) in field
    coordinates, and a small `turn` (3 x 3) from straight down to where the camera really looks.
    """

    focal_px: float
    centre_px: tuple[float, float]
    pinhole_mm: tuple[float, float, float]
    turn: Real

    def project(self, points_mm: Real) -> Real:
        """Field points (n, 3), the third being the height over the baize, to picture points (n, 2)."""
        x, y, height = self.pinhole_mm
        away = np.column_stack((points_mm[:, 0] - x, points_mm[:, 1] - y, height - points_mm[:, 2]))
        seen = away @ self.turn.T
        pixels: Real = self.focal_px * seen[:, :2] / seen[:, 2:] + np.asarray(self.centre_px)
        return pixels

    def on_baize(self) -> Real:
        """The homography (3 x 3) from millimetres on the baize to pixels."""
        x, y, height = self.pinhole_mm
        plane = np.array([[1.0, 0.0, -x], [0.0, 1.0, -y], [0.0, 0.0, height]])
        lens = np.array(
            [[self.focal_px, 0.0, self.centre_px[0]], [0.0, self.focal_px, self.centre_px[1]], [0.0, 0.0, 1.0]]
        )
        homography: Real = lens @ self.turn @ plane
        return homography


def mounted(camera: Camera, layout: FieldLayout, seed: int) -> Optics:
    """The box's camera as a person mounted it: some millimetres off the middle, a degree or two askew."""
    rng = random.Random(f"mount/{seed}")
    focal_px = camera.width_px / 2 / math.tan(_FIELD_OF_VIEW_RAD / 2)
    pinhole = (
        layout.width_mm / 2 + rng.uniform(-8, 8),
        layout.depth_mm / 2 + rng.uniform(-8, 8),
        camera.height_mm * rng.uniform(0.98, 1.02),
    )
    roll, pitch, yaw = (math.radians(rng.uniform(-limit, limit)) for limit in (1.2, 1.2, 2.0))
    return Optics(focal_px, (camera.width_px / 2, camera.height_px / 2), pinhole, _turn(roll, pitch, yaw))


def _turn(roll: float, pitch: float, yaw: float) -> Real:
    about_x = np.array([[1, 0, 0], [0, math.cos(pitch), -math.sin(pitch)], [0, math.sin(pitch), math.cos(pitch)]])
    about_y = np.array([[math.cos(roll), 0, math.sin(roll)], [0, 1, 0], [-math.sin(roll), 0, math.cos(roll)]])
    about_z = np.array([[math.cos(yaw), -math.sin(yaw), 0], [math.sin(yaw), math.cos(yaw), 0], [0, 0, 1]])
    turn: Real = about_z @ about_y @ about_x
    return turn
