"""Lamp light over the simulated field: the places of the lamps, the brightness of each place, bands of shadow."""

import math
from dataclasses import dataclass

import numpy as np

from hardware.box import FieldLayout
from vision.capture.arrays import Real


@dataclass(frozen=True, slots=True)
class Lamp:
    """One lamp."""

    x_part: float = 0.3  # of the width of the field
    y_part: float = -0.2  # of the depth of the field
    height_mm: float = 520.0
    strength: float = 1.0  # its share of the light
    size_mm: float = 60.0  # softens the shadows (10: hard, 150: hardly any edge)
    colour: tuple[float, float, float] = (1.0, 1.0, 1.0)  # gains (red, green, blue)

    def place_mm(self, layout: FieldLayout) -> Real:
        """Return its place, (3,) in mm."""
        return np.array([self.x_part * layout.width_mm, self.y_part * layout.depth_mm, self.height_mm])


@dataclass(frozen=True, slots=True)
class Band:
    """A band of shadow (a window bar, an arm outside the picture); its middle line goes through `x_mm`, `y_mm`."""

    x_mm: float
    y_mm: float
    angle_rad: float  # direction of its middle line
    half_mm: float  # half its width
    depth: float  # 0..1: part of the light that it takes
    soft_mm: float = 4.0  # width of its edge


@dataclass(frozen=True, slots=True)
class Light:
    """All the light: lamps, the part that comes from everywhere (`ambient`, 0..1), shadows, darker corners."""

    lamps: tuple[Lamp, ...] = (Lamp(),)
    ambient: float = 0.55
    bands: tuple[Band, ...] = ()
    vignette: float = 0.08

    def on_baize(self, places_mm: Real, layout: FieldLayout) -> Real:
        """Return the light at `places_mm` (n, 2) as gains of blue, green and red: (n, 3), about 1 at the middle."""
        middle = np.array([layout.width_mm / 2, layout.depth_mm / 2])
        total = np.full((len(places_mm), 3), self.ambient)
        for lamp, share in self.shares():
            fall = _fall(lamp, places_mm, layout) / _fall(lamp, middle[None], layout)
            total += share * fall[:, None] * np.array(lamp.colour[::-1])
        far = np.linalg.norm((places_mm - middle) / middle, axis=1)
        bright: Real = total * (1 - self.vignette * far * far)[:, None]
        for band in self.bands:
            x, y = places_mm[:, 0] - band.x_mm, places_mm[:, 1] - band.y_mm
            across = np.abs(-x * math.sin(band.angle_rad) + y * math.cos(band.angle_rad))
            inside: Real = np.clip((band.half_mm - across) / band.soft_mm + 0.5, 0, 1)
            bright *= 1 - band.depth * inside[:, None]
        return bright

    def shares(self) -> list[tuple[Lamp, float]]:
        """Return each lamp with its part (0..1) of the light on the middle of the baize."""
        whole = sum(lamp.strength for lamp in self.lamps)
        return [(lamp, (1 - self.ambient) * lamp.strength / whole) for lamp in self.lamps]


def _fall(lamp: Lamp, places_mm: Real, layout: FieldLayout) -> Real:
    """Return the fall of light by Lambert's cosine and the squared distance."""
    away = np.column_stack((places_mm, np.zeros(len(places_mm)))) - lamp.place_mm(layout)
    return np.asarray(lamp.height_mm / np.linalg.norm(away, axis=1) ** 3, np.float64)
