"""What a servo channel moves: it is stepped to and fro, and the sensors of all tiles are watched meanwhile.

Which tile hangs at a channel is not known yet, nor which way its servo turns. So the steps go away from the middle to
both sides in turn, until sensors change, and then to the other side until they change again. What differs between the
two ends is what the channel moves, whatever lay or stood before, and whatever tile was taken along.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from firmware.calibration.columns import Stroker
from firmware.calibration.strokes import Stroke
from firmware.tiles.sensors import CLOSE_POLL_S, HOLD_S, SensorLine, Sensors
from hardware.box import LEAST_US, MOST_US, Box, mirrored_us
from hardware.tiles import Position, TileId

Lines = frozenset[SensorLine]
Tell = Callable[[TileId, float | None, Lines], None]
"""Is told the tile whose channel is driven, its pulse (None: none now), and the sensors that say yes."""

# Nine degrees of the horn: neither end is passed by more, and no servo presses longer than a stroke.
_STEP_US = 96.0
# From the middle to the farther edge of the loosest servo with a horn 14 degrees off: 610 us.
_REACH_US = 8 * _STEP_US
# From where a dull shut sensor opens to where every tile stands.
_LIFT_ON_US = 600.0
# From where a back tile leans on its front tile to where both fall.
_PUSH_ON_US = 3 * _STEP_US
_TRIES = 3  # of a stroke that a board without its registers has cut short
_GIVE_UP_S = 0.25  # a sensor that changes for so long flickers


class Watch:
    """Looks at all sensors until none has changed for 20 ms.

    Lifetime: that of its sensors. Concurrency: one event loop. Raises `BusFault`.
    """

    def __init__(self, sensors: Sensors) -> None:
        self._sensors = sensors
        self.flickering: Lines = frozenset()  # those that did not settle at some look

    async def look(self) -> Lines:
        """Return the sensors that say yes, without those that flicker."""
        loop = asyncio.get_running_loop()
        shown = await self._sensors.lines()
        since_s = begun_s = loop.time()
        unsettled: Lines = frozenset()
        while loop.time() - since_s < HOLD_S:
            await asyncio.sleep(CLOSE_POLL_S)
            seen = await self._sensors.lines()
            if loop.time() - begun_s >= _GIVE_UP_S:
                self.flickering |= unsettled
                break
            if seen != shown:
                unsettled |= seen ^ shown
                shown, since_s = seen, loop.time()
        return shown - self.flickering


@dataclass(frozen=True, slots=True)
class End:
    """One end of what a channel moves: the pulse that leads there, and the sensors that say yes there."""

    pulse_us: float
    seen: Lines


@dataclass(frozen=True, slots=True)
class Response:
    """What a channel moves, by the pulses asked for: its two ends, and the pulse at which a slotted rod lets go."""

    down: End
    up: End
    rest_us: float | None

    @property
    def at_down(self) -> Lines:
        """The sensors that say yes at its lower end only."""
        return self.down.seen - self.up.seen

    @property
    def at_up(self) -> Lines:
        """The sensors that say yes at its upper end only."""
        return self.up.seen - self.down.seen

    @property
    def lines(self) -> Lines:
        return self.at_down | self.at_up

    @property
    def sign(self) -> int:
        """1 if a longer pulse lays the tile, else -1."""
        return 1 if self.down.pulse_us > self.up.pulse_us else -1

    def end(self, at: Position) -> End:
        return self.down if at is Position.SHUT else self.up

    def is_at(self, at: Position, seen: Lines) -> bool:
        """Return True if the tile is at that end, by the sensors that change with it."""
        wanted, other = (self.at_down, self.at_up)[:: 1 if at is Position.SHUT else -1]
        return wanted <= seen and not other & seen


class Prober:
    """Steps channels, each by the tile that has it in the profile, and notes what they move.

    Lifetime: that of its stroker. Concurrency: one event loop, one channel at a time. Raises `LidClosed`, `BusFault`.
    """

    def __init__(self, box: Box, stroker: Stroker, watch: Watch, tell: Tell) -> None:
        self._box = box
        self._stroker = stroker
        self._watch = watch
        self._tell = tell
        self._seen: Lines = frozenset()

    async def probe(self, tile: TileId) -> Response | None:
        """Return what the channel of `tile` moves; None if no sensor answers to it."""
        motion = self._box.motion
        middle_us = (motion.open_us + motion.shut_us) / 2
        before = self._seen = await self._watch.look()
        seen = await self._stroke(tile, middle_us)
        found = await self._search(tile, middle_us, before, seen)
        if found is None:
            await self._let_go(tile, middle_us)
            return None
        first, side = found
        second = await self._come_back(tile, first, -side)
        if second is None:
            await self._let_go(tile, middle_us)
            return None
        return await self._settled(tile, self._told_apart(first, second))

    async def bring(self, tile: TileId, response: Response, at: Position) -> Lines:
        """Move what the channel of `tile` moves to one of its ends, and let it go; return the sensors that say yes.

        The tile may have been thrown over before its edge when that was found, so more steps may follow. Where it is
        not free at the rest of the profile, because its horn was mounted by eye, the rest moves towards this end.
        """
        pulse_us = response.end(at).pulse_us
        step_us = _STEP_US * response.sign * (1 if at is Position.SHUT else -1)
        rest_us = response.rest_us
        while True:
            seen = await self._stroke(tile, pulse_us)
            if rest_us is not None:
                arrived = response.is_at(at, seen)
                seen = await self._stroke(tile, rest_us)
                if arrived and not response.is_at(at, seen) and abs(rest_us - pulse_us) > _STEP_US:
                    rest_us += step_us / 2
                    continue
            pulse_us += step_us
            if response.is_at(at, seen) or not LEAST_US <= pulse_us <= MOST_US:
                return seen

    async def _search(self, tile: TileId, middle_us: float, before: Lines, seen: Lines) -> tuple[End, int] | None:
        """Step away from the middle, to both sides in turn, until the tile is at one of its ends."""
        far_us = 0.0
        while far_us < _REACH_US:
            far_us += _STEP_US
            for side in (1, -1):
                pulse_us = middle_us + side * far_us
                if LEAST_US <= pulse_us <= MOST_US:
                    before, seen = seen, await self._stroke(tile, pulse_us)
                    if self._is_end(before, seen):
                        return await self._beyond(tile, End(pulse_us, seen), before, side), side
        return None

    async def _come_back(self, tile: TileId, first: End, side: int) -> End | None:
        """Step to the other side until the tile is at its other end."""
        pulse_us, before = first.pulse_us, first.seen
        for _ in range(round(2 * _REACH_US / _STEP_US)):
            pulse_us += side * _STEP_US
            if not LEAST_US <= pulse_us <= MOST_US:
                return None
            seen = await self._stroke(tile, pulse_us)
            if self._is_end(before, seen):
                return await self._beyond(tile, End(pulse_us, seen), before, side)
            before = seen
        return None

    def _is_end(self, before: Lines, seen: Lines) -> bool:
        """Return True if the tile has come to an end.

        On a slotted rod every change leads from end to end; on a rigid one only a sensor that says yes tells of one.
        """
        return bool(seen - before) or (self._box.motion.rest_us is not None and seen != before)

    async def _beyond(self, tile: TileId, end: End, before: Lines, side: int) -> End:
        """Go on where no sensor says yes yet; return the end of the way.

        A tile that has only left its shut sensor may not stand yet. One that has only left its open sensor may lean on
        the tile in front of it, which goes along; or its shut sensor is dead.
        """
        if end.seen - before:
            return end
        rises = any(line.end is Position.SHUT for line in before - end.seen)
        at = end
        for _ in range(round((_LIFT_ON_US if rises else _PUSH_ON_US) / _STEP_US)):
            pulse_us = at.pulse_us + side * _STEP_US
            if not LEAST_US <= pulse_us <= MOST_US or (at.seen - before and not rises):
                break
            at = End(pulse_us, await self._stroke(tile, pulse_us))
        return at if rises or at.seen - before else end

    def _told_apart(self, one: End, other: End) -> Response:
        """Return the two ends as the lower and the upper one, by the kinds of sensors that say yes there.

        Where these do not tell, as the profile has it.
        """
        motion = self._box.motion
        shows_down = _weight(one.seen - other.seen) - _weight(other.seen - one.seen)
        if shows_down == 0:
            shows_down = 1 if (one.pulse_us > other.pulse_us) == (motion.shut_us > motion.open_us) else -1
        down, up = (one, other) if shows_down > 0 else (other, one)
        turns_as_said = (down.pulse_us > up.pulse_us) == (motion.shut_us > motion.open_us)
        rest_us = motion.rest_us if motion.rest_us is None or turns_as_said else mirrored_us(motion.rest_us)
        return Response(down, up, rest_us)

    async def _settled(self, tile: TileId, response: Response) -> Response:
        """Let the tile go, which is at one of its ends."""
        if response.rest_us is not None:
            await self._stroke(tile, response.rest_us)
        return response

    async def _let_go(self, tile: TileId, middle_us: float) -> None:
        """Bring the horn of a servo that moves nothing, as far as is seen, to where it leaves a tile alone."""
        await self._stroke(tile, middle_us)

    async def _stroke(self, tile: TileId, pulse_us: float) -> Lines:
        self._tell(tile, pulse_us, self._seen)
        for _ in range(_TRIES):
            if not (await self._stroker.stroke(tile, Stroke(pulse_us))).is_cut_short:
                break
        self._seen = await self._watch.look()
        self._tell(tile, None, self._seen)
        return self._seen


def _weight(lines: Lines) -> int:
    """Return how clearly these sensors say that a tile is down: each shut sensor for it, each open one against it."""
    return sum(1 if line.end is Position.SHUT else -1 for line in lines)
