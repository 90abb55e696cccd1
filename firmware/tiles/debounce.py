"""Debounced looking: what a tile's sensors have shown unbroken for 20 ms."""

import asyncio
from collections.abc import Iterable, Mapping

from firmware.tiles.sensors import Sensors
from hardware.tiles import Position, TileId

POLL_S = 0.01
# While a sensor is not settled: often enough that a flickering one cannot hide between two looks.
CLOSE_POLL_S = 0.005
# 20 ms, less what four sleeps of 5 ms may fall short by rounding, for which a switch may bounce.
HOLD_S = 0.0199
_GIVE_UP_S = 0.25


class Debouncer:
    """What one tile has shown: the settled position, and how often it flickered since.

    Lifetime: as its watch. Concurrency: one event loop.
    """

    def __init__(self) -> None:
        self.settled: Position | None = None
        self.flips = 0
        self._shown: Position | None = None
        self._since_s = 0.0

    def feed(self, shown: Position, at_s: float) -> bool:
        """One look. True if the position is settled: as it was, or held for 20 ms."""
        if shown != self._shown:
            self._shown, self._since_s = shown, at_s
            self.flips += 1
        if shown != self.settled and at_s - self._since_s >= HOLD_S:
            self.settled = shown
        return shown == self.settled


class DebouncedSensors:
    """Looks at tiles until their sensors agree with themselves.

    Lifetime: as its sensors. Concurrency: one event loop; several tiles may be watched at once.
    Raises: `BusFault`.
    """

    def __init__(self, sensors: Sensors, tiles: Iterable[TileId]) -> None:
        self._sensors = sensors
        self.debouncers: Mapping[TileId, Debouncer] = {tile: Debouncer() for tile in tiles}

    async def wait_for_change(self, within_s: float) -> None:
        """Wait until a sensor may have changed, or so long."""
        await self._sensors.wait_for_change(within_s)

    async def glance(self, tile: TileId) -> Position | None:
        """One look at one tile: its settled position, or None while it is not settled."""
        shown = (await self._sensors.look((tile,)))[tile]
        debouncer = self.debouncers[tile]
        return debouncer.settled if debouncer.feed(shown, asyncio.get_running_loop().time()) else None

    async def look(self, tiles: Iterable[TileId]) -> Mapping[TileId, Position]:
        """Look until all `tiles` are settled; one that does not settle within 0.25 s is UNKNOWN."""
        loop = asyncio.get_running_loop()
        asked = tuple(tiles)
        give_up_s = loop.time() + _GIVE_UP_S
        while True:
            shown = await self._sensors.look(asked)
            settled = {tile: self.debouncers[tile].feed(shown[tile], loop.time()) for tile in asked}
            if all(settled.values()) or loop.time() >= give_up_s:
                return {tile: self._settled_position(tile) if settled[tile] else Position.UNKNOWN for tile in asked}
            await asyncio.sleep(CLOSE_POLL_S)

    def _settled_position(self, tile: TileId) -> Position:
        return self.debouncers[tile].settled or Position.UNKNOWN
