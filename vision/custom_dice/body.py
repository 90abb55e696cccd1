"""The colours of a custom die: which pixels are its body, and how far each is from body to drawing ("ink")."""

from dataclasses import dataclass

import numpy as np

from vision.capture.arrays import Mask, Real, Real32
from vision.capture.frame import Pixels
from vision.libraries import cv2

LIFT = 10.0  # added before logarithms: the colour of what is nearly black is mostly noise
_DARKER, _LIGHTER = -1.1, 0.4  # logarithms of brightness against the taught one: a side in shadow, a top in light
_TINT = 0.34  # logarithmic distance in colour alone
_BRIGHT_UNIT, _TINT_UNIT = 0.35, 0.16  # one unit of unlikeness
_ROUNDS = 6


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """One colour of a set. Colours are compared by logarithms, because lamps and shadows multiply them."""

    name: str
    bgr: Real  # (3,)
    axis: Real  # (3,): unit vector from the colour of the body to that of its drawings
    contrast: float  # distance of the drawings from the body, in grey levels

    def colour_mask(self, pixels: Pixels) -> Mask:
        """Return 1 where a picture (h, w, 3) has the colour of this body, in whatever light of the lamp."""
        bright, tint = colour_distances(pixels.astype(np.float32), self.bgr)
        return np.asarray((bright > _DARKER) & (bright < _LIGHTER) & (tint < _TINT), np.uint8)

    def unlikeness(self, bgr: Real) -> float:
        """Return the distance of a colour (3,) from this one: 1 is about as far as light and noise may take it."""
        bright, tint = colour_distances(bgr.astype(np.float32), self.bgr)
        return float(np.hypot(bright / _BRIGHT_UNIT, tint / _TINT_UNIT))

    def ink(self, pixels: Pixels) -> Real32:
        """Return how far every pixel is from the body towards the drawings, in grey levels: (h, w)."""
        smooth = cv2.GaussianBlur(pixels, (0, 0), 0.8).astype(np.float32)
        return np.asarray((smooth - self.bgr.astype(np.float32)) @ self.axis.astype(np.float32), np.float32)


def two_colours(pixels: Pixels) -> tuple[Real, Real, float]:
    """Split pixels (n, 3) into two colours: return those (3,) of most and of the rest, and the part 0..0.5 of the rest.

    Two means, started at the ends of the direction in which the colours differ most.
    """
    values = pixels.reshape(-1, 3).astype(np.float64)
    centred = values - np.median(values, axis=0)
    _, _, ways = np.linalg.svd(centred.T @ centred)
    along = centred @ ways[0]
    parts = along > (along.min() + along.max()) / 2
    for _ in range(_ROUNDS):
        if parts.all() or not parts.any():
            break
        parts = along > (along[parts].mean() + along[~parts].mean()) / 2
    if parts.mean() > 0.5:
        parts = ~parts
    if not parts.any():
        return np.median(values, axis=0), np.median(values, axis=0), 0.0
    return np.median(values[~parts], axis=0), np.median(values[parts], axis=0), float(parts.mean())


def body_of(name: str, samples: Pixels) -> Body:
    """Return the body that pixels (n, 3) of some top faces show. Raises `ValueError` when nothing is drawn on them."""
    most, rest, _ = two_colours(samples)
    way = rest - most
    length = float(np.linalg.norm(way))
    if length < 1.0:
        raise ValueError(f"nothing is drawn on the {name} die")
    return Body(name, most, way / length, length)


def colour_distances(seen: Real32, taught: Real) -> tuple[Real32, Real32]:
    """Return logarithmic distances of colours (..., 3) from one (3,), in brightness (signed) and in colour alone."""
    off = np.log(seen + LIFT) - np.log(taught + LIFT).astype(np.float32)
    bright = off.mean(axis=-1)
    tint = np.sqrt(((off - bright[..., None]) ** 2).sum(axis=-1))
    return np.asarray(bright, np.float32), np.asarray(tint, np.float32)
