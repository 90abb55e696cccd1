"""Fault injection: each fault of a simulated box as a method that breaks it, and `lift`, which mends it."""

import errno
import math
import os
import random
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Protocol

from hardware.box import Box
from hardware.column import TRAVEL_DEG
from hardware.sim.lines import Lines, SensorLine
from hardware.sim.mechanics import ON_DIE_DEG
from hardware.sim.mechanism import Mechanism
from hardware.sim.tile import HALF_WAY_DEG
from hardware.tiles import Position, TileId
from hardware.wires import GpioPin

# Raspberry Pi documentation, vcgencmd get_throttled: under-voltage now (bit 0) and since the start (bit 16).
_UNDER_VOLTAGE = 0x10001
HANG_S = 1.0  # i2c-bcm2835 waits this long for a transfer (Linux, drivers/i2c: adap->timeout is HZ), then ETIMEDOUT
# Linux's errors for a line that another program holds, for a forbidden header, and for edges of a line without any.
_BUSY, _FORBIDDEN, _EDGELESS = errno.EBUSY, errno.EACCES, errno.EOPNOTSUPP
_STRAY_A = 2.0  # a short that neither fuse nor resettable fuse ends at once
_WARM_C, _HOT_C = 48.0, 83.0  # a Raspberry Pi 4 in a wooden box, idle; and one without air

LID_CLOSED = "lid:closed"

Undo = Callable[[], object]
_Pair = tuple[TileId, TileId]


class Registers(Protocol):
    """The registers of a chip, as its supply and disturbances reach them."""

    @property
    def bits(self) -> Sequence[tuple[int, int]]:
        """Those that a disturbance can turn over, each as register and bit."""

    def lose_registers(self) -> None:
        """Reset, as at power-on."""

    def flip(self, register: int, bit: int) -> None: ...


class FaultInjection(ABC):
    """The faults of one world, by the names that `lift` takes.

    They are values of the world, never branches in drivers: the tested program is the one that runs on a real box.

    camera_fault: None, "frozen", "dark", "grey", "dead" or "upside-down"; read by the simulated camera.
    bus_hang_s: how long a transfer hangs before it times out (infinity: until the fault is lifted), or None; read by
    the simulated bus, like `bus_breaks`.
    stray_a: the current that V+ loses beside the servos, in ampere.
    throttled, computer_c: the word of `vcgencmd get_throttled` and the temperature; read by the simulated computer.
    """

    def __init__(self, box: Box, mechanism: Mechanism, lines: Lines) -> None:
        self.box = box
        self.camera_fault: str | None = None
        self.bus_hang_s: float | None = None
        self._stuck_clocks = 0
        self.bus_breaks = False
        self.stray_a = 0.0
        self.throttled = 0
        self.computer_c = _WARM_C
        self._lock = threading.RLock()
        self._mechanism = mechanism
        self._lines = lines
        self._tile_on = {wiring.servo: tile for tile, wiring in box.tiles.items()}
        self._registers: dict[int, Registers] = {}
        # What a fault does again and again: when it is due, after how many seconds again, and what it is.
        self._again: dict[str, tuple[float, float, Callable[[], None]]] = {}
        self._silent: set[int] = set()
        self._moved: dict[int, int] = {}  # the addresses at which chips answer, by those that they should have
        self._busy: set[GpioPin] = set()
        self._header_refusal: int | None = None
        self._faults: dict[str, Undo] = {}
        self._swapped_servos: list[_Pair] = []
        self._swapped_sensors: list[_Pair] = []

    @abstractmethod
    def catch_up(self) -> float:
        """Let time pass up to the clock's time, and return it in seconds."""

    @abstractmethod
    def command_all(self) -> None:
        """Send every servo its pulses again, since those that arrive may have changed."""

    @property
    def faults(self) -> tuple[str, ...]:
        """The names of the present faults, as `lift` takes them."""
        return tuple(self._faults)

    def lift(self, name: str | None = None) -> None:
        """Undo the fault of that name, or all. Raises `ValueError` for a fault that is not present."""
        with self._lock:
            if name is not None and name not in self._faults:
                held = ", ".join(self._faults) or "none"
                raise ValueError(f"no fault {name!r} holds; these do: {held}")
            self.catch_up()
            for held in [name] if name is not None else list(self._faults):
                self._faults.pop(held)()
            # What a die or a hand held falls.
            self._mechanism.wake(self.box.tile_ids)

    # Tiles and servos.

    def jam(self, tile: TileId) -> None:
        self._jam(f"jam:{tile}", tile, Position.OPEN, Position.SHUT)

    def jam_up(self, tile: TileId) -> None:
        self._jam(f"jam-up:{tile}", tile, Position.OPEN)

    def jam_down(self, tile: TileId) -> None:
        self._jam(f"jam-down:{tile}", tile, Position.SHUT)

    def hold_tile(self, tile: TileId) -> None:
        self._jam(f"held:{tile}", tile, Position.OPEN, Position.SHUT)

    def stop_half_way(self, tile: TileId) -> None:
        wood = self._mechanism.tiles[tile]
        self._break(f"half-way:{tile}", lambda: wood.stick_at(None), tile)
        wood.stick_at(HALF_WAY_DEG)

    def lay_die_under(self, tile: TileId) -> None:
        """Lay a die on the ledge where the tile comes down. Raises `ValueError` if the tile lies there."""
        wood = self._mechanism.tiles[tile]
        if wood.position is Position.SHUT:
            raise ValueError(f"no die goes under {tile}: it lies on its ledge")
        self._break(f"die:{tile}", lambda: setattr(wood, "ledge_deg", TRAVEL_DEG), tile)
        wood.ledge_deg = ON_DIE_DEG

    def slow(self, tile: TileId) -> None:
        servo = self._mechanism.tiles[tile].servo
        self._break(f"slow:{tile}", lambda: setattr(servo, "slow", False), tile)
        servo.slow = True

    def hold_without_pulses(self, tile: TileId) -> None:
        servo = self._mechanism.tiles[tile].servo
        self._break(f"holds:{tile}", lambda: servo.be_digital(False), tile)
        servo.be_digital(True)

    def unplug(self, tile: TileId) -> None:
        servo = self._mechanism.tiles[tile].servo

        def plug_in() -> None:
            servo.unplugged = False
            self.command_all()

        self._break(f"unplugged:{tile}", plug_in, tile)
        servo.unplugged = True
        self.command_all()

    def turn_round(self, tile: TileId) -> None:
        servo = self._mechanism.tiles[tile].servo

        def turn() -> None:
            servo.reversed = not servo.reversed
            self.command_all()

        self._break(f"reversed:{tile}", turn, tile)
        turn()

    def swap_servos(self, tile: TileId) -> None:
        self._swap("swapped", tile, self._swapped_servos, self._plug_servos)

    # Sensors.

    def stick(self, tile: TileId) -> None:
        line = self._lines.shut[tile]
        self._hold(f"stuck:{tile}", tile, [line], line.level(self.catch_up()))

    def stick_shut(self, tile: TileId) -> None:
        self._hold(f"stuck-shut:{tile}", tile, [self._lines.shut[tile]], False)

    def stick_not_shut(self, tile: TileId) -> None:
        self._hold(f"stuck-open:{tile}", tile, [self._lines.shut[tile]], True)

    def contradict(self, tile: TileId) -> None:
        self._hold(f"contradiction:{tile}", tile, [self._lines.shut[tile], self._lines.open[tile]], False)

    def chatter(self, tile: TileId) -> None:
        line = self._lines.shut[tile]
        self._break(f"chatter:{tile}", lambda: setattr(line, "chatters", False), tile)
        line.chatters = True

    def swap_sensors(self, tile: TileId) -> None:
        self._swap("swapped-sensor", tile, self._swapped_sensors, lambda: self._lines.plug(self._swapped_sensors))

    # Electronics.

    def silence(self, address: int) -> None:
        self._break(f"silent:0x{address:02x}", lambda: self._silent.discard(address))
        self._silent.add(address)

    def move_chip(self, address: int) -> None:
        """Let the chip at `address` answer at the first free address that its kind can have."""
        self._break(f"moved:0x{address:02x}", lambda: self._moved.pop(address))
        taken = self._moved.values()
        free = (each for each in self.box.free_addresses(address) if each not in taken)
        self._moved[address] = next(free, address)

    def chip_answering(self, address: int) -> int | None:
        """Return the proper address of the chip that answers at `address`; None if the one that should has moved."""
        came = next((proper for proper, at in self._moved.items() if at == address), None)
        return came if came is not None or address in self._moved else address

    def forget(self, address: int, again_s: float | None = None) -> None:
        """Let the chip at `address` lose its registers now and (a loose wire) every `again_s` seconds."""

        def lose() -> None:
            if address in self._registers:
                self._registers[address].lose_registers()

        if again_s is not None:
            self._repeat(f"forgot:0x{address:02x}", again_s, lose)
        lose()

    def disturb(self, address: int, again_s: float) -> None:
        """Turn a bit over in the registers of the chip at `address` every `again_s` seconds."""
        chance = random.Random(f"astray/{address}")

        def flip() -> None:
            if address in self._registers:
                self.flip(address, *chance.choice(self._registers[address].bits))

        self._repeat(f"astray:0x{address:02x}", again_s, flip)

    def flip(self, address: int, register: int, bit: int) -> None:
        """Turn that bit over in the registers of the chip at `address`."""
        self._registers[address].flip(register, bit)

    def _repeat(self, name: str, again_s: float, act: Callable[[], None]) -> None:
        self._break(name, lambda: self._again.pop(name))
        self._again[name] = (self.catch_up() + again_s, again_s, act)

    def hang_bus(self, seconds: float = HANG_S) -> None:
        """Hold a line of the I2C bus down: every transfer takes this long and then times out."""
        self._hang("bus:hung", seconds)

    def stick_bus(self, clocks: int = 9) -> None:
        """Let a chip hold the data line in the middle of a byte, until it was given so many clocks (1..9)."""
        self._hang("bus:stuck", HANG_S)
        self._stuck_clocks = clocks

    @property
    def data_is_held(self) -> bool:
        """True while a chip holds the data line of the I2C bus low."""
        return self.bus_hang_s is not None and not self.clock_is_held

    @property
    def clock_is_held(self) -> bool:
        """True while a chip holds the clock of the I2C bus low."""
        return "clock:held" in self._faults

    def clock_bus(self) -> None:
        """Give the chips of the I2C bus one clock by hand."""
        self._stuck_clocks -= 1
        if self._stuck_clocks == 0 and "bus:stuck" in self._faults:
            self.lift("bus:stuck")

    def hold_clock(self) -> None:
        """Let a chip stretch the clock of the I2C bus forever: a transfer continues only when the fault is lifted."""
        self._hang("clock:held", math.inf)

    def break_transfers(self) -> None:
        """Loosen a wire of the I2C bus: now and then a transfer ends half done."""
        self._break("contact:loose", lambda: setattr(self, "bus_breaks", False))
        self.bus_breaks = True

    def occupy(self, wire: GpioPin) -> None:
        """Give this header line to another program: later claims are refused."""
        self._break(f"busy:{wire}", lambda: self._busy.discard(wire))
        self._busy.add(wire)

    def restrict_header(self, how: str) -> None:
        """Make the header `forbidden` to this user, or its lines `edgeless`: they do not report their changes."""
        self._break_anew("header", how, lambda: setattr(self, "_header_refusal", None))
        self._header_refusal = _FORBIDDEN if how == "forbidden" else _EDGELESS

    def check_line(self, wire: GpioPin, *, edges: bool = False) -> None:
        """Raise `OSError` if Linux refuses this line: EBUSY, EACCES, and EOPNOTSUPP if `edges` are requested.

        A line that was claimed before stays claimed.
        """
        refusal = _BUSY if wire in self._busy else self._header_refusal
        if refusal is not None and (edges or refusal != _EDGELESS):
            raise OSError(refusal, os.strerror(refusal))

    def hold_output_enable(self, level: str) -> None:
        """Short the /OE line `high`, so that no pulse ever passes, or `low`, so that all do."""

        def hold(high: bool | None) -> None:
            self._lines.hold(self.box.panel.output_enable, high)
            self.command_all()

        self._break_anew("oe", level, lambda: hold(None))
        hold(level == "high")

    def hold_interrupt(self, level: str) -> None:
        """Break the wire of the expanders' interrupt (`high`), or short it to ground (`low`)."""
        wire = self.box.panel.expander_interrupt
        if wire is None:
            raise ValueError(f"{self.box.name} has no line for the expanders' interrupt")
        self._break_anew("interrupt", level, lambda: self._lines.hold(wire, None))
        self._lines.hold(wire, level == "high")

    def short_supply(self) -> None:
        self._break("short:V+", lambda: setattr(self, "stray_a", 0.0))
        self.stray_a = _STRAY_A

    def sag(self) -> None:
        self._break("sag:supply", lambda: setattr(self, "throttled", 0))
        self.throttled = _UNDER_VOLTAGE

    def heat(self) -> None:
        self._break("hot:computer", lambda: setattr(self, "computer_c", _WARM_C))
        self.computer_c = _HOT_C

    def keep_lid_closed(self) -> None:
        self._break(LID_CLOSED, lambda: self._move_lid(closed=False))
        self._move_lid(closed=True)

    def _move_lid(self, *, closed: bool) -> None:
        now_s = self.catch_up()
        for wood in self._mechanism.tiles.values():
            if closed:
                wood.jams[LID_CLOSED] = frozenset({Position.OPEN})
            else:
                wood.jams.pop(LID_CLOSED, None)
        self._mechanism.wake(self.box.tile_ids)
        self._lines.lid_closed = closed
        self._lines.tell(self.box.panel.lid, now_s)

    def spoil_calibration(self, how: str) -> None:
        """Make the calibration file `missing`, `damaged` or `foreign` (of another box)."""
        self._break_anew("calibration", how, lambda: None)

    def break_camera(self, how: str) -> None:
        self._break_anew("camera", how, lambda: setattr(self, "camera_fault", None))
        self.camera_fault = how

    def _swap(self, name: str, tile: TileId, swapped: list[_Pair], plug: Callable[[], None]) -> None:
        pair = tile, self.box.tile_ids[self.box.tile_ids.index(tile) + 1]

        def put_back() -> None:
            swapped.remove(pair)
            plug()

        self._break(f"{name}:{tile}", put_back, tile)
        swapped.append(pair)
        plug()

    def _plug_servos(self) -> None:
        channels = {tile: wiring.servo for tile, wiring in self.box.tiles.items()}
        for one, other in self._swapped_servos:
            channels[one], channels[other] = channels[other], channels[one]
        for tile, channel in channels.items():
            if self._tile_on.get(channel) != tile:
                self._mechanism.command(tile, None)
            self._tile_on[channel] = tile
        self.command_all()

    def _jam(self, name: str, tile: TileId, *towards: Position) -> None:
        wood = self._mechanism.tiles[tile]

        def free() -> None:
            wood.jams.pop(name)
            self._mechanism.wake((tile,))

        self._break(name, free, tile)
        wood.jams[name] = frozenset(towards)

    def _hold(self, name: str, tile: TileId, lines: Sequence[SensorLine], level: bool) -> None:
        def let_go() -> None:
            for line in lines:
                line.held.pop(name)

        self._break(name, let_go, tile)
        for line in lines:
            line.held[name] = level

    def _break(self, name: str, undo: Undo, tile: TileId | None = None) -> None:
        with self._lock:
            self.catch_up()
            if name in self._faults:
                self._faults.pop(name)()
            self._faults[name] = undo
            if tile is not None:
                self._mechanism.wake((tile,))

    def _break_anew(self, kind: str, how: str, undo: Undo) -> None:
        """Apply a fault that excludes others of its kind: the earlier one ends."""
        for other in [held for held in self._faults if held.startswith(f"{kind}:")]:
            self._faults.pop(other)()
        self._break(f"{kind}:{how}", undo)

    def _hang(self, name: str, seconds: float) -> None:
        for other in [held for held in ("bus:hung", "bus:stuck", "clock:held") if held in self._faults]:
            self._faults.pop(other)()
        self._break(name, lambda: setattr(self, "bus_hang_s", None))
        self.bus_hang_s = seconds
