"""Strokes on the hardware: short pulses, a look, and a release. All moves of the calibration are made here."""

import asyncio
from dataclasses import replace
from typing import TypeVar

from firmware.calibration.strokes import LONGEST_PRESS_S, LOOK_S, Search, Stroke, StrokeCutShort, StrokeResult
from firmware.panel.panel import Panel
from firmware.tiles.debounce import CLOSE_POLL_S, HOLD_S, DebouncedSensors
from firmware.tiles.sensors import Sensors
from firmware.tiles.servos import Servos
from hardware.box import Box
from hardware.tiles import Position, TileId

T = TypeVar("T")

# Less a frame of 20 ms, because a servo acts on the pulse that it has received even if the next one is cancelled.
DRIVE_S = LONGEST_PRESS_S - 0.02
_SETTLE_S = 0.2  # time for a servo to come to rest: 60 degrees loaded (0.27 s for 90), and the wait for its next pulse
_PAST_EDGE_S = 0.03  # how long a travel continues past its sensor's edge: 10 to 15 degrees
# A cut pulse may kick a released tile for 80 ms; it then falls to its end (30 degrees: 0.12 s).
_REST_S = 0.2


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

    async def follow(self, tile: TileId, search: Search[T]) -> T:
        """Make the strokes of a search on `tile` and return its result. Raises its errors, and `StrokeCutShort`."""
        try:
            wanted = next(search)
            while True:
                result = await self.stroke(tile, wanted)
                if result.is_cut_short:
                    raise StrokeCutShort
                wanted = search.send(result)
        except StopIteration as end:
            found: T = end.value
            return found

    async def stroke(self, tile: TileId, stroke: Stroke) -> StrokeResult:
        """Make one stroke, and look at the tile at rest after it."""
        if self._panel.lid_is_closed:
            raise LidClosed
        wire = self._box.tiles[tile].servo
        try:
            await self._servos.drive(wire, stroke.pulse_us)
            set_ups = self._servos.count_set_ups(wire)
            if stroke.to is not None:
                seen = await self._watch_travel(tile, stroke.to)
            else:
                seen = StrokeResult(await self._watch_driven(tile), Position.UNKNOWN)
        finally:
            await self._servos.release(wire)
        await asyncio.sleep(_REST_S)
        rest = await self._debounced.look((tile,))
        await self._servos.ensure_set_up(wire)
        is_cut_short = self._servos.count_set_ups(wire) != set_ups
        return replace(seen, rest=rest[tile], is_cut_short=is_cut_short)

    async def look(self) -> dict[TileId, Position]:
        return dict(await self._debounced.look(self._box.tile_ids))

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
