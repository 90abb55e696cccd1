"""The sensors of the tiles on header and expanders, raw and debounced; and the expanders' interrupt."""

import asyncio
import itertools
import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from firmware.drivers.bus import Bus, ResetCounter, chip_name
from firmware.drivers.expander import Expander
from firmware.errors import ChipForgot
from firmware.input_line import InputLine
from firmware.wire import I2CBus, PinFactory
from hardware.box import Box, TileWiring
from hardware.tiles import Position, TileId
from hardware.wires import ExpanderPin, GpioPin

# Polling interval without edges: with debouncing and another look, a moved tile is noticed within 100 ms.
_ASK_S = 0.03
_BOUNCE_S = 0.02  # switches bounce for 0.2 to 20 ms (makers' application notes)
# A register that changes amid a drive is found within this time, so the drive goes on as if it had not.
_CHECK_S = 0.05
# A bouncing switch pulls the line again for 20 ms at most, so a line that is low in all these looks, 30 ms apart, is
# held low.
_CALM_LOOKS = 4


class SensorLine(NamedTuple):
    """One sensor by its place in the profile: the tile, and the end at which the sensor says yes."""

    tile: TileId
    end: Position

    @property
    def part(self) -> str:
        """Its name in the profile."""
        return self.end.lower()


class Sensors:
    """The shut and open sensors of all tiles, every line active low with a pull-up.

    Lifetime: made inside the running loop, claims its header lines then; `close` releases them. Expanders are set up at
    the first look.
    Concurrency: one event loop; the looks run in the bus worker.
    Raises: `BusFault`, `DeviceMissing` for a header line that is not available.
    """

    def __init__(self, box: Box, bus: Bus, i2c: I2CBus, pin_factory: PinFactory) -> None:
        self._tiles = box.tiles
        self._bus = bus
        self._resets = ResetCounter()
        self._expanders = {address: Expander(i2c, address) for address in box.expanders}
        self._checked_s = dict.fromkeys(box.expanders, -math.inf)
        self._set_aside: set[int] = set()
        self._changed = asyncio.Event()
        self._header: dict[GpioPin, InputLine] = {}
        self._interrupt: InputLine | None = None
        try:
            for tile, wiring in box.tiles.items():
                for wire, name in ((wiring.shut, "shut"), (wiring.open, "open")):
                    if isinstance(wire, GpioPin):
                        self._header[wire] = InputLine(wire, f"{tile}'s {name} sensor", pin_factory, self._changed.set)
            shared = box.panel.expander_interrupt
            if shared is not None and self._expanders:
                self._interrupt = InputLine(shared, "the expanders' interrupt", pin_factory, self._changed.set)
        except BaseException:
            self.close()
            raise

    def set_aside(self, address: int) -> None:
        """Ignore an expander that does not answer, so that the self-test can continue with the other sensors."""
        self._set_aside.add(address)

    def take_back(self) -> None:
        self._set_aside.clear()

    def sees_open(self, tile: TileId) -> bool:
        wire = self._tiles[tile].open
        return wire is not None and not self._is_set_aside(wire)

    async def ping(self, address: int) -> None:
        """Check that the expander at `address` answers. Raises `BusFault`."""
        await self._bus.run(self._expanders[address].ping)

    async def look(self, tiles: Iterable[TileId]) -> Mapping[TileId, Position]:
        """Look once at `tiles`, not debounced; each expander is read once. UNKNOWN: both sensors say yes.

        Sets up an expander again of which a register has changed. Raises `ChipForgot` if that happens again and again.
        """
        now_s = asyncio.get_running_loop().time()
        return await self._bus.run(lambda: self._look(tuple(tiles), now_s))

    async def glance(self, tile: TileId, known: Position | None) -> Position:
        """Look once at one tile; in less time than `look` if it still shows `known`, but as surely if it does not."""
        now_s = asyncio.get_running_loop().time()
        return await self._bus.run(lambda: self._glance(tile, known, now_s))

    async def lines(self) -> frozenset[SensorLine]:
        """Look once at every sensor; return those that say yes, by the names that the profile gives them.

        A sensor on an expander that is set aside says no.
        """
        now_s = asyncio.get_running_loop().time()
        return await self._bus.run(lambda: self._read_lines(now_s))

    async def wait_for_change(self, within_s: float) -> None:
        """Wait until a sensor changes, `within_s` at most; less if no interrupt reports those on expanders."""
        all_tell = not self._expanders or self._interrupt is not None
        try:
            async with asyncio.timeout(within_s if all_tell else min(within_s, _ASK_S)):
                await self._changed.wait()
        except TimeoutError:
            return
        # A look during the bounces may find the tile where it was, and an expander whose inputs were read meanwhile
        # does not report the last bounce.
        await asyncio.sleep(_BOUNCE_S)
        self._changed.clear()

    @property
    def has_edges(self) -> bool:
        """True if the header lines report their changes; otherwise they are polled."""
        return all(line.has_edges for line in self._lines)

    @property
    def has_interrupt(self) -> bool:
        return self._interrupt is not None

    async def check_interrupt(self, address: int) -> tuple[bool, bool]:
        """Let the expander at `address` pull the interrupt line low and release it again.

        Returns whether the line was low while pulled, and whether it stayed low afterwards.
        """
        expander, now_s = self._expanders[address], asyncio.get_running_loop().time()
        await self._bus.run(lambda: self._levels(expander, now_s))
        await self._bus.run(expander.pull_interrupt)
        called = self._is_low()
        if not called and await self._bus.run(expander.levels) is None:
            # A register that has changed meanwhile is the chip's fault, not the line's.
            return await self.check_interrupt(address)
        await self._bus.run(expander.release_interrupt)
        for _ in range(_CALM_LOOKS):
            await self._bus.run(lambda: self._read_all(now_s))
            if not self._is_low():
                return called, False
            await asyncio.sleep(_ASK_S)
        return called, True

    def _read_all(self, now_s: float) -> None:
        """Read every expander, which releases its interrupt."""
        for expander in self._expanders.values():
            if expander.address not in self._set_aside and expander.is_set_up:
                self._levels(expander, now_s)

    def _is_low(self) -> bool:
        return self._interrupt is not None and self._interrupt.is_active

    def close(self) -> None:
        for line in self._lines:
            line.close()

    @property
    def _lines(self) -> tuple[InputLine, ...]:
        return (*self._header.values(), *([self._interrupt] if self._interrupt is not None else []))

    def _look(self, tiles: tuple[TileId, ...], now_s: float) -> Mapping[TileId, Position]:
        needed = set[int]().union(*(self._expanders_of(self._tiles[tile]) for tile in tiles))
        levels = {address: self._levels(self._expanders[address], now_s) for address in sorted(needed)}
        return {tile: self._position(self._tiles[tile], levels) for tile in tiles}

    def _read_lines(self, now_s: float) -> frozenset[SensorLine]:
        needed = set[int]().union(*(self._expanders_of(wiring) for wiring in self._tiles.values()))
        levels = {address: self._levels(self._expanders[address], now_s) for address in sorted(needed)}
        wires = (
            (SensorLine(tile, end), wire)
            for tile, wiring in self._tiles.items()
            for end, wire in ((Position.SHUT, wiring.shut), (Position.OPEN, wiring.open))
        )
        return frozenset(line for line, wire in wires if wire is not None and self._active(wire, levels))

    def _glance(self, tile: TileId, known: Position | None, now_s: float) -> Position:
        needed = self._expanders_of(self._tiles[tile])
        if all(now_s - self._checked_s[address] < _CHECK_S for address in needed):
            levels = {address: self._expanders[address].glance() for address in needed}
            seen = self._position(self._tiles[tile], levels)
            if seen is known:
                return seen
        return self._look((tile,), now_s)[tile]

    def _levels(self, expander: Expander, now_s: float) -> int:
        """Read 16 bits once; set up an expander that lost its registers and read it again."""
        self._checked_s[expander.address] = -math.inf
        levels = expander.levels()
        if levels is None:
            if expander.is_set_up:
                self._resets.count(expander.address, now_s)
            expander.set_up()
            levels = expander.levels()
        if levels is None:
            part = chip_name(expander.address)
            raise ChipForgot(part, expected="registers that keep their values", seen="one lost at once")
        self._checked_s[expander.address] = now_s
        return levels

    def _position(self, wiring: TileWiring, levels: Mapping[int, int]) -> Position:
        shut = self._active(wiring.shut, levels)
        is_open = self._active(wiring.open, levels) if wiring.open is not None else None
        if shut is None:
            return Position.OPEN if is_open else Position.UNKNOWN
        if shut and is_open:
            return Position.UNKNOWN
        if shut:
            return Position.SHUT
        return Position.BETWEEN if is_open is False else Position.OPEN

    def _active(self, wire: GpioPin | ExpanderPin, levels: Mapping[int, int]) -> bool | None:
        """Return True if the sensor is active; None if its chip is set aside."""
        if isinstance(wire, GpioPin):
            return self._header[wire].is_active
        if wire.expander not in levels:
            return None
        return not levels[wire.expander] >> wire.pin & 1

    def _expanders_of(self, wiring: TileWiring) -> set[int]:
        """Return the addresses of the expanders that see the tile, without those set aside."""
        wires = (wiring.shut, wiring.open)
        return {wire.expander for wire in wires if isinstance(wire, ExpanderPin) and not self._is_set_aside(wire)}

    def _is_set_aside(self, wire: GpioPin | ExpanderPin) -> bool:
        return isinstance(wire, ExpanderPin) and wire.expander in self._set_aside


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
        debouncer = self.debouncers[tile]
        shown = await self._sensors.glance(tile, debouncer.settled)
        return debouncer.settled if debouncer.feed(shown, asyncio.get_running_loop().time()) else None

    async def look(self, tiles: Iterable[TileId]) -> Mapping[TileId, Position]:
        """Look until all `tiles` are settled, or UNKNOWN 0.25 s after the first look, and after three."""
        loop = asyncio.get_running_loop()
        asked = tuple(tiles)
        give_up_s = math.inf
        for looks in itertools.count(1):
            shown = await self._sensors.look(asked)
            # From the first answer on: a bus that had to be cleared takes a second.
            give_up_s = min(give_up_s, loop.time() + _GIVE_UP_S)
            settled = {tile: self.debouncers[tile].feed(shown[tile], loop.time()) for tile in asked}
            is_tried = looks >= _FEWEST_LOOKS and loop.time() >= give_up_s
            if all(settled.values()) or is_tried:
                break
            await asyncio.sleep(CLOSE_POLL_S)
        return {tile: (self.debouncers[tile].settled if settled[tile] else None) or Position.UNKNOWN for tile in asked}
