"""Debounced sensors: a position counts when a tile's sensors have shown it without a break for 20 ms."""

import asyncio
import itertools
from collections.abc import Iterable, Mapping

from firmware.tiles.sensors import Sensors
from hardware.tiles import Position, TileId

# Interval of looks at a driven tile: half a frame of its servo's pulses, five degrees of its way.
POLL_S = 0.01
# Interval while a sensor is not settled: short enough that a flickering one cannot hide between two looks.
CLOSE_POLL_S = 0.005
# A switch may bounce for 20 ms (makers' application notes); four sleeps of 5 ms may round to slightly less.
HOLD_S = 0.0199
# A released tile comes to rest within half of this time, bounces included, so a sensor that has not settled flickers.
_GIVE_UP_S = 0.25
# A slow computer may take longer than that for one look, so a minimum of looks is required too.
_FEWEST_LOOKS = 3


class Debouncer:
    """The debouncing of one tile: a position counts when its sensors have shown it without a break for 20 ms.

    settled: its settled position.
    edge_s: when its sensors first showed that position, on the loop's clock.
    flips: how often they changed.

    gpiozero's own bounce_time is not used, because its mock pins ignore it and expanders have none.

    Lifetime: that of its sensors. Concurrency: one event loop.
    """

    def __init__(self) -> None:
        self.settled: Position | None = None
        self.flips = 0
        self.edge_s = 0.0
        self._first_s: dict[Position, float] = {}
        self._shown: Position | None = None
        self._since_s = 0.0

    def feed(self, shown: Position, at_s: float) -> bool:
        """Process one look at `at_s` on the loop's clock. Return True if it is settled: unchanged or held for 20 ms."""
        if shown != self._shown:
            self._shown, self._since_s = shown, at_s
            self.flips += 1
            self._first_s.setdefault(shown, at_s)
        if shown != self.settled and at_s - self._since_s >= HOLD_S:
            self.settled, self.edge_s = shown, self._first_s[shown]
            self._first_s.clear()
        return shown == self.settled


class DebouncedSensors:
    """The sensors of all tiles, read until each has settled.

    Lifetime: that of its sensors. Concurrency: one event loop; several tiles may be watched at once.
    Raises: `BusFault`.
    """

    def __init__(self, sensors: Sensors, tiles: Iterable[TileId]) -> None:
        self._sensors = sensors
        self.debouncers: Mapping[TileId, Debouncer] = {tile: Debouncer() for tile in tiles}

    async def wait_for_change(self, within_s: float) -> None:
        """Wait until a sensor may have changed, `within_s` at most."""
        await self._sensors.wait_for_change(within_s)

    async def glance(self, tile: TileId) -> Position | None:
        """Look at one tile once: return its settled position, or None while it is not settled."""
        shown = (await self._sensors.look((tile,)))[tile]
        debouncer = self.debouncers[tile]
        return debouncer.settled if debouncer.feed(shown, asyncio.get_running_loop().time()) else None

    async def look(self, tiles: Iterable[TileId]) -> Mapping[TileId, Position]:
        """Look until all `tiles` are settled; one that does not settle within 0.25 s and three looks is UNKNOWN."""
        loop = asyncio.get_running_loop()
        asked = tuple(tiles)
        give_up_s = loop.time() + _GIVE_UP_S
        for looks in itertools.count(1):
            shown = await self._sensors.look(asked)
            settled = {tile: self.debouncers[tile].feed(shown[tile], loop.time()) for tile in asked}
            is_tried = looks >= _FEWEST_LOOKS and loop.time() >= give_up_s
            if all(settled.values()) or is_tried:
                break
            await asyncio.sleep(CLOSE_POLL_S)
        return {tile: (self.debouncers[tile].settled if settled[tile] else None) or Position.UNKNOWN for tile in asked}
