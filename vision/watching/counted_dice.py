"""Which dice were thrown: those of a counted throw are no throw again until they are lifted or moved."""

import math
from dataclasses import dataclass

from vision.libraries import np
from vision.reading import DieReading
from vision.watching.agreement import Observation
from vision.watching.capture_thread import Thumbnail

_NUDGE_PART = 0.02  # a die that moved less, as a part of the width of the picture, was nudged, not thrown
_TRAY_PART = 0.003  # the tray itself was nudged when a place on the baize moved by more
_TOUCHED_STEP = 6.0  # grey levels, many times the noise of a thumbnail: a place that changes less was not touched
_BARE_STEP = 12.0  # a bare place differs from the bare field by fewer grey levels
# A die differs from the bare field by this many grey levels in this many blocks of its place.
_DIE_STEP, _DIE_BLOCKS = 24.0, 3


@dataclass(slots=True)
class _Place:
    """One die, the nine blocks of a thumbnail around its middle, and what was seen there since.

    `is_distinct`: the die differs enough from the baize under it to tell a bare place from it.
    """

    die: DieReading
    blocks: tuple[slice, slice]
    is_distinct: bool
    was_touched: bool = False
    was_bare: bool = False


@dataclass(frozen=True, slots=True)
class NotThrown:
    """How many dice of a reading were not thrown; `is_turned` if one of them shows another value than before."""

    count: int
    is_turned: bool


class CountedDice:
    """The dice of an observation that has counted, and is no throw any more.

    Places decide, not values: the same values thrown again are a throw, a die turned over by hand is none. A die was
    thrown when it lies elsewhere, or when its place was seen bare meanwhile. Bare is a place that looks as in `bare`,
    the last thumbnail of the field without dice; without one only the place decides. When the tray is nudged under the
    camera, the places move with it.

    `is_assumed`: the dice lay there before the first look, so a player who says that they are thrown is believed.
    Lifetime: until the next throw counts. Concurrency: none.
    """

    def __init__(self, observation: Observation, bare: Thumbnail | None, *, is_assumed: bool = False) -> None:
        self.is_assumed = is_assumed
        self._observation = observation
        self._bare = bare
        self._places: list[_Place] = []
        captured = observation.captured
        rows, columns = captured.thumbnail.shape
        height, width = captured.frame.pixels.shape[:2]
        for die in observation.reading.dice:
            column, row = int(die.center_px[0] * columns / width), int(die.center_px[1] * rows / height)
            blocks = slice(max(0, row - 1), row + 2), slice(max(0, column - 1), column + 2)
            is_distinct = False
            if bare is not None:
                off = np.abs(captured.thumbnail[blocks] - bare[blocks])
                is_distinct = int((off > _DIE_STEP).sum()) >= _DIE_BLOCKS
            self._places.append(_Place(die, blocks, is_distinct))

    def watch(self, thumbnail: Thumbnail) -> None:
        """Note which of these dice are touched, or gone, in one more frame."""
        touched = np.abs(thumbnail - self._observation.captured.thumbnail) > _TOUCHED_STEP
        bare = np.zeros(thumbnail.shape, np.bool_)
        if self._bare is not None:
            off = np.abs(thumbnail - self._bare)
            # In a light unlike that of the bare field no block counts as bare.
            bare = np.asarray((off < _BARE_STEP) & (np.median(off) < _BARE_STEP), np.bool_)
        for place in self._places:
            place.was_touched |= bool(touched[place.blocks].any())
            place.was_bare |= place.is_distinct and bool(bare[place.blocks].all())

    def find_not_thrown(self, observation: Observation) -> NotThrown:
        """Find the dice of a reading that still are these dice: a nudge, or being turned over, is no throw."""
        width = observation.captured.frame.pixels.shape[1]
        then = np.array([place.die.center_px for place in self._places]).reshape(-1, 2)
        carried, tray_moved = then, False
        if self._observation.field is not None and observation.field is not None and len(then):
            carried = observation.field.at_px(self._observation.field.at_mm(then))
            tray_moved = bool(np.linalg.norm(carried - then, axis=1).max() > _TRAY_PART * width)
        left = list(observation.reading.dice)
        count, is_turned = 0, False
        for place, at_px in zip(self._places, carried.tolist(), strict=True):
            near = [die for die in left if math.dist(die.center_px, at_px) < _NUDGE_PART * width]
            if near and (tray_moved or not place.was_bare):
                left.remove(near[0])
                is_turned |= near[0].value != place.die.value
            elif place.was_touched:
                continue
            # Where nothing has changed the die still lies, whatever the reader says.
            count += 1
        return NotThrown(min(count, len(observation.reading.dice)), is_turned)
