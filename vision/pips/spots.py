"""Finds the spots that may be pips: small and round, darker or lighter than what is around them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.capture import Pixels, cv2

# A spot is as round as a pip when its area and the area of the ellipse of the same moments agree.
_ELLIPTIC = (0.82, 1.12)
_LEAST_ASPECT = 0.35
_OFF_HALF = 0.06  # roundness lost for every factor of two between threshold and half the height
_ROUND_ENOUGH = 0.8  # sightings that are less round than the roundest by this factor say nothing about its size
_MOST_OF_ONE_KIND = 300  # dark ones, or light ones, by which fainter ones are not looked for
_MOST_SIGHTINGS = 3000  # where cloth or table is full of spots, the strong and round ones are compared
_MERGE = 0.6  # spots closer than this part of their radius are one spot seen twice

Grey = NDArray[np.uint8]


class _Sighting(NamedTuple):
    """One spot as one threshold showed it; `filled` is its area over that of the ellipse of its moments,
    `contrast` the threshold.
    """

    x: float
    y: float
    radius: float
    aspect: float
    light: bool
    filled: float
    strength: float
    contrast: float


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """Spots that may be pips, as columns: hundreds of them are compared with each other at once.

    `at` (n, 2) px, `radius` (n) px, `aspect` (n) 0..1, `light` (n) bool, `strength` (n) grey levels against the mean
    of the surroundings.
    """

    at: NDArray[np.float64]
    radius: NDArray[np.float64]
    aspect: NDArray[np.float64]
    light: NDArray[np.bool_]
    strength: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.radius)

    def only(self, keep: NDArray[np.bool_]) -> "Spots":
        """The spots for which `keep` (n) holds."""
        return Spots(self.at[keep], self.radius[keep], self.aspect[keep], self.light[keep], self.strength[keep])

    def strongest(self, most: int) -> "Spots":
        """At most so many, the strong and round ones."""
        if len(self) <= most:
            return self
        keep = np.zeros(len(self), bool)
        keep[np.argsort(-self.strength * self.aspect)[:most]] = True
        return self.only(keep)

    def moved(self, x: float, y: float) -> "Spots":
        """The spots of a part whose upper left corner lies at (x, y)."""
        return replace(self, at=self.at + np.array([x, y], np.float64))


def join_spots(parts: Sequence[Spots]) -> Spots:
    """The spots of several parts as one."""
    if not parts:
        nothing = np.zeros(0)
        return Spots(np.zeros((0, 2)), nothing, nothing, nothing.astype(bool), nothing)
    return Spots(
        np.concatenate([part.at for part in parts]),
        np.concatenate([part.radius for part in parts]),
        np.concatenate([part.aspect for part in parts]),
        np.concatenate([part.light for part in parts]),
        np.concatenate([part.strength for part in parts]),
    )


def find_spots(
    picture: Pixels,
    radii_px: tuple[float, float],
    windows_px: tuple[int, ...],
    contrasts: tuple[int, ...],
    *,
    every_colour: bool = False,
) -> Spots:
    """Round spots with a radius within `radii_px` that differ by one of the `contrasts` from the mean of windows about
    them.

    Two grey pictures are looked at: the common grey, and the least of the three colours, in which red on white is as
    dark as black on white and white on red as light as on black. With `every_colour` also red
    and blue alone: red on black is then as light as white on black, and red on blue is seen at all; they show more of a
    cloth's weave, too.
    """
    rows: list[_Sighting] = []
    for grey in _greys(picture, every_colour=every_colour):
        for window in windows_px:
            mean = cv2.boxFilter(grey, cv2.CV_16S, (window, window))
            high = cv2.subtract(grey.astype(np.int16), mean, dtype=cv2.CV_16S)
            for light in (False, True):
                rows += _sightings(np.asarray(high), radii_px, light, contrasts)
    return _merge(rows)


def _sightings(
    high: NDArray[np.int16], radii_px: tuple[float, float], light: bool, contrasts: tuple[int, ...]
) -> list[_Sighting]:
    """The spots by each of the contrasts, until there are very many: fainter ones are then cloth or table."""
    rows: list[_Sighting] = []
    for contrast in sorted(contrasts, reverse=True):
        if len(rows) > _MOST_OF_ONE_KIND:
            break
        rows += _spots_of(_mask(high, light, contrast), high, radii_px, light, contrast)
    return rows


def _greys(picture: Pixels, *, every_colour: bool) -> tuple[Grey, ...]:
    smooth = cv2.GaussianBlur(picture, (0, 0), 1.0)
    blue, green, red = cv2.split(smooth)
    least = cv2.min(cv2.min(blue, green), red)
    greys = [cv2.cvtColor(smooth, cv2.COLOR_BGR2GRAY), least]
    if every_colour:
        greys += [red, blue]
    return tuple(np.asarray(grey, np.uint8) for grey in greys)


def _mask(high: NDArray[np.int16], light: bool, contrast: int) -> Grey:
    return ((high > contrast) if light else (high < -contrast)).view(np.uint8)


def _spots_of(
    mask: Grey, high: NDArray[np.int16], radii_px: tuple[float, float], light: bool, contrast: int
) -> list[_Sighting]:
    contours, tree = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    least, most = (math.pi * radius**2 for radius in radii_px)
    rows: list[_Sighting] = []
    for index, contour in enumerate(contours):
        # A contour with a parent is a hole; what fills it is found with the other sign.
        if not 6 <= len(contour) <= 4 * math.pi * radii_px[1] or tree[0, index, 3] >= 0:
            continue
        # A contour runs through pixel middles: half a pixel of rim is missing all round.
        area = cv2.contourArea(contour) + len(contour) / 2 + 1
        if least <= area <= most:
            spot = _spot_of(np.asarray(contour, np.int32), area, high, light, contrast)
            if spot is not None:
                rows.append(spot)
    return rows


def _spot_of(
    contour: NDArray[np.int32], area: float, high: NDArray[np.int16], light: bool, contrast: int
) -> _Sighting | None:
    moments = cv2.moments(contour)
    if moments["m00"] <= 0:
        return None
    across, along, skew = (moments[name] / moments["m00"] for name in ("mu20", "mu02", "mu11"))
    middle, spread = (across + along) / 2, math.hypot((across - along) / 2, skew)
    minor, major = middle - spread, middle + spread
    if minor <= 0:
        return None
    ellipse = 4 * math.pi * math.sqrt(minor * major)
    aspect = math.sqrt(minor / major)
    if aspect < _LEAST_ASPECT or not _ELLIPTIC[0] <= moments["m00"] / ellipse <= _ELLIPTIC[1]:
        return None
    x, y = moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]
    strength = abs(float(high[round(y), round(x)]))
    return _Sighting(x, y, math.sqrt(area / math.pi), aspect, light, moments["m00"] / ellipse, strength, contrast)


def _roundness(row: _Sighting) -> tuple[int, float]:
    """In coarse steps; among spots as round as each other the larger, for high thresholds show a pip's core only.

    A threshold far from half the spot's own height shows its foot or its tip: it counts less.
    """
    off_half = abs(math.log2(2 * row.contrast / max(row.strength, 1.0)))
    return round(20 * (row.aspect * min(row.filled, 1.0) - _OFF_HALF * off_half)), row.radius


def _merge(rows: list[_Sighting]) -> Spots:
    """One spot for each place: of several sightings the roundest, as large as it is at half its height."""
    if len(rows) > _MOST_SIGHTINGS:
        rows = sorted(rows, key=lambda row: -row.strength * row.aspect)[:_MOST_SIGHTINGS]
    rows.sort(key=_roundness, reverse=True)
    x, y, radii, aspect, light, _, strengths, contrast = np.array(rows, np.float64).reshape(-1, 8).T
    off_half = np.abs(np.log2(2 * contrast / np.maximum(strengths, 1.0)))
    keep, radius, strength = np.ones(len(rows), bool), radii.copy(), strengths.copy()
    for index in range(len(rows)):
        if keep[index]:
            far = np.hypot(x[index:] - x[index], y[index:] - y[index])
            alike = index + np.flatnonzero((far < _MERGE * radii[index]) & (light[index:] == light[index]))
            keep[alike[1:]] = False
            # What is faint in one grey picture may be strong in the other.
            strength[index] = strengths[alike].max()
            round_ones = alike[aspect[alike] > _ROUND_ENOUGH * aspect[index]]
            radius[index] = radii[round_ones[off_half[round_ones].argmin()]]
    at = np.column_stack((x[keep], y[keep]))
    return Spots(at, radius[keep], aspect[keep], light[keep] > 0.5, strength[keep])
