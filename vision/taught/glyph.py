"""Compares drawings by shape alone, regardless of their brightness: the second look at a face.

Drawings are cut out, and two cut-outs are as far apart as the part of one that lies farthest from the other: a
Hausdorff distance (Huttenlocher, Klanderman, Rucklidge 1993) over the worst places, not the very worst, which
is noise. A missing stroke counts as much in a small drawing as in a large one.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.capture.libraries import cv2
from vision.taught.polar import Real32

GRID = 48  # edge of a cut-out; its disc touches the edges
_WORST = 0.06  # the distance is averaged over this part of the pixels, the farthest ones
_FAR = 12.0  # pixels: nothing is farther
_RIM = 0.97
_AT_RIM, _REACHES_IN = 0.9, 0.7  # a part that touches the rim and lies wholly farther out is no drawing

Mask = NDArray[np.uint8]
Place = NDArray[np.float64]


def cut_out(ink: Real32, at: Place, turn_rad: float, radius_px: float) -> Real32:
    """Cut the disc of `radius_px` around a place (2,) out of a picture (h, w), turned upright: (GRID, GRID)."""
    scale = 2 * radius_px / GRID
    cosine, sine = np.cos(turn_rad) * scale, np.sin(turn_rad) * scale
    half = (GRID - 1) / 2
    to_picture = np.array(
        [[cosine, -sine, at[0] - (cosine - sine) * half], [sine, cosine, at[1] - (sine + cosine) * half]]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(ink, to_picture, (GRID, GRID), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32
    )


def middle_of(ink: Real32) -> Place:
    """Return the middle (2,) of a picture (h, w)."""
    return np.array([(ink.shape[1] - 1) / 2, (ink.shape[0] - 1) / 2])


def drawing_mask(cut: Real32) -> Mask:
    """Return 1 where something is drawn in the disc of a cut-out (GRID, GRID), by the threshold of Otsu."""
    inside = disc()
    values = cut[inside]
    low, high = (float(part) for part in np.percentile(values, (2, 98)))
    grey = np.clip((cut - low) * (255 / max(high - low, 1e-6)), 0, 255).astype(np.uint8)
    level, _ = cv2.threshold(grey[inside].reshape(1, -1), 0, 255, cv2.THRESH_OTSU)
    drawn = np.asarray((grey > level) & inside, np.uint8)
    count, labels = cv2.connectedComponents(drawn, connectivity=8)
    if count <= 2:
        return drawn
    # A part that only reaches in from outside belongs to the face next to this one.
    inmost = [float(_radius()[labels == index].min()) for index in range(1, count)]
    outmost = [float(_radius()[labels == index].max()) for index in range(1, count)]
    own = [low < _REACHES_IN or high < _AT_RIM for low, high in zip(inmost, outmost, strict=True)]
    return np.asarray(np.array([False, *own])[labels], np.uint8)


def shape_distance(one: Mask, other: Mask) -> float:
    """Return the distance of two drawings (GRID, GRID), in hundredths of the diameter of their disc."""
    if not one.any() or not other.any():
        return 100 * _FAR / GRID
    worst = max(_worst_distance(one, other), _worst_distance(other, one))
    return 100 * worst / GRID


def drawn_share_by_ring(one: Mask) -> NDArray[np.float64]:
    """Return the part 0..1 of each ring of a disc that is drawn on, from its middle outwards: (GRID // 2)."""
    y, x = np.mgrid[:GRID, :GRID] - (GRID - 1) / 2
    ring = np.minimum(np.hypot(x, y).astype(int), GRID // 2 - 1)[disc()]
    return np.bincount(ring, one[disc()], GRID // 2) / np.bincount(ring, minlength=GRID // 2)


@cache
def disc() -> NDArray[np.bool_]:
    """Return the disc of a cut-out, (GRID, GRID)."""
    return np.asarray(_radius() <= _RIM)


@cache
def _radius() -> NDArray[np.float64]:
    """Return the distance (GRID, GRID) of every pixel of a cut-out from its middle, in parts of the radius of the
    disc.
    """
    line = (np.arange(GRID) - (GRID - 1) / 2) / (GRID / 2)
    return np.asarray(np.hypot(line[None], line[:, None]))


def _worst_distance(one: Mask, other: Mask) -> float:
    """Return the mean distance in pixels of the worst part of `one` from `other`."""
    away = cv2.distanceTransform(1 - other, cv2.DIST_L2, 5)[one > 0]
    count = max(1, round(_WORST * len(away)))
    return float(np.minimum(np.partition(away, -count)[-count:], _FAR).mean())
