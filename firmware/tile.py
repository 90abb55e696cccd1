"""One tile in closed loop: drive, look, retry, release. The only such loop of the program."""

import asyncio
from dataclasses import replace

from firmware.errors import MotionFault, SensorChatters, SensorDoubtful, TileJammed
from firmware.messages import SensorReport
from firmware.plan import in_the_way
from firmware.sensors import Sensors
from firmware.servos import Servos
from firmware.watch import CLOSE_POLL_S, POLL_S, Watch
from hardware.box import Box
from hardware.tiles import Position, TileId

# Where nobody sees a tile stand: the loaded 90 degrees of a slow servo (0.27 s + 15 %), a frame, and some.
_BLIND_TRAVEL_S = 0.4
_REST_S = 0.3  # ... doubled from try to try
# A short way back before the next try frees a tile that is caught.
_WIGGLE_S = 0.15
# What a sensor shows is believed after its debounce and two looks: so long ago the tile may have stopped.
_SEEN_LATE_S = 0.05
# The edges of a move, bounces included, change a few looks; this many changes are a flickering sensor.
_FLIPS = 20


class TileDrive:
    """Moves single tiles and believes their sensors.

    No servo is driven longer than `motion.timeout_s` without its sensor making progress (leaving where it
    was), and no oftener than `motion.attempts`; before each new try it rests and is moved back a little. It is released
    in every case, cancellation included.

    Lifetime: as its servos. Concurrency: one event loop; different tiles may be moved at once.
    Raises: `MotionFault`, `BusFault`.
    """

    def __init__(self, box: Box, servos: Servos, sensors: Sensors, watch: Watch) -> None:
        self._box = box
        self._servos = servos
        self._sensors = sensors
        self._watch = watch

    def report(self, tile: TileId, position: Position) -> SensorReport:
        """What the sensors say of `tile` now."""
        assumed = position is Position.OPEN and not self._sensors.sees_open(tile)
        return SensorReport(tile, position, asyncio.get_running_loop().time(), assumed)

    async def move(self, tile: TileId, target: Position) -> SensorReport:
        """Drive `tile` to `target` until its sensors say so."""
        sight = self._watch.sights[tile]
        origin, sight.flips = sight.settled, 0
        if origin is Position.UNKNOWN:
            # What contradicts itself before the move cannot confirm it afterwards.
            raise self._fault(tile, target, origin)
        tries = 0
        while tries < self._box.motion.attempts:
            if tries:
                await self._loosen(tile, target, tries)
            took_s = await self._attempt(tile, target)
            if took_s is not None:
                return replace(self.report(tile, target), took_s=took_s, tries=tries + 1)
            # A board that lost its registers meanwhile is not the tile's fault.
            if await self._servos.kept(self._box.tiles[tile].servo):
                tries += 1
        raise self._fault(tile, target, origin)

    async def _loosen(self, tile: TileId, target: Position, tries: int) -> None:
        """Let the servo rest, longer from try to try, and move the tile back a little if no other is in its way."""
        # Released, a stalled servo cools and the wood may settle before it is driven again.
        await asyncio.sleep(_REST_S * 2 ** (tries - 1))
        back = Position.OPEN if target is Position.SHUT else Position.SHUT
        other = in_the_way(tile, back, self._box.rows, self._box.columns)
        if other is not None and (await self._watch.look((other,)))[other] is not back:
            return
        wire = self._box.tiles[tile].servo
        try:
            await self._servos.drive(wire, self._box.pulse_us(tile, shut=back is Position.SHUT))
            await asyncio.sleep(_WIGGLE_S)
        finally:
            await self._servos.release(wire)

    async def _attempt(self, tile: TileId, target: Position) -> float | None:
        """Drive until the sensors show `target`: after how many seconds; None when they make no progress in time."""
        wire, loop = self._box.tiles[tile].servo, asyncio.get_running_loop()
        try:
            await self._servos.drive(wire, self._box.pulse_us(tile, shut=target is Position.SHUT))
            begun_s = loop.time()
            return loop.time() - begun_s if await self._arrives(tile, target) else None
        finally:
            await self._servos.release(wire)

    async def _arrives(self, tile: TileId, target: Position) -> bool:
        """Look until the sensors show `target`; False when they make no progress in time."""
        loop = asyncio.get_running_loop()
        begun_s = loop.time()
        not_before_s = begun_s if self._shows(tile, target) else begun_s + _BLIND_TRAVEL_S
        deadline_s = begun_s + self._box.motion.timeout_s
        origin, has_left = self._watch.sights[tile].settled, False
        poll_s = POLL_S
        while loop.time() + poll_s <= deadline_s:
            await asyncio.sleep(poll_s)
            seen = await self._watch.glance(tile)
            poll_s = CLOSE_POLL_S if seen is None else POLL_S
            self._refuse_flicker(tile, target)
            if seen is target and loop.time() >= not_before_s:
                return True
            if seen not in (None, origin) and not has_left:
                has_left, deadline_s = True, loop.time() + self._box.motion.timeout_s - _SEEN_LATE_S
        return False

    def _shows(self, tile: TileId, target: Position) -> bool:
        return target is Position.SHUT or self._sensors.sees_open(tile)

    def _refuse_flicker(self, tile: TileId, target: Position) -> None:
        if self._watch.sights[tile].flips > _FLIPS:
            raise SensorChatters(str(tile), expected=str(target), seen="a sensor that flickers")

    def _fault(self, tile: TileId, target: Position, origin: Position | None) -> MotionFault:
        sight = self._watch.sights[tile]
        if sight.settled is Position.UNKNOWN:
            return SensorDoubtful(str(tile), expected=str(target), seen="SHUT and OPEN at once")
        if sight.settled != origin:
            return SensorDoubtful(str(tile), expected=str(target), seen=str(sight.settled))
        return TileJammed(str(tile), expected=str(target), seen=str(sight.settled))
