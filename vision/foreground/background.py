"""Learn from each picture which pixels are cloth, in light and in shadow, and which are not.

The model is learnt anew in every picture, so any cloth, lamp or pattern works without any teaching.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.capture.arrays import Flags, Grey, Mask, Real
from vision.capture.frame import Pixels
from vision.libraries import cv2

_BINS = 64  # for each of the two parts of a colour without its brightness
_NEUTRAL = 12.0  # added to every channel: the colour of a nearly black pixel is mostly noise
_CELL = 20  # pixels: the field is divided into cells of this edge, somewhat more than a die
_PRESENT = 0.01  # a colour is present in a cell if this part of its pixels have it
_EVERYWHERE = 0.5  # a colour present in this part of the cells is cloth; a hand covers less
_SHADOW, _SHINE = 0.22, 1.55  # cloth in shadow and in lamp light, as parts of its usual brightness
_ABOVE_LIGHT = 1.3  # ... and as a part of the brightness that a tenth of it exceeds
_BLACK = 20.0  # below this mean of the channels a pixel is too dark to have a colour, unless the cloth is dark
_SAMPLE = 7  # every seventh pixel of the cloth is enough
_SHADES = 8  # most colours of one cloth
_TINTED = 0.75  # a tinted shadow is darker than this part of the cloth
_TINT, _TINT_SLACK = 1.3, 10.0  # ... and no channel exceeds the cloth's by more than this factor and these levels
_OFF = 14.0  # grey levels away from every brightness of every cloth colour


@dataclass(frozen=True, slots=True, eq=False)
class Foreground:
    """Everything that is not plain cloth, as masks (h, w) of 0 or 1.

    Dark and shade are separate because they may still turn out to be the shadow of a die.
    """

    odd: Mask  # of another colour, or too bright
    dark: Mask  # too dark to have a colour
    shade: Mask  # darker than the cloth and slightly tinted, like the shadow of a translucent die

    @property
    def all(self) -> Mask:
        return np.asarray(self.odd | self.dark | self.shade, np.uint8)


def find_foreground(pixels: Pixels, inside: Mask) -> Foreground:
    """Separate cloth from what lies on it, in a picture (h, w, 3) at one pixel a millimetre.

    `inside` (h, w) is 1 where the cloth is. A colour belongs to the cloth when it occurs in half the cells of 20 x 20
    mm: so patterns are learnt, and dice are not, however many there are.
    """
    odd, dark, shade = (np.zeros(inside.shape, np.uint8) for _ in range(3))
    if inside.any():
        x, y, width, height = cv2.boundingRect(inside)
        cut = slice(y, y + height), slice(x, x + width)
        odd[cut], dark[cut], shade[cut] = _tell_apart(np.ascontiguousarray(pixels[cut]), inside[cut] > 0)
    return Foreground(odd, dark, shade)


def _tell_apart(pixels: Pixels, where: Flags) -> tuple[Mask, Mask, Mask]:
    """Return the three masks of `Foreground` for the pixels in `where`; they are 0 elsewhere."""
    planes = pixels.astype(np.float32)
    brightness = np.asarray(
        cv2.transform(planes, np.full((1, 3), 1 / 3, np.float32)).reshape(pixels.shape[:2]), np.float32
    )
    factor = _BINS / (3 * (brightness + _NEUTRAL))
    red = ((planes[:, :, 2] + _NEUTRAL) * factor).astype(np.int32)
    green = ((planes[:, :, 1] + _NEUTRAL) * factor).astype(np.int32)
    colours = red * _BINS + green  # the bin of each pixel's colour without its brightness
    like = _common_colours(colours, where)[colours] & where
    cloth = np.flatnonzero(like)[::_SAMPLE]
    levels, flat = brightness.ravel(), pixels.reshape(-1, 3)
    usual = float(np.median(levels[cloth] if len(cloth) else brightness[where]))
    dark = brightness < max(_SHADOW * usual, min(_BLACK, usual / 2))
    # No cloth is brighter than this; the light stripes of a pattern are not.
    most = max(_SHINE * usual, _ABOVE_LIGHT * (float(np.percentile(levels[cloth], 90)) if len(cloth) else usual))
    bright = ~dark & (brightness > most)
    # White dice have the colour of grey cloth: if they counted as cloth, dice of any colour would pass for its shade.
    cloth = cloth[levels[cloth] <= most]
    strange = np.flatnonzero(where & ~dark & ~like)
    off, under = _off_cloth(flat[strange], flat[cloth], colours.ravel()[cloth])
    odd, shade = np.asarray(bright & where, np.uint8), np.zeros(where.shape, np.uint8)
    odd.ravel()[strange[off & ~under]] = 1
    shade.ravel()[strange[off & under]] = 1
    return odd, np.asarray(dark & where, np.uint8), shade & (1 - odd)


def _common_colours(colours: NDArray[np.int32], where: Flags) -> Flags:
    """Return which of the 4096 bins occur all over the field, or lie next to one that does."""
    height, width = where.shape
    across = -(-width // _CELL)
    cells = (np.arange(height) // _CELL)[:, None] * across + np.arange(width) // _CELL
    # Neighbouring pixels say the same, so every second one is enough.
    chosen, place = colours[:, ::2][where[:, ::2]], cells[:, ::2][where[:, ::2]]
    used = np.flatnonzero(np.bincount(chosen, minlength=_BINS * _BINS))
    compact = np.zeros(_BINS * _BINS, np.int64)
    compact[used] = np.arange(len(used))
    count = int(cells[-1, -1]) + 1
    table = np.bincount(compact[chosen] * count + place, minlength=len(used) * count).reshape(len(used), count)
    filled = np.bincount(place, minlength=count)
    full = filled >= _CELL * _CELL / 8
    present = (table[:, full] >= np.maximum(2.0, _PRESENT * filled[full])).mean(axis=1)
    met = np.zeros(_BINS * _BINS, np.uint8)
    met[used[present >= _EVERYWHERE]] = 1
    wide = cv2.dilate(met.reshape(_BINS, _BINS), np.ones((3, 3), np.uint8))
    return np.asarray(wide.ravel() > 0, np.bool_)


def _off_cloth(seen: Pixels, cloth: Pixels, colours: NDArray[np.int32]) -> tuple[Flags, Flags]:
    """Return which pixels (n, 3) are far from every darkened cloth colour, and which are darker and hardly tinted.

    A shadow is the cloth with more black in it; the shadow of a translucent die is tinted.
    """
    # The shades are the means of the cloth's most common colours, (n, 3).
    count = np.bincount(colours, minlength=_BINS * _BINS)
    found = np.flatnonzero(count)
    usual = found[np.argsort(-count[found])[:_SHADES]]
    rank = np.full(_BINS * _BINS, len(usual))
    rank[usual] = np.arange(len(usual))
    place = rank[colours]
    sums = [np.bincount(place, cloth[:, channel], minlength=len(usual) + 1)[:-1] for channel in range(3)]
    shades = np.asarray(np.column_stack(sums) / count[usual][:, None], np.float32)
    levels = seen.astype(np.float32)
    along = levels @ shades.T
    power = np.maximum((shades * shades).sum(axis=1), 1.0)  # a black shade would divide by 0
    share = np.minimum(along / power, np.float32(_SHINE))
    off = np.einsum("nc,nc->n", levels, levels) - (share * (2 * along - share * power)).max(axis=1, initial=0.0)
    under = levels.sum(axis=1)[:, None] < _TINTED * shades.sum(axis=1)
    for channel in range(3):
        under &= levels[:, [channel]] < _TINT * shades[:, channel] + _TINT_SLACK
    return off > _OFF**2, under.any(axis=1)


def components(mask: Mask) -> tuple[int, NDArray[np.uint16], NDArray[np.int32], Real]:
    """Return the connected parts of a mask, as OpenCV gives them; 16-bit labels take a third of the time."""
    count, labels, table, middles = cv2.connectedComponentsWithStats(mask, connectivity=8, ltype=cv2.CV_16U)
    return count, np.asarray(labels, np.uint16), np.asarray(table, np.int32), np.asarray(middles, np.float64)


def widened(mask: Mask, reach: int) -> Mask:
    """Return a mask grown by this many pixels on every side."""
    return np.asarray(cv2.dilate(mask, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)), np.uint8)


def usual_maximum(levels: Grey, where: Mask, cell_px: int) -> float:
    """Return the level that the strongest pixel of most cells reaches.

    Weave and grain stand out in every cell, dice in few. Only cells that lie mostly within `where` count; without any
    the result is 0.
    """
    rows, columns = (side // cell_px for side in levels.shape)
    cells = slice(rows * cell_px), slice(columns * cell_px)
    down = (levels * where)[cells].reshape(rows, cell_px, -1).max(axis=1)
    highest = down.reshape(rows, columns, cell_px).max(axis=2)
    counted = where[cells].reshape(rows, cell_px, -1).sum(axis=1, dtype=np.uint16)
    mostly = 2 * counted.reshape(rows, columns, cell_px).sum(axis=2) >= cell_px**2
    return float(np.median(highest[mostly])) if mostly.any() else 0.0
