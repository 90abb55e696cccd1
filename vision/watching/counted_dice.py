"""Dice that lie in the field and are no throw any more, and whether they have been taken away since."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.reading import DieReading
from vision.watching.agreement import Opinion
from vision.watching.motion import Glimpse

_NUDGE_PART = 0.02  # a die that moved less, as a part of the picture's width, was nudged, not thrown
_TRAY_PART = 0.003  # the tray itself was nudged when a place on the baize moved by more
_TOUCHED_STEP = 6.0  # grey levels, many times the noise of a glimpse: where nothing changes more, nobody touched
_BARE_STEP = 12.0  # a place is bare when it looks like the bare field within so many grey levels
_DIE_STEP = 24.0  # a die differs from the bare field by so many grey levels in so many blocks of its place
_DIE_BLOCKS = 3


@dataclass(slots=True)
class _Place:
    """One die, the nine blocks of a glimpse about its middle, and what was seen there since.

    `tells`: the die looks so unlike the baize under it that a bare place can be told from it.
    """

    die: DieReading
    blocks: tuple[slice, slice]
    tells: bool
    was_touched: bool = False
    was_bare: bool = False


@dataclass(frozen=True, slots=True)
class Still:
    """How many dice of a reading were not thrown, and whether one of them shows another value than before."""

    count: int
    turned: bool


class Lying:
    """The dice of an opinion, from the moment they count no more.

    A die was thrown when it lies elsewhere, or when its place was seen bare meanwhile. Bare is what looks as in
    `bare`, the last glimpse of the field without dice; without one only the place tells. When the tray is nudged
    under the camera, the places go with it.

    `assumed`: the dice lay there before anybody looked, so a player who says that they are thrown is believed.
    Lifetime: until the next throw counts. Concurrency: none.
    """

    def __init__(self, opinion: Opinion, bare: Glimpse | None, *, assumed: bool = False) -> None:
        self.assumed = assumed
        self._opinion = opinion
        self._bare = bare
        self._places = [self._place(die) for die in opinion.reading.dice]

    def note(self, glimpse: Glimpse) -> None:
        """Note what of these dice is seen to have gone."""
        touched = np.abs(glimpse - self._opinion.sight.glimpse) > _TOUCHED_STEP
        bare = self._looks_bare(glimpse)
        for place in self._places:
            place.was_touched |= bool(touched[place.blocks].any())
            place.was_bare |= place.tells and bool(bare[place.blocks].all())

    def still(self, opinion: Opinion) -> Still:
        """Which dice of a reading are these dice still: a nudge, or being turned over, is no throw."""
        carried, tray_moved = self._carried(opinion)
        nudge_px = _NUDGE_PART * opinion.sight.frame.pixels.shape[1]
        left = list(opinion.reading.dice)
        count, turned = 0, False
        for place, at_px in zip(self._places, carried, strict=True):
            near = [die for die in left if math.dist(die.center_px, at_px) < nudge_px]
            if near and (tray_moved or not place.was_bare):
                left.remove(near[0])
                turned |= near[0].value != place.die.value
            elif place.was_touched:
                continue
            # Where nothing has changed a die still lies, whatever the reader makes of the picture.
            count += 1
        return Still(min(count, len(opinion.reading.dice)), turned)

    def _looks_bare(self, glimpse: Glimpse) -> NDArray[np.bool_]:
        """Which blocks look as without dice; none in a light unlike that of the bare field."""
        if self._bare is None:
            return np.zeros(glimpse.shape, np.bool_)
        off = np.abs(glimpse - self._bare)
        return np.asarray((off < _BARE_STEP) & (np.median(off) < _BARE_STEP), np.bool_)

    def _carried(self, opinion: Opinion) -> tuple[Sequence[tuple[float, float]], bool]:
        """The places of these dice in the picture of another opinion; whether they moved with the tray."""
        then = [place.die.center_px for place in self._places]
        if self._opinion.field is None or opinion.field is None or not then:
            return then, False
        now = opinion.field.at_px(self._opinion.field.at_mm(np.array(then)))
        moved_px = float(np.linalg.norm(now - np.array(then), axis=1).max())
        tray_moved = moved_px > _TRAY_PART * opinion.sight.frame.pixels.shape[1]
        return [(float(x), float(y)) for x, y in now], tray_moved

    def _place(self, die: DieReading) -> _Place:
        sight = self._opinion.sight
        rows, columns = sight.glimpse.shape
        height, width = sight.frame.pixels.shape[:2]
        column, row = int(die.center_px[0] * columns / width), int(die.center_px[1] * rows / height)
        blocks = slice(max(0, row - 1), row + 2), slice(max(0, column - 1), column + 2)
        if self._bare is None:
            return _Place(die, blocks, tells=False)
        off = np.abs(sight.glimpse[blocks] - self._bare[blocks])
        return _Place(die, blocks, tells=int((off > _DIE_STEP).sum()) >= _DIE_BLOCKS)
