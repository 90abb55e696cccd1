"""One tile in closed loop: drive, look, retry, release. The number and length of tries are decided here."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from firmware.errors import MotionFault, SensorChatters, SensorDoubtful, TileJammed
from firmware.messages import SensorReport
from firmware.tiles.plan import blocking_tile, opposite
from firmware.tiles.sensors import CLOSE_POLL_S, POLL_S, DebouncedSensors, Sensors
from firmware.tiles.servos import COOLING_S, Servos
from hardware.box import Box
from hardware.tiles import Position, TileId

_log = logging.getLogger(__name__)

# Without a sensor for standing tiles, a tile counts as arrived after this time: twice that of the slowest sound servo
# with its frame, for rubbing wood.
_BLIND_TRAVEL_S = 0.4
# A short move back before the next try frees a caught tile: a frame of waiting, then about 40 degrees.
_WIGGLE_S = 0.15
# A tile on a rigid rod whose sensor has answered is not there yet: typical Hall sensors answer up to 19 degrees before
# the end of the 95, switches up to 16. It stays where it is released, so it is driven on for this fraction of the time
# to the edge: a fifth of the way is left at most, and the servo slows down at its end. Each hundredth more makes a
# reset one hundredth longer, because a driven servo uses up the supply's budget.
_REST_OF_WAY = {Position.SHUT: 0.4, Position.OPEN: 0.3}
# The same for a tile that started half way, whose own time says nothing.
_REST_FROM_HALF_WAY_S = 0.1
# The slowest sound servo: 60 degrees in 0.11 s + 15 %, a tenth less when it is warm; and the frame that it waits for a
# pulse.
SLOWEST_US_PER_S, _FRAME_S = 4600.0, 0.02
# At its rest a horn swings, and a motor that is released coasts, by up to 20 degrees (tests/physics). After this time
# it stays.
_SETTLES_S = 0.1
_SENSOR_TOO = "if the tile is where it should be, its sensor or magnet is at fault."
# A limit switch gives up to 10 edges as it opens or closes, and two sensors change in one move. With looks every 5 ms,
# more changes than this mean a flickering sensor.
_FLIPS = 20


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One drive: seconds until the sensors showed the target, whether they did, and the board's set-ups before it."""

    took_s: float
    arrived: bool
    set_ups: int


class TileDrive:
    """Moves single tiles, confirmed by their sensors.

    No servo is driven longer than `motion.give_up_s` at a stretch, whatever its sensors show, or more often than
    `motion.attempts`. It cools between two tries. A tile that did not move at all is first moved back a little; a slow
    one continues from where it is. A slotted rod is brought to rest at the end, which leaves the tile free; from where
    its sensor has answered the tile goes on by its weight or its magnet. The servo is released in every case,
    cancellation included, because a stalled servo burns.

    Lifetime: that of its servos. Concurrency: one event loop; different tiles may be moved at once.
    Raises: `MotionFault`, `BusFault`.
    """

    def __init__(self, box: Box, servos: Servos, sensors: Sensors, debounced: DebouncedSensors) -> None:
        self._box = box
        self._servos = servos
        self._sensors = sensors
        self._debounced = debounced
        self._most_tries = box.motion.attempts
        self._at_rest: set[TileId] = set()

    def is_at_rest(self, tile: TileId) -> bool:
        """Return False if a slotted rod may still hold the tile: its last drive was cut short, or none is known."""
        return tile in self._at_rest or self._box.rest_us(tile) is None

    def forget_rest(self, tile: TileId) -> None:
        """Note that the tile was driven by other means, so that its rod may not be at rest."""
        self._at_rest.discard(tile)

    def report(self, tile: TileId, position: Position) -> SensorReport:
        assumed = position is Position.OPEN and not self._sensors.sees_open(tile)
        return SensorReport(tile, position, asyncio.get_running_loop().time(), assumed)

    async def move(self, tile: TileId, target: Position, arrived: Callable[[SensorReport], None]) -> None:
        """Drive `tile` to `target`, call `arrived` once its sensors show it, and release it at the end of its travel.

        A tile that is there already is only brought to rest. Raises `BusFault`, and `MotionFault` after the last try.
        """
        debouncer, wire = self._debounced.debouncers[tile], self._box.tiles[tile].servo
        origin, debouncer.flips = debouncer.settled, 0
        if origin is Position.UNKNOWN:
            # Sensors that contradict each other before a move cannot confirm it afterwards.
            _log.info("tile not driven, sensors contradict each other tile=%s target=%s", tile, target)
            raise self._fault(tile, target, origin)
        tries, driven_s, stands_still = 0, 0.0, False
        if origin is target:
            await self._rest_alone(tile, target)
            arrived(self.report(tile, target))
            return

        def tell(took_s: float) -> None:
            _log.info("tile arrived tile=%s at=%s took_s=%.2f tries=%d", tile, target, driven_s + took_s, tries + 1)
            arrived(replace(self.report(tile, target), took_s=driven_s + took_s, tries=tries + 1))

        while tries < self._most_tries:
            if tries:
                # A released servo cools after a stall, longer from try to try, and the wood may settle.
                await asyncio.sleep(COOLING_S * 2 ** (tries - 1))
            if stands_still:
                await self._wiggle(tile, target)
            before = debouncer.settled
            attempt = await self._attempt(tile, target, driven_s, tell)
            if attempt.arrived:
                return
            took_s = attempt.took_s
            driven_s += took_s
            await self._servos.ensure_set_up(wire)
            # A board that lost its registers meanwhile is not the tile's fault, whatever has set it up again.
            if self._servos.count_set_ups(wire) == attempt.set_ups:
                tries += 1
                _log.info("try failed tile=%s target=%s took_s=%.2f try=%d", tile, target, took_s, tries)
            else:
                _log.info("try not counted, servo board lost its settings tile=%s target=%s", tile, target)
            stands_still = tries > 0 and debouncer.settled is before
            other = await self._find_blocking(tile, target)
            if other is not None:
                _log.info("no further try, another tile blocks it tile=%s blocked_by=%s", tile, other)
                break
        _log.info("giving up on tile tile=%s target=%s driven_s=%.2f tries=%d", tile, target, driven_s, tries)
        if not self.is_at_rest(tile):
            await asyncio.sleep(COOLING_S)
            await self._rest_alone(tile, target)
        raise self._fault(tile, target, origin)

    async def _wiggle(self, tile: TileId, target: Position) -> None:
        """Free a caught tile by a short move back, or by letting its rod go, if no other tile is in its way."""
        if self._box.rest_us(tile) is not None:
            await self._rest_alone(tile, target)
            return
        back = opposite(target)
        other = await self._find_blocking(tile, back)
        if other is not None:
            _log.info("tile not moved back, another tile blocks it tile=%s blocked_by=%s", tile, other)
            return
        _log.info("tile moved back to free it tile=%s seconds=%.2f", tile, _WIGGLE_S)
        pulse_us = self._box.pulse_us(tile, shut=back is Position.SHUT)
        await self._servos.pulse_for(self._box.tiles[tile].servo, pulse_us, _WIGGLE_S)
        # A jammed tile has stalled in this direction too.
        await asyncio.sleep(COOLING_S)

    async def _find_blocking(self, tile: TileId, target: Position) -> TileId | None:
        """Return the tile that is in the way of a move to `target` now, if one is."""
        other = blocking_tile(tile, target, self._box.rows, self._box.columns)
        return other if other is not None and (await self._debounced.look((other,)))[other] is not target else None

    async def _rest(self, tile: TileId, driven_to: Position, begun_s: float) -> None:
        """Turn the horn of a slotted rod to where its tile is free; for a rigid rod do nothing.

        The drive began at `begun_s`; what would last longer becomes one of its own. The servo is not released.
        """
        rest_us = self._box.rest_us(tile)
        if rest_us is None:
            return
        wire, loop = self._box.tiles[tile].servo, asyncio.get_running_loop()
        # Not from where the sensors have the tile: one of them may be dead.
        from_us = self._box.pulse_us(tile, shut=driven_to is Position.SHUT)
        seconds = _FRAME_S + abs(from_us - rest_us) / SLOWEST_US_PER_S + _SETTLES_S
        if loop.time() + seconds > begun_s + self._box.motion.give_up_s:
            await self._servos.release(wire)
        await self._servos.drive(wire, rest_us)
        await asyncio.sleep(seconds)
        self._at_rest.add(tile)

    async def _rest_alone(self, tile: TileId, driven_to: Position) -> None:
        """Bring a released slotted rod to rest and release it."""
        try:
            await self._rest(tile, driven_to, asyncio.get_running_loop().time())
        finally:
            await self._servos.release(self._box.tiles[tile].servo)

    async def _attempt(
        self, tile: TileId, target: Position, driven_s: float, tell: Callable[[float], None]
    ) -> _Attempt:
        """Drive until the sensors show `target` and on to the end of the way, or for as long as a servo may be driven.

        `tell` is called when the sensors show the target, before the end of the way.
        """
        origin = self._debounced.debouncers[tile].settled
        wire, loop = self._box.tiles[tile].servo, asyncio.get_running_loop()
        begun_s = loop.time()
        self.forget_rest(tile)
        try:
            await self._servos.drive(wire, self._box.pulse_us(tile, shut=target is Position.SHUT))
            set_ups = self._servos.count_set_ups(wire)
            arrived = await self._wait_for_arrival(tile, target, begun_s)
            took_s = loop.time() - begun_s
            if arrived:
                tell(took_s)
                if self._box.rest_us(tile) is None:
                    whole_way = origin in (Position.OPEN, Position.SHUT)
                    await self._end_way(tile, target, begun_s, driven_s, whole_way=whole_way)
                else:
                    await self._rest(tile, target, begun_s)
            return _Attempt(took_s, arrived, set_ups)
        except asyncio.CancelledError:
            _log.info("move cancelled, tile released tile=%s target=%s", tile, target)
            raise
        finally:
            await self._servos.release(wire)

    async def _wait_for_arrival(self, tile: TileId, target: Position, begun_s: float) -> bool:
        """Look until the sensors show `target`; return False if they do not in time, counted from `begun_s`."""
        loop = asyncio.get_running_loop()
        not_before_s = begun_s if self._has_sensor_at(tile, target) else begun_s + _BLIND_TRAVEL_S
        poll_s = POLL_S
        while loop.time() + poll_s <= begun_s + self._box.motion.give_up_s:
            await asyncio.sleep(poll_s)
            seen = await self._debounced.glance(tile)
            poll_s = CLOSE_POLL_S if seen is None else POLL_S
            # Seen only with a current sensor. A tile that no sensor sees at its goal may press against its own stop.
            if self._servos.supply.is_stalled(self._box.tiles[tile].servo) and self._has_sensor_at(tile, target):
                _log.info("servo stalls, tile released tile=%s target=%s", tile, target)
                return False
            if self._debounced.debouncers[tile].flips > _FLIPS:
                _log.info("sensor flickers, tile released tile=%s target=%s", tile, target)
                raise SensorChatters(str(tile), expected=str(target), seen="a sensor that flickers")
            if seen is target and loop.time() >= not_before_s:
                return True
        return False

    async def _end_way(
        self, tile: TileId, target: Position, begun_s: float, driven_s: float, *, whole_way: bool
    ) -> None:
        """Wait until a tile that its sensors show at `target` has come to rest there, within the limit of a drive."""
        if not self._has_sensor_at(tile, target):
            return
        edge_s = self._debounced.debouncers[tile].edge_s
        rest_s = (driven_s + edge_s - begun_s) * _REST_OF_WAY[target]
        at_rest_s = edge_s + (rest_s if whole_way else max(rest_s, _REST_FROM_HALF_WAY_S))
        give_up_s = begun_s + self._box.motion.give_up_s
        await asyncio.sleep(max(0.0, min(at_rest_s, give_up_s) - asyncio.get_running_loop().time()))

    def _has_sensor_at(self, tile: TileId, target: Position) -> bool:
        return target is Position.SHUT or self._sensors.sees_open(tile)

    def _fault(self, tile: TileId, target: Position, origin: Position | None) -> MotionFault:
        debouncer = self._debounced.debouncers[tile]
        if debouncer.settled is Position.UNKNOWN:
            return SensorDoubtful(str(tile), expected=str(target), seen="SHUT and OPEN at once")
        if debouncer.settled != origin:
            return SensorDoubtful(str(tile), expected=str(target), seen=str(debouncer.settled))
        # With a single sensor, a tile that does not move and a dead sensor look the same.
        cure = None if self._sensors.sees_open(tile) else f"{TileJammed.cure[:-1]}; {_SENSOR_TOO}"
        return TileJammed(str(tile), expected=str(target), seen=str(debouncer.settled), cure=cure)
