"""Refines the corners of a marker to the end of its black border, whether it has a white rim or not."""

import numpy as np
from numpy.typing import NDArray

from vision.capture.libraries import cv2

_ALONG = np.linspace(0.12, 0.88, 14)  # places along a side that are sampled, as parts of it
_REACH = 0.75 / 6  # search range to either side, as a part of the edge of the marker: most of a module
_STEP_PX = 0.5
_LEAST_STEP = 2.0  # least rise outwards in linear light, of 255 a pixel
_LEAST_PLACES = 7  # half of those on a side: a side that is hidden further is not clear
_STRAIGHT_PX = 0.8  # places further from the line through the others are no part of the side

# Cameras store about the 2.2nd root of the light (sRGB, softer in the dark), in which white spills over black: edges
# are searched in linear light.
_LIGHT = (255 * (np.arange(256) / 255) ** 2.0).astype(np.float32)

Real = NDArray[np.float64]


def move_to_edges(grey: NDArray[np.uint8], corners: Real) -> Real:
    """Move the corners (n, 4, 2) of n markers to where the lines along the four sides of each cross.

    A marker with an unclear side keeps its corners. Across each side the steepest step from dark inside to bright
    outside is taken: that is the end of the black border, however thin the rim outside it. All markers are done at
    once: one by one takes half as long again.
    """
    along = np.roll(corners, -1, axis=1) - corners
    lengths = np.linalg.norm(along, axis=2)
    # Clockwise from the upper left, as pictures have it: outside lies to the left of the way.
    outward = np.stack((along[..., 1], -along[..., 0]), axis=2) / lengths[..., None]
    places = corners[:, :, None] + _ALONG[:, None] * along[:, :, None]
    reaches = _REACH * lengths.mean(axis=1)
    firsts, counts = -reaches - _STEP_PX, np.ceil(2 * reaches / _STEP_PX).astype(int) + 3
    slopes = np.full((*places.shape[:3], int(counts.max())), -np.inf)
    for index, (first, count) in enumerate(zip(firsts, counts, strict=True)):
        steps = first + _STEP_PX * np.arange(count)
        at = places[index, :, :, None] + steps[:, None] * outward[index, :, None, None]
        slopes[index, :, :, :count] = _slopes(grey, at)
    offsets, clear = _steepest(slopes, counts)
    offsets += firsts[:, None, None]
    keep = clear
    for limit_px in (np.inf, 4 * _STRAIGHT_PX, 2 * _STRAIGHT_PX, _STRAIGHT_PX):
        slope, start = _fit_lines(offsets, keep)
        off = np.abs(slope[..., None] * _ALONG + start[..., None] - offsets)
        keep = clear & (off < limit_px)
    slope, start = _fit_lines(offsets, keep)
    straight = keep.sum(axis=2) >= _LEAST_PLACES
    off = slope[..., None] * _ALONG[[0, -1]] + start[..., None]
    moved = _crossings(places[:, :, [0, -1]] + off[..., None] * outward[:, :, None])
    found = np.asarray(straight.all(axis=1), np.bool_)
    return np.where(found[:, None, None], moved, corners)


def _slopes(grey: NDArray[np.uint8], at: Real) -> Real:
    """Return the rise of linear light along the last axis of places `at` (4, n, steps, 2), per pixel."""
    flat = at.reshape(-1, at.shape[2], 2)
    left, upper = np.clip(np.floor(flat.min(axis=(0, 1))).astype(int), 0, np.array(grey.shape[::-1]) - 1)
    right, lower = np.ceil(flat.max(axis=(0, 1))).astype(int) + 2
    part = _LIGHT[grey[upper : max(lower, upper + 1), left : max(right, left + 1)]]
    x, y = ((flat[:, :, axis] - start).astype(np.float32) for axis, start in enumerate((left, upper)))
    light = cv2.remap(part, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    smooth = cv2.GaussianBlur(light, (0, 0), sigmaX=1.2, sigmaY=0.01)
    return np.asarray(np.gradient(smooth, axis=1).reshape(at.shape[:3]) / _STEP_PX, np.float64)


def _steepest(slopes: Real, counts: NDArray[np.int64]) -> tuple[Real, NDArray[np.bool_]]:
    """Return how far outwards from the first step the steepest one is at each place (n, 4, places), and whether it is
    clear.

    The place of the steepest step is interpolated by a parabola through three steps. `counts` (n) are the steps that
    each marker has in `slopes` (n, 4, places, steps).
    """
    inner = np.where(np.arange(slopes.shape[3]) < counts[:, None, None, None] - 1, slopes, -np.inf)
    best = np.argmax(inner[..., 1:], axis=3)[..., None] + 1
    before, peak, after = (np.take_along_axis(slopes, best + shift, axis=3)[..., 0] for shift in (-1, 0, 1))
    bend = np.minimum(before - 2 * peak + after, -1e-6)
    offsets = (best[..., 0] + np.clip(0.5 * (before - after) / bend, -0.5, 0.5)) * _STEP_PX
    return offsets, peak > _LEAST_STEP


def _fit_lines(offsets: Real, keep: NDArray[np.bool_]) -> tuple[Real, Real]:
    """Fit a line by least squares to each side, over the places kept; return slope and start."""
    count = np.maximum(keep.sum(axis=2), 1)
    at, value = keep @ _ALONG / count, (keep * offsets).sum(axis=2) / count
    spread = keep * (_ALONG - at[..., None])
    slope = (spread * offsets).sum(axis=2) / np.maximum((spread * spread).sum(axis=2), 1e-9)
    return slope, value - slope * at


def _crossings(ends: Real) -> Real:
    """Return the points (n, 4, 2) in which each line (n, 4, 2, 2), given by two points, crosses the one before it."""
    starts, ways = ends[:, :, 0], ends[:, :, 1] - ends[:, :, 0]
    before, before_start = np.roll(ways, 1, axis=1), np.roll(starts, 1, axis=1)
    gap = starts - before_start
    turn = before[..., 0] * ways[..., 1] - before[..., 1] * ways[..., 0]
    part = (gap[..., 0] * ways[..., 1] - gap[..., 1] * ways[..., 0]) / turn
    crossings: Real = before_start + part[..., None] * before
    return crossings
