"""Find the spots that may be pips: small and round, darker or lighter than their surroundings."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.capture.arrays import Flags, Grey, Real
from vision.capture.frame import Pixels, least_colour
from vision.libraries import cv2

# A spot is as round as a pip when its area and the area of the ellipse of the same moments agree.
_ELLIPTIC = (0.82, 1.12)
_LEAST_ASPECT = 0.35
_OFF_HALF = 0.06  # roundness lost for every factor of two between threshold and half the height
_ROUND_ENOUGH = 0.8  # sightings less round than the roundest by this factor do not count for its size
_MOST_OF_ONE_KIND = 300  # with this many dark ones, or light ones, fainter ones are not searched
_MOST_SIGHTINGS = 3000  # where cloth or table is full of spots, only the strong and round ones are compared
_NOTHING = 1e-9  # less than any outline of several pixels
_MERGE = 0.6  # spots closer than this part of their radius are one spot seen twice


class _Source(NamedTuple):
    """A grey picture and the means of windows around its pixels: spots are where the two differ."""

    grey: Grey
    mean: Grey


class _Outlined(NamedTuple):
    """A part that a threshold of `contrast` showed as lighter or darker than its surroundings: outline (n, 1, 2)."""

    outline: NDArray[np.int32]
    area: float
    source: int
    light: bool
    contrast: int


@dataclass(frozen=True, slots=True, eq=False)
class _Sightings:
    """Spots as single thresholds showed them, as columns (n); most spots have several sightings."""

    x: Real
    y: Real
    radius: Real
    aspect: Real
    filled: Real  # area over that of the ellipse of the same moments
    light: Flags
    contrast: Real  # the threshold
    strength: Real

    def __len__(self) -> int:
        return len(self.x)

    def some(self, which: Flags | NDArray[np.intp]) -> "_Sightings":
        return _Sightings(*(getattr(self, column.name)[which] for column in fields(self)))

    @property
    def off_half(self) -> Real:
        """By how many factors of two each threshold differs from half the spot's own height."""
        return np.asarray(np.abs(np.log2(2 * self.contrast / np.maximum(self.strength, 1.0))), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """Spots that may be pips, as columns: hundreds of them are compared with each other at once."""

    at: Real  # (n, 2) px
    radius: Real  # (n) px
    aspect: Real  # (n) 0..1
    light: Flags  # (n)
    strength: Real  # (n) grey levels against the mean of the surroundings

    def __len__(self) -> int:
        return len(self.radius)

    def only(self, keep: Flags) -> "Spots":
        """Return the spots for which `keep` (n) holds."""
        return Spots(self.at[keep], self.radius[keep], self.aspect[keep], self.light[keep], self.strength[keep])

    def strongest(self, most: int) -> "Spots":
        """Return at most this many spots, the strong and round ones."""
        if len(self) <= most:
            return self
        keep = np.zeros(len(self), bool)
        keep[np.argsort(-self.strength * self.aspect)[:most]] = True
        return self.only(keep)

    def moved(self, x: float, y: float) -> "Spots":
        """Return the spots of a part whose upper left corner lies at (x, y)."""
        return replace(self, at=self.at + np.array([x, y], np.float64))


def join_spots(parts: Sequence[Spots]) -> Spots:
    if not parts:
        nothing = np.zeros(0)
        return Spots(np.zeros((0, 2)), nothing, nothing, nothing.astype(bool), nothing)
    return Spots(*(np.concatenate([getattr(part, column.name) for part in parts]) for column in fields(Spots)))


def find_spots(
    picture: Pixels,
    radii_px: tuple[float, float],
    windows_px: tuple[int, ...],
    contrasts: tuple[int, ...],
    *,
    every_colour: bool = False,
) -> Spots:
    """Return round spots with a radius within `radii_px` that differ by a contrast from the mean of a window around.

    Two grey pictures are searched: the common grey, and the least of the three colours, in which red on white is as
    dark as black on white and white on red as light as on black. With `every_colour` also red and blue alone: red on
    black is then as light as white on black, and red on blue is visible at all; they also show more of a cloth's weave.
    """
    sources: list[_Source] = []
    found: list[_Outlined] = []
    smooth = np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0), np.uint8)
    planes = [cv2.cvtColor(smooth, cv2.COLOR_BGR2GRAY), least_colour(smooth)]
    if every_colour:
        planes += [cv2.extractChannel(smooth, 2), cv2.extractChannel(smooth, 0)]
    for grey in (np.asarray(plane, np.uint8) for plane in planes):
        for window in windows_px:
            sources.append(_Source(grey, np.asarray(cv2.boxFilter(grey, -1, (window, window)), np.uint8)))
            for light in (False, True):
                found += _outlined(sources, radii_px, light, contrasts)
    return _merge(_measure(found, sources))


def _outlined(
    sources: Sequence[_Source], radii_px: tuple[float, float], light: bool, contrasts: tuple[int, ...]
) -> list[_Outlined]:
    """Return the possible spots of each contrast in the last of these sources; very many are cloth or table."""
    grey, mean = sources[-1]
    off = np.asarray(cv2.subtract(grey, mean) if light else cv2.subtract(mean, grey), np.uint8)
    least, most = (math.pi * radius**2 for radius in radii_px)
    found: list[_Outlined] = []
    for contrast in sorted(contrasts, reverse=True):
        if len(found) > _MOST_OF_ONE_KIND and len(_measure(found, sources)) > _MOST_OF_ONE_KIND:
            break
        outlines, tree = cv2.findContours((off > contrast).view(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
        parents = tree[0, :, 3].tolist() if outlines else []
        for outline, parent in zip(outlines, parents, strict=True):
            # An outline with a parent is a hole, which is found with the other sign.
            if parent >= 0 or not 6 <= len(outline) <= 4 * math.pi * radii_px[1]:
                continue
            # An outline runs through the middles of pixels: half a pixel of rim is missing all round.
            area = cv2.contourArea(outline) + len(outline) / 2 + 1
            if least <= area <= most:
                found.append(_Outlined(np.asarray(outline, np.int32), area, len(sources) - 1, light, contrast))
    return found


def _measure(found: Sequence[_Outlined], sources: Sequence[_Source]) -> _Sightings:
    """Return the outlines that are as elliptic as pips, measured all at once, which is faster than one by one."""
    if not found:
        return _Sightings(*(np.zeros(0, bool if column.name == "light" else float) for column in fields(_Sightings)))
    steps = np.array([len(each.outline) for each in found])
    area, middle, spread = _moments(np.concatenate([each.outline for each in found])[:, 0].astype(np.float64), steps)
    across, along, skew = spread
    mean, apart = (across + along) / 2, np.hypot((across - along) / 2, skew)
    minor, major = np.maximum(mean - apart, 0.0), mean + apart
    aspect = np.sqrt(minor / np.maximum(major, _NOTHING))
    filled = area / np.maximum(4 * math.pi * np.sqrt(minor * major), _NOTHING)
    keep = (aspect >= _LEAST_ASPECT) & (_ELLIPTIC[0] <= filled) & (filled <= _ELLIPTIC[1])
    whole, source, light, contrast = np.array([each[1:] for each in found], np.float64).T
    x, y = middle
    # By how many levels each spot differs at its middle from the mean around it, in its own source.
    column, row = np.rint(middle).astype(int)
    strength = np.zeros(len(source))
    for index, (grey, surroundings) in enumerate(sources):
        here = source == index
        at = row[here], column[here]
        strength[here] = np.abs(grey[at].astype(np.int16) - surroundings[at])
    return _Sightings(x, y, np.sqrt(whole / math.pi), aspect, filled, light > 0, contrast, strength).some(keep)


def _moments(points: Real, steps: NDArray[np.int64]) -> tuple[Real, Real, Real]:
    """Return area (n), middle (2, n) and second moments about it ((3, n): across, down and both) of polygons.

    `points` are all their corners, those of each together, and `steps` (n) the number of each. By Green's theorem.
    """
    first = np.cumsum(steps) - steps
    start = points[first]
    # Relative to one of its own corners each polygon's numbers stay small, and exact.
    x, y = (points - np.repeat(start, steps, axis=0)).T
    following = np.arange(1, len(points) + 1)
    following[first + steps - 1] = first
    other_x, other_y = x[following], y[following]
    cross = x * other_y - other_x * y
    parts = (
        cross,
        cross * (x + other_x),
        cross * (y + other_y),
        cross * (x * (x + other_x) + other_x * other_x),
        cross * (y * (y + other_y) + other_y * other_y),
        cross * (x * (2 * y + other_y) + other_x * (y + 2 * other_y)),
    )
    twice, *others = (np.add.reduceat(part, first) for part in parts)
    power = np.where(twice == 0, np.inf, twice)  # without an area everything is 0
    across, down = others[0] / (3 * power), others[1] / (3 * power)
    squares = others[2] / (6 * power), others[3] / (6 * power), others[4] / (12 * power)
    spread = np.stack((squares[0] - across * across, squares[1] - down * down, squares[2] - across * down))
    return np.abs(twice) / 2, start.T + np.stack((across, down)), spread


def _merge(seen: _Sightings) -> Spots:
    """Return one spot for each place: of several sightings the roundest, as large as it is at half its height."""
    if len(seen) > _MOST_SIGHTINGS:
        seen = seen.some(np.argsort(-seen.strength * seen.aspect, kind="stable")[:_MOST_SIGHTINGS])
    # The roundest first, in coarse steps; among equals the larger, because high thresholds show only a pip's core. A
    # threshold far from half the spot's own height shows its foot or its tip: it counts less.
    roundness = np.rint(20 * (seen.aspect * np.minimum(seen.filled, 1.0) - _OFF_HALF * seen.off_half))
    seen = seen.some(np.lexsort((-seen.radius, -roundness)))
    x, y, light, radii, off_half = seen.x, seen.y, seen.light, seen.radius, seen.off_half
    keep, radius, strength = np.ones(len(seen), bool), radii.copy(), seen.strength.copy()
    for index in range(len(seen)):
        if keep[index]:
            across, down = x[index:] - x[index], y[index:] - y[index]
            near = across * across + down * down < (_MERGE * radii[index]) ** 2
            alike = index + np.flatnonzero(near & (light[index:] == light[index]))
            keep[alike[1:]] = False
            # A spot that is faint in one grey picture may be strong in the other.
            strength[index] = seen.strength[alike].max()
            round_ones = alike[seen.aspect[alike] > _ROUND_ENOUGH * seen.aspect[index]]
            radius[index] = radii[round_ones[off_half[round_ones].argmin()]]
    return Spots(np.column_stack((x, y)), radius, seen.aspect, light, strength).only(keep)
