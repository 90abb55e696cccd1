"""Measures all tiles of a box by strokes, each when the stack rule lets it move both ways; then restores positions.

Only one servo moves at a time, so that no other servo's current slows it while it is timed.
"""

import asyncio
import math
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeVar

from firmware.calibration.ends import Nominal
from firmware.calibration.measure import EndPoints, Proposal, find_rough_ends, measure
from firmware.calibration.slot import find_slot_ends, measure_slotted, slotted_tile
from firmware.calibration.strokes import (
    LONGEST_PRESS_S,
    LOOK_S,
    NotMeasured,
    Search,
    Stroke,
    StrokeCutShort,
    StrokeResult,
)
from firmware.errors import ChipForgot, PulsesCut
from firmware.panel import Panel
from firmware.tiles.sensors import CLOSE_POLL_S, HOLD_S, DebouncedSensors, Sensors
from firmware.tiles.servos import Servos
from hardware.box import Box
from hardware.tiles import Position, TileId
from hardware.wires import ServoChannel

T = TypeVar("T")

# Less a frame of 20 ms, because a servo acts on the pulse that it has received even if the next one is cancelled.
DRIVE_S = LONGEST_PRESS_S - 0.02
_SETTLE_S = 0.2  # time for a servo to come to rest: 80 degrees of the slowest, and the wait for its next pulse
_PAST_EDGE_S = 0.12  # how long a travel continues past its sensor's edge, to its stop: 35 degrees of the slowest servo
# A cut pulse may kick a released tile for 80 ms; it then falls to its end (30 degrees: 0.12 s). One that was brought to
# the edge between falling and standing takes longer.
_REST_S, _REST_AT_EDGE_S = 0.2, 0.4
# A tile is brought back to where a stroke begins by this many strokes before it: to an end, and the rod to its rest.
_REDONE = 2
_CUTS, _CALM_S = 5, 1.0  # strokes in a row that may be held up, and the wait after each, longer every time
_AGAIN = 10  # so often a stroke that is held up is made again
# The slow part of a stroke takes up to this many frames, so that it ends within a drive; this much a frame, a degree of
# the horn, is slow enough for any tile.
_SLOW_FRAMES, _SLOW_STEP_US, _FRAME_S = 15, 10.0, 0.02


class LidClosed(Exception):
    """The lid is down or came down, so no tile may move."""


class Stroker:
    """Moves one tile at a time in small strokes and returns what its sensors showed.

    Lifetime: that of its servos; call their `arm` before the first stroke. Concurrency: one event loop, one stroke at a
    time; cancelling a stroke releases the tile. Raises: `LidClosed`, `BusFault`.
    """

    def __init__(self, box: Box, servos: Servos, sensors: Sensors, panel: Panel) -> None:
        self._box = box
        self._servos = servos
        self._sensors = sensors
        self._panel = panel
        self._debounced = DebouncedSensors(sensors, box.tile_ids)
        self._cuts = 0  # strokes in a row during which the pulses were cut

    async def follow(self, tile: TileId, search: Search[T]) -> T:
        """Make the strokes of a search on `tile` and return its result.

        Raises the search's errors, `StrokeCutShort`, and `PulsesCut` for a stroke that is held up time after time.
        """
        done = deque[Stroke](maxlen=_REDONE)
        try:
            wanted = next(search)
            while True:
                result = await self.stroke(tile, wanted)
                for _ in range(_AGAIN):
                    if result.held_up is None:
                        break
                    result = await self._again(tile, done, wanted)
                if result.held_up is not None:
                    raise result.held_up
                if result.is_cut_short:
                    raise StrokeCutShort
                done.append(wanted)
                wanted = search.send(result)
        except StopIteration as end:
            found: T = end.value
            return found

    async def _again(self, tile: TileId, before: Iterable[Stroke], wanted: Stroke) -> StrokeResult:
        """Bring the tile by the strokes `before` to where it was, and make the `wanted` one; or be held up again."""
        for stroke in before:
            # Not as a travel: one that seems to be there already would end before its servo is.
            result = await self.stroke(tile, replace(stroke, to=None))
            if result.is_cut_short:
                return result
        return await self.stroke(tile, wanted)

    async def stroke(self, tile: TileId, stroke: Stroke) -> StrokeResult:
        """Make one stroke, and look at the tile at rest after it.

        A stroke during which the pulses were cut, since a busy computer held up daemon or bus, is held up, and the
        next one may be made. Raises `PulsesCut` only if that happens several times in a row.
        """
        try:
            result = await self._stroke(tile, stroke)
        except PulsesCut as error:
            self._cuts += 1
            if self._cuts >= _CUTS:
                raise
            # What holds a computer up seldom does for a moment only.
            await asyncio.sleep(_CALM_S * self._cuts)
            await self._servos.arm()
            rest = await self._debounced.look((tile,))
            return StrokeResult(Position.UNKNOWN, rest[tile], is_cut_short=True, held_up=error)
        self._cuts = 0
        return result

    async def _stroke(self, tile: TileId, stroke: Stroke) -> StrokeResult:
        if self._panel.lid_is_closed:
            raise LidClosed
        wire = self._box.tiles[tile].servo
        try:
            await self._servos.drive(wire, stroke.pulse_us if stroke.via_us is None else stroke.via_us)
            set_ups = self._servos.count_set_ups(wire)
            if stroke.via_us is not None:
                seen = StrokeResult(Position.UNKNOWN, Position.UNKNOWN)
                await self._approach(wire, stroke.via_us, stroke.pulse_us)
            elif stroke.to is not None:
                seen = await self._watch_travel(tile, stroke.to)
            else:
                seen = StrokeResult(await self._watch_driven(tile), Position.UNKNOWN)
        finally:
            await self._servos.release(wire)
        await asyncio.sleep(_REST_S if stroke.via_us is None else _REST_AT_EDGE_S)
        rest = await self._debounced.look((tile,))
        await self._servos.ensure_set_up(wire)
        is_cut_short = self._servos.count_set_ups(wire) != set_ups
        return replace(seen, rest=rest[tile], is_cut_short=is_cut_short)

    async def look(self) -> dict[TileId, Position]:
        return dict(await self._debounced.look(self._box.tile_ids))

    async def _approach(self, wire: ServoChannel, via_us: float, pulse_us: float) -> None:
        await asyncio.sleep(_SETTLE_S)
        steps = min(_SLOW_FRAMES, math.ceil(abs(pulse_us - via_us) / _SLOW_STEP_US))
        for step in range(1, steps + 1):
            await self._servos.drive(wire, via_us + (pulse_us - via_us) * step / steps)
            await asyncio.sleep(_FRAME_S)

    async def _watch_driven(self, tile: TileId) -> Position:
        """Wait for a position that the driven tile's sensors show for 20 ms without a break; return it, or UNKNOWN."""
        loop = asyncio.get_running_loop()
        deadline_s = loop.time() + DRIVE_S
        await asyncio.sleep(_SETTLE_S)
        shown, since_s = Position.UNKNOWN, loop.time()
        while loop.time() + CLOSE_POLL_S <= deadline_s:
            seen = (await self._sensors.look((tile,)))[tile]
            if seen is not shown:
                shown, since_s = seen, loop.time()
            elif loop.time() - since_s >= HOLD_S:
                return shown
            await asyncio.sleep(CLOSE_POLL_S)
        return Position.UNKNOWN

    async def _watch_travel(self, tile: TileId, to: Position) -> StrokeResult:
        loop = asyncio.get_running_loop()
        begun_s = before_s = loop.time()
        deadline_s = begun_s + DRIVE_S
        origin: Position | None = None
        seen, left_s, arrived_s = Position.UNKNOWN, None, None
        while arrived_s is None and loop.time() + LOOK_S <= deadline_s:
            seen = (await self._sensors.look((tile,)))[tile]
            now_s = loop.time()
            origin = origin or seen
            # The edge was somewhere between this look and the one before.
            edge_s = (before_s + now_s) / 2 - begun_s
            if left_s is None and seen is not origin:
                left_s, deadline_s = edge_s, min(now_s + DRIVE_S, begun_s + self._box.motion.give_up_s)
            if seen is to:
                arrived_s = edge_s
            before_s = now_s
            await asyncio.sleep(LOOK_S)
        await asyncio.sleep(_PAST_EDGE_S if arrived_s is not None else 0)
        return StrokeResult(seen, Position.UNKNOWN, left_s, arrived_s)


_TRIES = 3  # strokes to bring a tile to an end, as many as the attempts of a move in play; and searches of one tile
_FORGETS = "its servo board lost its registers again and again"


@dataclass(frozen=True, slots=True)
class Failure:
    """A tile that could not be measured: what was `seen` of it, and the `cure`, in words for the person.

    It is a value, not an exception, because one bad tile must not cost the measurements of the others.
    """

    seen: str
    cure: str


Outcome = Proposal | Failure
Tell = Callable[[TileId, Outcome | None], None]


async def measure_tiles(stroker: Stroker, box: Box, asked: Collection[TileId], tell: Tell) -> Mapping[TileId, Outcome]:
    """Measure the tiles in `asked`; `tell` is called when each one begins (with None) and when it is done.

    A tile that cannot be measured becomes a `Failure` without affecting the others; tiles that it keeps from moving
    become a `Failure` that names it. Raises `LidClosed`, `BusFault`.
    """
    outcomes: dict[TileId, Outcome] = {}
    for column in range(1, box.columns + 1):
        tiles = box.in_column(column)
        if any(tile in asked for tile in tiles):
            outcomes |= await _Column(stroker, box, tiles, asked, tell).measure()
    return {tile: outcomes[tile] for tile in box.tile_ids if tile in outcomes}


class _Column:
    """The tiles of one column, front to back. A tile can move when all before it lie and all behind it stand.

    A column is the unit of work because only its own tiles are in each other's way: they can be measured and put back
    whatever happens in other columns.
    """

    def __init__(
        self, stroker: Stroker, box: Box, tiles: Sequence[TileId], asked: Collection[TileId], tell: Tell
    ) -> None:
        self._stroker = stroker
        self._box = box
        self._tiles = tiles
        self._asked = [tile for tile in tiles if tile in asked]
        self._tell = tell
        self._at: dict[TileId, Position] = {}
        self._ends: dict[TileId, EndPoints] = {}
        self._outcomes: dict[TileId, Outcome] = {}
        self._lost: set[TileId] = set()

    async def measure(self) -> Mapping[TileId, Outcome]:
        """Measure the requested tiles, from the rearmost lying tile to the front, then from the front to the back."""
        await self._look()
        began = dict(self._at)
        for tile in reversed(self._tiles):
            if self._at[tile] is not Position.OPEN and self._waits_for(self._tiles[: self._tiles.index(tile) + 1]):
                await self._take(tile)
                await self._bring(tile, Position.OPEN)
        for number, tile in enumerate(self._tiles):
            await self._take(tile)
            if self._waits_for(self._tiles[number + 1 :]):
                await self._bring(tile, Position.SHUT)
        for tile in self._asked:
            if tile not in self._outcomes:
                self._record(tile, self._blocked_failure(tile))
        for tile in reversed(self._tiles):
            if began[tile] is Position.OPEN:
                await self._bring(tile, Position.OPEN)
        for tile in self._tiles:
            if began[tile] is Position.SHUT:
                await self._bring(tile, Position.SHUT)
        return self._outcomes

    async def _take(self, tile: TileId) -> None:
        if tile not in self._asked or tile in self._outcomes or not self._may_move(tile):
            return
        self._tell(tile, None)
        outcome = await self._try(tile, lambda: self._measure(tile))
        if isinstance(outcome, Proposal):
            self._ends[tile] = outcome.surely
        self._record(tile, outcome)

    async def _bring(self, tile: TileId, to: Position) -> bool:
        """Move a tile out of another's way, or back; return False if it does not go."""
        if self._at[tile] is to:
            return True
        if not self._may_move(tile):
            return False
        if tile not in self._ends:
            if tile in self._outcomes:
                return False
            found = await self._try(tile, lambda: self._find_rough_ends(tile))
            if not isinstance(found, EndPoints):
                return False
            self._ends[tile] = found
        ends = self._ends[tile]
        if to is Position.SHUT:
            stroke = Stroke(ends.shut_us, to)
        else:
            # Where no sensor sees a tile stand, it is not released before it must have arrived.
            stroke = Stroke(ends.open_us, to if self._sees_open(tile) else None)
        for _ in range(_TRIES):
            seen = await self._stroker.stroke(tile, stroke)
            if rest := ends.to_rest:
                seen = await self._stroker.stroke(tile, rest)
            self._at[tile] = seen.rest
            if seen.rest is to:
                return True
        return False

    async def _try(self, tile: TileId, search: Callable[[], Search[T]]) -> T | Failure:
        try:
            for _ in range(_TRIES):
                with suppress(StrokeCutShort):
                    return await self._stroker.follow(tile, search())
            return Failure(_FORGETS, ChipForgot.cure)
        except NotMeasured as problem:
            if problem.lost:
                self._lost.add(tile)
            return Failure(problem.seen, problem.cure)
        finally:
            await self._look()

    async def _look(self) -> None:
        self._at = {tile: at for tile, at in (await self._stroker.look()).items() if tile in self._tiles}

    def _waits_for(self, tiles: Sequence[TileId]) -> bool:
        return any(tile in self._asked and tile not in self._outcomes for tile in tiles)

    def _may_move(self, tile: TileId) -> bool:
        return self._obstacle(tile) is None

    def _obstacle(self, tile: TileId) -> tuple[TileId, Position] | None:
        """Return the first tile that is in the way, or may be despite its sensors, and where it should be."""
        number = self._tiles.index(tile)
        wanted = [(each, Position.SHUT) for each in self._tiles[:number]]
        wanted += [(each, Position.OPEN) for each in self._tiles[number + 1 :]]
        return next(
            ((each, where) for each, where in wanted if self._at[each] is not where or each in self._lost), None
        )

    def _blocked_failure(self, tile: TileId) -> Failure:
        other, where = self._obstacle(tile) or (tile, Position.OPEN)
        does = "lie" if where is Position.SHUT else "stand"
        if self._at[other] is where:
            return Failure(
                f"not measured: where {other} is nobody knows, and it must {does} before {tile} can move",
                f"See to {other} and its sensors first, then calibrate {tile} (--tile {tile}).",
            )
        return Failure(
            f"not measured: {other} must {does} before it can move",
            f"Tip {other} by hand so that it {does}s, and calibrate {tile} alone (--tile {tile}).",
        )

    def _record(self, tile: TileId, outcome: Outcome) -> None:
        self._outcomes[tile] = outcome
        self._tell(tile, outcome)

    def _sees_open(self, tile: TileId) -> bool:
        return self._box.tiles[tile].open is not None

    def _measure(self, tile: TileId) -> Search[Proposal]:
        slotted = slotted_tile(self._box, tile)
        return measure(self._nominal(tile)) if slotted is None else measure_slotted(slotted)

    def _find_rough_ends(self, tile: TileId) -> Search[EndPoints]:
        slotted = slotted_tile(self._box, tile)
        return find_rough_ends(self._nominal(tile)) if slotted is None else find_slot_ends(slotted, finely=False)

    def _nominal(self, tile: TileId) -> Nominal:
        motion = self._box.motion
        return Nominal(motion.open_us, motion.shut_us, 1 / motion.frequency_hz, self._sees_open(tile))
