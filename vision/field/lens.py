"""The lens of the camera: maps pixels to rays and back, measured by a calibration or guessed from the module.

The model is the one of OpenCV's "Camera Calibration and 3D Reconstruction" with square pixels: radial terms k1
and k2 and tangential terms p1 and p2. A ray is (x, y) on the plane one unit before the pinhole.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from vision.capture.arrays import Real

# Raspberry Pi Camera Module 3 product brief: 66 degrees of horizontal field of view.
_USUAL_VIEW_RAD = math.radians(66.0)
_SAME_SHAPE = 0.01  # a picture whose sides have another ratio was cropped, and the lens is unknown for it
_ROUNDS = 30  # at most: each round leaves less than a fifth of the error, unless the lens folds the picture
_EXACT = 1e-13  # an error that rounding alone leaves


@dataclass(frozen=True, slots=True)
class Lens:
    """A pinhole with a lens: size of the picture, focal length and centre in pixels, radial and tangential distortion.

    It carries the size of the picture it was measured for, since focal length and centre are pixels of that size.
    """

    width_px: int
    height_px: int
    focal_px: float
    centre_px: tuple[float, float]
    radial: tuple[float, float] = (0.0, 0.0)
    tangential: tuple[float, float] = (0.0, 0.0)

    def to_px(self, rays: Real) -> Real:
        """Map rays (n, 2) to picture points (n, 2)."""
        return np.asarray(self.focal_px * self._distort(rays) + np.asarray(self.centre_px), np.float64)

    def rays(self, points_px: Real) -> Real:
        """Map picture points (n, 2) to rays (n, 2): the fixed point of the distortion, exact to rounding."""
        seen: Real = (np.asarray(points_px, np.float64) - np.asarray(self.centre_px)) / self.focal_px
        if not (any(self.radial) or any(self.tangential)):
            return seen
        rays = seen
        for _ in range(_ROUNDS):
            error = seen - self._distort(rays)
            rays = rays + error
            if bool(np.all(np.abs(error) < _EXACT)):
                break
        return rays

    def of_size(self, width_px: int, height_px: int) -> "Lens | None":
        """Return the same lens for a picture of another size; None for one of another shape, which was cropped."""
        factor = width_px / self.width_px
        if abs(height_px / self.height_px - factor) > _SAME_SHAPE * factor:
            return None
        centre = ((self.centre_px[0] + 0.5) * factor - 0.5, (self.centre_px[1] + 0.5) * factor - 0.5)
        return replace(self, width_px=width_px, height_px=height_px, focal_px=self.focal_px * factor, centre_px=centre)

    def _distort(self, rays: Real) -> Real:
        if not (any(self.radial) or any(self.tangential)):
            return rays
        return bend(rays, self.radial, self.tangential)


def bend(rays: Real, radial: tuple[float | Real, float], tangential: tuple[float, float]) -> Real:
    """Distort rays (..., 2) by a lens with these terms; its k1 may be an array, one for each row of rays."""
    x, y = rays[..., 0], rays[..., 1]
    square = x * x + y * y
    stretch = 1 + square * (radial[0] + square * radial[1])
    if not any(tangential):
        return np.asarray(rays * stretch[..., None], np.float64)
    one, other = tangential
    across = x * stretch + 2 * one * x * y + other * (square + 2 * x * x)
    down = y * stretch + one * (square + 2 * y * y) + 2 * other * x * y
    return np.stack((across, down), axis=-1)


def usual_lens(width_px: int, height_px: int) -> Lens:
    """Return the lens of an uncalibrated camera: that of a Camera Module 3, its longer side lying across."""
    longer = max(width_px, height_px)
    focal_px = longer / 2 / math.tan(_USUAL_VIEW_RAD / 2)
    return Lens(width_px, height_px, focal_px, ((width_px - 1) / 2, (height_px - 1) / 2))
