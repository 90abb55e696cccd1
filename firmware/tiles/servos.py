"""All servos of a box: which pulses are sent when, within each tile's limits; nothing known of where the tiles are."""

import asyncio
import logging
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from firmware.drivers import PATIENCE_S, Bus, ResetCounter, ServoBoard, chip_name
from firmware.errors import BusFault
from firmware.guard import PulseGuard
from firmware.wire import I2CBus
from hardware.box import Box
from hardware.wires import ServoChannel

log = logging.getLogger(__name__)

# A servo that has stalled rests so long, at least, before it gets pulses again. Beside LONGEST_DRIVE_S of stalling that
# is a quarter of the time, and it doubles from try to try. Not measured on a real servo yet.
COOLING_S = 0.3


@dataclass(frozen=True, slots=True)
class _Drive:
    """A drive under way: until when it may last on the guard's clock, and its slot in the frame."""

    until_s: float
    slot: int


class Servos:
    """The servo boards behind the guard of their /OE line, which passes no pulses while one of them may send some that
    it could not be told to stop.

    Lifetime: nothing is sent before `arm`; `stop_all` ends with every channel off and /OE off.
    Concurrency: one event loop; the jobs run in the bus worker.
    Raises: `BusFault`. When a board cannot be driven or let go any more, the guard has cut all pulses by then; when
    the guard cut them by itself, `PulsesCut` or `GuardGone` until they are armed again.
    """

    def __init__(self, box: Box, bus: Bus, i2c: I2CBus, guard: PulseGuard) -> None:
        self._bus = bus
        self._guard = guard
        self._resets = ResetCounter()
        self._boards = {
            address: ServoBoard(i2c, address, box.motion.frequency_hz, box.clock_factor(address))
            for address in box.servo_boards
        }
        self._limits_us = {wiring.servo: box.pulse_limits_us(tile) for tile, wiring in box.tiles.items()}
        self._cut_s = box.motion.cut_s
        self._set_aside: set[int] = set()
        self._driven: dict[ServoChannel, _Drive] = {}
        self._set_up_anew: Counter[int] = Counter()  # by address
        self._stops = 0

    def set_aside(self, address: int) -> None:
        """Do without a board that does not answer: the self-test goes on with the others."""
        self._set_aside.add(address)

    def take_back(self) -> None:
        """Do without no board any more."""
        self._set_aside.clear()

    async def ping(self, address: int) -> None:
        """Ask the board at `address` for anything at all. Raises `BusFault`."""
        await self._bus.run(self._boards[address].ping)

    async def arm(self) -> None:
        """Write every channel of every board fully off, then let pulses pass."""
        if not self._guard.enabled:
            stops = self._stops
            await self._bus.run(lambda: self._set_up_all(stops), patience_s=PATIENCE_S * len(self._boards))

    async def drive(self, wire: ServoChannel, pulse_us: float) -> None:
        """Send pulses of `pulse_us`; a board that lost its registers is set up again first.

        A pulse beyond the limits of the tile's end points (`Box.pulse_limits_us`) is never sent: the nearest is.
        """
        least_us, most_us = self._limits_us[wire]
        pulse_us = max(least_us, min(most_us, pulse_us))
        now_s = asyncio.get_running_loop().time()
        await self._bus.run(lambda: self._drive(wire, pulse_us, now_s))

    async def pulse_for(self, wire: ServoChannel, pulse_us: float, seconds: float) -> None:
        """Send pulses of `pulse_us` for so long, and none after it, cancelled or not."""
        try:
            await self.drive(wire, pulse_us)
            await asyncio.sleep(seconds)
        finally:
            await self.release(wire)

    async def pulse_while_cut(self, wire: ServoChannel, pulse_us: float, seconds: float) -> None:
        """Send pulses that /OE must keep from the servo; it is off afterwards, until `arm`. Call after `arm`."""
        self._guard.cut()
        await self.pulse_for(wire, pulse_us, seconds)

    async def release(self, wire: ServoChannel) -> None:
        """Send no more pulses; who is cancelled meanwhile goes on only when the board has heard it."""
        await self._bus.run_to_end(lambda: self._release(wire))

    async def ensure_set_up(self, wire: ServoChannel) -> bool:
        """Set the board of `wire` up again if it lost its registers; True if it still had them."""
        now_s = asyncio.get_running_loop().time()
        return await self._bus.run(lambda: self._ensure_set_up(self._boards[wire.board], now_s))

    def count_set_ups(self, wire: ServoChannel) -> int:
        """How often the board of `wire` was set up anew because it had lost its registers."""
        return self._set_up_anew[wire.board]

    async def silence(self) -> None:
        """Tell servos to stop that could not be told when the bus failed: until then /OE alone keeps them still."""
        if self._driven and not self._guard.enabled:
            await self._bus.run_to_end(self._release_driven)

    async def stop_all(self) -> BusFault | None:
        """No pulses: /OE off at once, then every channel off. Returns what kept a board from hearing it."""
        self._stops += 1
        self._guard.cut()
        try:
            fault = await self._bus.run_to_end(self._release_all, patience_s=PATIENCE_S * len(self._boards))
        except BusFault as hung:
            fault = hung
        if fault is not None:
            log.warning("all pulses are cut, but not every servo board has heard it: %s", fault)
        return fault

    def _set_up_all(self, stops: int) -> None:
        for address, board in self._boards.items():
            if address not in self._set_aside:
                self._set_up_one(board)
        # A board that is set aside may still send what it was told last.
        self._release_driven()
        # Whoever has stopped all servos meanwhile wants no pulse to pass.
        if stops == self._stops:
            self._enable()

    def _set_up_one(self, board: ServoBoard) -> None:
        board.set_up()
        self._note_all_off(board)

    def _note_all_off(self, board: ServoBoard) -> None:
        self._driven = {wire: drive for wire, drive in self._driven.items() if wire.board != board.address}
        self._tell_drives()

    def _drive(self, wire: ServoChannel, pulse_us: float, now_s: float) -> None:
        board = self._boards[wire.board]
        self._ensure_set_up(board, now_s)
        # A job that was given up, and comes back when nobody watches any more, drives nothing.
        self._bus.check()
        drive = self._driven.setdefault(wire, self._new_drive(board))
        self._tell_drives()
        board.drive(wire.channel, pulse_us, drive.slot)

    def _new_drive(self, board: ServoBoard) -> _Drive:
        taken = {wire: drive.slot for wire, drive in self._driven.items()}
        return _Drive(self._guard.now() + self._cut_s, free_slot(taken, board.address, board.slots))

    def _release(self, wire: ServoChannel) -> None:
        self._boards[wire.board].release(wire.channel)
        self._driven.pop(wire, None)
        self._tell_drives()

    def _release_driven(self) -> None:
        for wire in sorted(self._driven):
            self._release(wire)

    def _tell_drives(self) -> None:
        self._guard.allow_until(min((drive.until_s for drive in self._driven.values()), default=math.inf))

    def _ensure_set_up(self, board: ServoBoard, now_s: float) -> bool:
        # Pulses that somebody else stopped are not the tile's fault, and nothing is driven on without a look.
        self._guard.check()
        if board.is_intact():
            return True
        log.warning("servo board %s lost its registers and is set up again", chip_name(board.address))
        self._resets.count(board.address, now_s)
        self._set_up_anew[board.address] += 1
        self._set_up_again(board)
        return False

    def _set_up_again(self, board: ServoBoard) -> None:
        passed = self._guard.enabled
        self._guard.cut()
        self._set_up_one(board)
        if passed:
            self._enable()

    def _enable(self) -> None:
        """Let pulses pass, unless this job was given up: who gave it up has cut them."""
        self._guard.enable()
        try:
            self._bus.check()
        except BusFault:
            self._guard.cut()
            raise

    def _release_all(self) -> BusFault | None:
        # A job that was still running when `stop_all` cut may have let pulses pass again.
        self._guard.cut()
        found: BusFault | None = None
        for board in self._boards.values():
            try:
                board.release_all()
                self._note_all_off(board)
            except BusFault as fault:
                found = found or fault
        return found


def free_slot(taken: Mapping[ServoChannel, int], board: int, slots: int) -> int:
    """The slot of the frame, 0..slots - 1, that the fewest servos of this board take, and of all boards then.

    A cut of /OE then falls into the pulse of one servo of a board at most, up to as many as there are slots.
    """
    used = [(wire.board == board, slot) for wire, slot in taken.items()]
    return min(range(slots), key=lambda slot: (used.count((True, slot)), used.count((False, slot))))
