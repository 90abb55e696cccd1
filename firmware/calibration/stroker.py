"""Strokes on the metal: short pulses, a look, and let go. The only hand of the calibration."""

import asyncio
from dataclasses import replace
from typing import TypeVar

from firmware.calibration.strokes import (
    LONGEST_PRESS_S,
    LOOK_S,
    Search,
    Stroke,
    StrokeCutShort,
    StrokeResult,
)
from firmware.panel import Panel
from firmware.tiles import CLOSE_POLL_S, HOLD_S, DebouncedSensors, Sensors, Servos
from hardware.box import Box
from hardware.tiles import Position, TileId

T = TypeVar("T")

# A frame of 20 ms is kept back: a servo goes on with the pulse that it has got, whenever the next one is cancelled.
DRIVE_S = LONGEST_PRESS_S - 0.02
_SETTLE_S = 0.2  # a servo has come to rest: 60 degrees loaded (0.27 s for 90), and the wait for its next pulse
_PAST_EDGE_S = 0.03  # so long a travel goes on past its sensor's edge: 10 to 15 degrees
# A tile that is let go may be kicked by a pulse that is cut, for 80 ms, and then falls to its end (30 degrees: 0.12 s).
_REST_S = 0.2


class LidClosed(Exception):
    """The lid is down, or came down: no tile is moved under it."""


class Stroker:
    """Moves one tile at a time in small strokes and says what its sensors showed.

    Lifetime: as its servos; `arm` is due before the first stroke. Concurrency: one event loop, one stroke at a time.
    Cancelling a stroke lets go of the tile. Raises: `LidClosed`, `BusFault`.
    """

    def __init__(self, box: Box, servos: Servos, sensors: Sensors, panel: Panel) -> None:
        self._box = box
        self._servos = servos
        self._sensors = sensors
        self._panel = panel
        self._debounced = DebouncedSensors(sensors, box.tile_ids)

    async def follow(self, tile: TileId, search: Search[T]) -> T:
        """Do on `tile` what the search asks for, to its end. Raises what the search raises, and `StrokeCutShort`."""
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
        """One stroke, and the look at rest after it."""
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
        """Look where all tiles are, debounced."""
        return dict(await self._debounced.look(self._box.tile_ids))

    async def _watch_driven(self, tile: TileId) -> Position:
        """Wait for where the driven tile comes to: shown by its sensors unbroken for 20 ms, else UNKNOWN."""
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
        """Look often, and take the times when the tile left where it was and when it arrived."""
        loop = asyncio.get_running_loop()
        begun_s = before_s = loop.time()
        deadline_s = begun_s + DRIVE_S
        origin: Position | None = None
        seen, left_s, arrived_s = Position.UNKNOWN, None, None
        while arrived_s is None and loop.time() + LOOK_S <= deadline_s:
            seen = (await self._sensors.look((tile,)))[tile]
            now_s = loop.time()
            origin = origin or seen
            # The edge lay somewhere between this look and the one before.
            edge_s = (before_s + now_s) / 2 - begun_s
            if left_s is None and seen is not origin:
                left_s, deadline_s = edge_s, min(now_s + DRIVE_S, begun_s + self._box.motion.give_up_s)
            if seen is to:
                arrived_s = edge_s
            before_s = now_s
            await asyncio.sleep(LOOK_S)
        await asyncio.sleep(_PAST_EDGE_S if arrived_s is not None else 0)
        return StrokeResult(seen, Position.UNKNOWN, left_s, arrived_s)
