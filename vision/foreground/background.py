"""The background model: learns from each picture which pixels are cloth, in light and in shadow, and which are not.

It is learnt anew in every picture, so that any cloth, lamp or pattern will do and nothing need be taught first.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Pixels
from vision.libraries import cv2

_BINS = 64  # of each of the two parts of a colour without its brightness
_NEUTRAL = 12.0  # added to every channel: the colour of what is nearly black is mostly noise
_CELL = 20  # pixels: the field is divided into cells of this edge, somewhat more than a die
_PRESENT = 0.01  # part of a cell's pixels that make a colour present in it
_EVERYWHERE = 0.5  # a colour present in this part of the cells is the cloth's; a hand covers less
_SHADOW, _SHINE = 0.22, 1.55  # cloth in shadow and in lamp light, as parts of its usual brightness
_ABOVE_LIGHT = 1.3  # ... and as a part of the brightness that a tenth of it exceeds
_BLACK = 20.0  # the mean of the channels of what is too dark to have a colour, on cloth that is not dark itself
_SAMPLE = 7  # every seventh pixel says enough about the cloth
_SHADES = 8  # colours that a cloth is taken to have at most
_TINTED = 0.75  # a tinted shadow is darker than this part of the cloth
_TINT, _TINT_SLACK = 1.3, 10.0  # ... and no channel exceeds the cloth's by more than this factor and these levels
_OFF = 14.0  # grey levels away from every brightness of all of them

# A body of the cloth's own colour in brighter light: wider than the gloss on a thread, no wider than the largest die
# from corner to corner, and so much brighter than the cloth about it, as a part of the cloth's brightness.
_GRAIN_PX, _WIDEST_PX, _BRIGHTER = 5, 31, 0.15
_LIGHTER, _THAN_LIT = 1.18, 1.1  # ... and than most cloth and a tenth of it: what lies between shadows is not
_ABOVE_GRAIN = 2.0  # ... and than what is met in most cells
# A body in the cloth's own colour made darker, as its shadow is: so much darker than the cloth about it, as a part of
# that, and than most cloth and the darkest tenth of it.
_DARKER, _UNLIT, _THAN_DARK = 0.2, 0.8, 0.9

Grey = NDArray[np.uint8]
Mask = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Foreground:
    """The foreground: what is no plain cloth, in masks (h, w) of 0 or 1.

    `odd` has another colour, or is too bright; `dark` is too dark to tell; `shade` is darker than the cloth and a
    little tinted, as the shadow of a translucent die is. They are kept apart because dark and shade may still turn out
    to be the shadow of a die or of the wall.
    """

    odd: Mask
    dark: Mask
    shade: Mask

    @property
    def all(self) -> Mask:
        """1 wherever any of them is: whatever is no plain cloth."""
        return np.asarray(self.odd | self.dark | self.shade, np.uint8)


def find_foreground(pixels: Pixels, inside: Mask) -> Foreground:
    """Tell cloth from what lies on it, in a picture (h, w, 3) at one pixel a millimetre.

    `inside` (h, w) is 1 where the cloth is. A colour is the cloth's when it is met in half the cells
    of 20 x 20 mm: so patterns are learnt, and dice are not, however many lie there.
    """
    odd, dark, shade = (np.zeros(inside.shape, np.uint8) for _ in range(3))
    if inside.any():
        x, y, width, height = cv2.boundingRect(inside)
        cut = slice(y, y + height), slice(x, x + width)
        odd[cut], dark[cut], shade[cut] = _tell_apart(np.ascontiguousarray(pixels[cut]), inside[cut] > 0)
    return Foreground(odd, dark, shade)


def find_bright(pixels: Pixels, inside: Mask) -> Mask:
    """1 where something that is no larger than a die is brighter than the cloth about it, whatever its colour.

    A lamp's light on the cloth is wider, and so is what a shadow leaves lit but for a corner at the wall: what reaches
    the wall is left out. `pixels` and `inside` as in `find_foreground`.
    """
    return _small_bodies(pixels, inside, light=True)


def find_dim(pixels: Pixels, inside: Mask) -> Mask:
    """1 where something that is no larger than a die is darker than the cloth about it, whatever its colour: the
    shadow of something small, or a dark die whose pips do not stand out. `pixels` and `inside` as in `find_foreground`.
    """
    return _small_bodies(pixels, inside, light=False)


def _small_bodies(pixels: Pixels, inside: Mask, *, light: bool) -> Mask:
    found = np.zeros(inside.shape, np.uint8)
    if inside.any():
        x, y, width, height = cv2.boundingRect(inside)
        cut = slice(y, y + height), slice(x, x + width)
        found[cut] = _stand_out(cv2.cvtColor(pixels[cut], cv2.COLOR_BGR2GRAY), inside[cut], light=light)
    return found


def _stand_out(grey: "cv2.typing.MatLike", where: Mask, *, light: bool) -> Mask:
    """1 where small bodies are lighter, or darker, in a grey picture, which is taken to go on as in a mirror."""
    even = np.asarray(cv2.blur(grey, (_GRAIN_PX, _GRAIN_PX)), np.uint8)
    way, part = (cv2.MORPH_OPEN, _BRIGHTER) if light else (cv2.MORPH_CLOSE, _DARKER)
    widest = np.ones((_WIDEST_PX, _WIDEST_PX), np.uint8)
    off = np.asarray(
        cv2.absdiff(even, cv2.morphologyEx(even, way, widest, borderType=cv2.BORDER_REFLECT_101)), np.uint8
    )
    dark, usual, lit = (float(level) for level in np.percentile(even[where > 0][::_SAMPLE], (10, 50, 90)))
    least = max(part * usual, _ABOVE_GRAIN * usual_maximum(off, where, _CELL))
    beyond = even > max(_LIGHTER * usual, _THAN_LIT * lit) if light else even < min(_UNLIT * usual, _THAN_DARK * dark)
    return _apart_from_edge(np.asarray((off > least) & beyond & (where > 0), np.uint8))


def _apart_from_edge(mask: Mask) -> Mask:
    """The mask without the parts that reach its edge."""
    if not mask.any():
        return mask
    _, labels, table, _ = components(mask)
    low, size = table[:, :2], table[:, 2:4]
    apart = np.asarray(((low > 0) & (low + size < mask.shape[::-1])).all(axis=1), np.uint8)
    apart[0] = 0  # the background
    return np.asarray(apart[labels], np.uint8)


def _tell_apart(pixels: Pixels, where: NDArray[np.bool_]) -> tuple[Mask, Mask, Mask]:
    """The masks of `Foreground` for the pixels `where` holds; elsewhere 0."""
    colours, brightness = _colours(pixels)
    like = _common_colours(colours, where)[colours] & where
    cloth = np.flatnonzero(like)[::_SAMPLE]
    levels, flat = brightness.ravel(), pixels.reshape(-1, 3)
    usual = float(np.median(levels[cloth] if len(cloth) else brightness[where]))
    dark = brightness < max(_SHADOW * usual, min(_BLACK, usual / 2))
    most = _bright(levels[cloth], usual)
    bright = ~dark & (brightness > most)
    # White dice have the colour of grey cloth: were they taken for it, dice of any colour would pass for its shade.
    cloth = cloth[levels[cloth] <= most]
    strange = np.flatnonzero(where & ~dark & ~like)
    off, under = _off_cloth(flat[strange], flat[cloth], colours.ravel()[cloth])
    odd, shade = np.asarray(bright & where, np.uint8), np.zeros(where.shape, np.uint8)
    odd.ravel()[strange[off & ~under]] = 1
    shade.ravel()[strange[off & under]] = 1
    return odd, np.asarray(dark & where, np.uint8), shade & (1 - odd)


def _colours(pixels: Pixels) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The bin of every pixel's colour without its brightness, and its brightness (0..255)."""
    planes = pixels.astype(np.float32)
    brightness = cv2.transform(planes, np.full((1, 3), 1 / 3, np.float32)).reshape(pixels.shape[:2])
    factor = _BINS / (3 * (brightness + _NEUTRAL))
    red = ((planes[:, :, 2] + _NEUTRAL) * factor).astype(np.int32)
    green = ((planes[:, :, 1] + _NEUTRAL) * factor).astype(np.int32)
    return red * _BINS + green, np.asarray(brightness, np.float32)


def _common_colours(colours: NDArray[np.int32], where: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """True for the bins (4096) that are met all over the field, and for those beside them."""
    height, width = where.shape
    across = -(-width // _CELL)
    cells = (np.arange(height) // _CELL)[:, None] * across + np.arange(width) // _CELL
    # Of every pixel and the one beside it either says enough.
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


def _off_cloth(seen: Pixels, cloth: Pixels, colours: NDArray[np.int32]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """True for the pixels (n, 3) far from every cloth colour made darker; and for those darker and hardly tinted.

    A shadow is the cloth with more black in it; that of a translucent die is tinted.
    """
    shades = _shades(cloth, colours)
    levels = seen.astype(np.float32)
    along = levels @ shades.T
    power = np.maximum((shades * shades).sum(axis=1), 1.0)  # of black all is nothing
    share = np.minimum(along / power, np.float32(_SHINE))
    off = np.einsum("nc,nc->n", levels, levels) - (share * (2 * along - share * power)).max(axis=1, initial=0.0)
    under = levels.sum(axis=1)[:, None] < _TINTED * shades.sum(axis=1)
    for channel in range(3):
        under &= levels[:, [channel]] < _TINT * shades[:, channel] + _TINT_SLACK
    return off > _OFF**2, under.any(axis=1)


def _shades(cloth: Pixels, colours: NDArray[np.int32]) -> NDArray[np.float32]:
    """The mean of each of the cloth's most common colours, (n, 3)."""
    count = np.bincount(colours, minlength=_BINS * _BINS)
    found = np.flatnonzero(count)
    usual = found[np.argsort(-count[found])[:_SHADES]]
    rank = np.full(_BINS * _BINS, len(usual))
    rank[usual] = np.arange(len(usual))
    place = rank[colours]
    sums = [np.bincount(place, cloth[:, channel], minlength=len(usual) + 1)[:-1] for channel in range(3)]
    return np.asarray(np.column_stack(sums) / count[usual][:, None], np.float32)


def _bright(cloth: NDArray[np.float32], usual: float) -> float:
    """The brightness above which nothing is cloth; a pattern's light stripes still are."""
    light = float(np.percentile(cloth, 90)) if len(cloth) else usual
    return max(_SHINE * usual, _ABOVE_LIGHT * light)


def components(mask: Mask) -> tuple[int, NDArray[np.uint16], NDArray[np.int32], NDArray[np.float64]]:
    """The connected parts of a mask, as OpenCV gives them; 16-bit labels take it a third of the time."""
    count, labels, table, middles = cv2.connectedComponentsWithStats(mask, connectivity=8, ltype=cv2.CV_16U)
    return count, np.asarray(labels, np.uint16), np.asarray(table, np.int32), np.asarray(middles, np.float64)


def usual_maximum(levels: Grey, where: Mask, cell_px: int) -> float:
    """The level that the strongest pixel of most cells reaches: weave and grain stand out in every cell, dice in few.

    Counted are cells mostly `where` something is to be looked at; 0 without any.
    """
    rows, columns = (side // cell_px for side in levels.shape)
    cells = slice(rows * cell_px), slice(columns * cell_px)
    down = (levels * where)[cells].reshape(rows, cell_px, -1).max(axis=1)
    highest = down.reshape(rows, columns, cell_px).max(axis=2)
    counted = where[cells].reshape(rows, cell_px, -1).sum(axis=1, dtype=np.uint16)
    mostly = 2 * counted.reshape(rows, columns, cell_px).sum(axis=2) >= cell_px**2
    return float(np.median(highest[mostly])) if mostly.any() else 0.0
