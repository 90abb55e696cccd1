"""All servos of a box: sends pulses within each tile's limits, and knows nothing of the tiles' positions."""

import asyncio
import logging
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from firmware.drivers.bus import Bus, ResetCounter
from firmware.drivers.servo_board import ServoBoard
from firmware.errors import BusFault, ChipSilent
from firmware.guard.line import PulseGuard
from firmware.tiles.supply_watch import SupplyWatch
from firmware.wire import I2CBus
from hardware.box import Box, mirrored_us
from hardware.wires import ServoChannel

_log = logging.getLogger(__name__)

# Minimum rest of a stalled servo before it gets pulses again. With LONGEST_DRIVE_S of stalling that is a quarter of the
# time, and it doubles from try to try. Not measured on a real servo yet.
COOLING_S = 0.3
# A board that was never calibrated may run at 23 MHz instead of 25, which makes its frame longer.
_LONGEST_FRAME = 1.1


@dataclass(frozen=True, slots=True)
class _Drive:
    """A running drive: its latest end on the guard's clock, and its slot in the frame."""

    until_s: float
    slot: int


class Servos:
    """The servo boards behind the guard of their /OE line.

    The guard passes no pulses while a board may still send some that could not be stopped over the bus.

    Lifetime: nothing is sent before `arm`; `stop_all` ends with every channel off and /OE off.
    Concurrency: one event loop; the jobs run in the bus worker.
    Raises: `BusFault`. If a board can no longer be driven or released, the guard has already cut all pulses; if the
    guard cut them by itself, `PulsesCut` or `GuardGone` until the next `arm`.
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
        self._reversed = {wiring.servo for wiring in box.tiles.values() if wiring.reversed}
        self._cut_s = box.motion.cut_s
        self._frame_s = _LONGEST_FRAME / box.motion.frequency_hz
        self._set_aside: set[int] = set()
        self._driven: dict[ServoChannel, _Drive] = {}
        self._set_up_anew: Counter[int] = Counter()  # by address
        self._stops = 0
        self.supply = SupplyWatch(box, bus, i2c, lambda: self._driven)

    @property
    def is_driving(self) -> bool:
        """True while a servo gets pulses that pass."""
        return bool(self._driven) and self._guard.enabled

    def set_aside(self, address: int) -> None:
        """Ignore a board that does not answer, so that the self-test can continue with the others."""
        self._set_aside.add(address)

    def take_back(self) -> None:
        self._set_aside.clear()

    async def ping(self, address: int) -> None:
        """Check that the board at `address` answers. Raises `BusFault`."""
        await self._bus.run(self._boards[address].ping)

    async def arm(self) -> None:
        """Write every channel of every board fully off, then let pulses pass."""
        if not self._guard.enabled:
            stops, now_s = self._stops, asyncio.get_running_loop().time()
            await self._bus.run(lambda: self._set_up_all(stops, now_s))

    async def drive(self, wire: ServoChannel, pulse_us: float) -> None:
        """Send pulses of `pulse_us`; first set up a board that lost its registers.

        A pulse beyond the limits of the tile (`Box.pulse_limits_us`) is never sent; the nearest allowed one is. Only
        here are the pulses of a reversed servo mirrored.
        """
        least_us, most_us = self._limits_us[wire]
        pulse_us = max(least_us, min(most_us, pulse_us))
        if wire in self._reversed:
            pulse_us = mirrored_us(pulse_us)
        now_s = asyncio.get_running_loop().time()
        await self._bus.run(lambda: self._drive(wire, pulse_us, now_s))

    async def pulse_for(self, wire: ServoChannel, pulse_us: float, seconds: float) -> None:
        """Send pulses of `pulse_us` for `seconds`, and none afterwards, even if cancelled."""
        try:
            await self.drive(wire, pulse_us)
            await asyncio.sleep(seconds)
        finally:
            await self.release(wire)

    async def pulse_while_cut(self, wire: ServoChannel, pulse_us: float, seconds: float) -> None:
        """Send pulses that /OE must block; it stays off until the next `arm`. Call after `arm`."""
        self._guard.cut()
        await self.pulse_for(wire, pulse_us, seconds)

    async def release(self, wire: ServoChannel) -> None:
        """End the pulses with their frame, then switch off; a cancellation waits until the board has received it."""
        now_s = asyncio.get_running_loop().time()
        try:
            if await self._bus.run_to_end(lambda: self._end_pulses(wire)):
                await asyncio.sleep(self._frame_s)
        finally:
            await self._bus.run_to_end(lambda: self._release(wire, now_s))

    async def ensure_set_up(self, wire: ServoChannel) -> bool:
        """Set the board of `wire` up again if any of its registers has changed; return True if none had."""
        now_s = asyncio.get_running_loop().time()
        return await self._bus.run(lambda: self._ensure_set_up(self._boards[wire.board], now_s, every=True))

    async def check(self) -> None:
        """Set each board up again of which any register has changed. A silent one is left to the move that needs it."""
        now_s = asyncio.get_running_loop().time()
        if any(board.is_set_up for board in self._boards.values()):
            await self._bus.run(lambda: self._check_all(now_s))

    def count_set_ups(self, wire: ServoChannel) -> int:
        """Return how often the board of `wire` was set up again after losing its registers."""
        return self._set_up_anew[wire.board]

    async def silence(self) -> None:
        """Stop servos that could not be stopped when the bus failed; until then only /OE blocks their pulses."""
        if self._driven and not self._guard.enabled:
            now_s = asyncio.get_running_loop().time()
            await self._bus.run_to_end(lambda: self._release_driven(now_s))

    async def stop_all(self) -> BusFault | None:
        """Switch /OE off at once, then every channel. Return the fault that kept a board from receiving it, if any."""
        self._stops += 1
        self._guard.cut()
        try:
            fault = await self._bus.run_to_end(self._release_all)
        except BusFault as hung:
            fault = hung
        if fault is not None:
            _log.warning("pulses cut, but a servo board did not receive the stop command fault=%s", fault)
        return fault

    def _set_up_all(self, stops: int, now_s: float) -> None:
        self._bus.begin_anew()
        for address, board in self._boards.items():
            if address not in self._set_aside:
                self._set_up_one(board)
        # A board that is set aside may still send its last pulses.
        self._release_driven(now_s)
        # After a `stop_all` in the meantime no pulse may pass.
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
        self._ensure_set_up(board, now_s, every=False)
        # A job that was given up and comes back later drives nothing, because nobody watches it any more.
        self._bus.check()
        taken = {other: running.slot for other, running in self._driven.items()}
        new = _Drive(self._guard.now() + self._cut_s, free_slot(taken, board.address, board.slots))
        drive = self._driven.setdefault(wire, new)
        self._tell_drives()
        board.drive(wire.channel, pulse_us, drive.slot)

    def _end_pulses(self, wire: ServoChannel) -> bool:
        """End the pulses with their frame. Return False if the board has not kept that."""
        if not self._boards[wire.board].end_pulses(wire.channel):
            return False
        self._note_off(wire)
        return True

    def _release(self, wire: ServoChannel, now_s: float) -> None:
        board = self._boards[wire.board]
        if not board.release(wire.channel):
            self._set_up_again(board, now_s)
        self._note_off(wire)

    def _note_off(self, wire: ServoChannel) -> None:
        if self._driven.pop(wire, None):
            self._tell_drives()

    def _release_driven(self, now_s: float) -> None:
        for wire in sorted(self._driven):
            self._release(wire, now_s)

    def _tell_drives(self) -> None:
        self._guard.allow_until(min((drive.until_s for drive in self._driven.values()), default=math.inf))

    def _ensure_set_up(self, board: ServoBoard, now_s: float, *, every: bool) -> bool:
        # Pulses stopped by the guard are not the tile's fault, and driving must not continue without a look.
        self._guard.check()
        self._bus.check()
        if board.is_intact(every=every):
            return True
        self._set_up_again(board, now_s)
        return False

    def _check_all(self, now_s: float) -> None:
        for address, board in self._boards.items():
            if address in self._set_aside or not board.is_set_up:
                continue
            try:
                is_intact = board.is_intact(every=True)
            except ChipSilent:
                continue
            if not is_intact:
                self._set_up_again(board, now_s)

    def _set_up_again(self, board: ServoBoard, now_s: float) -> None:
        self._resets.count(board.address, now_s)
        self._set_up_anew[board.address] += 1
        passed = self._guard.enabled
        self._guard.cut()
        self._set_up_one(board)
        if passed:
            self._enable()

    def _enable(self) -> None:
        """Let pulses pass, unless this job was given up, in which case they have been cut."""
        self._guard.enable()
        try:
            self._bus.check()
        except BusFault:
            self._guard.cut()
            raise

    def _release_all(self) -> BusFault | None:
        # A job that was still running during the cut of `stop_all` may have let pulses pass again.
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
    """Return the slot of the frame, 0..slots - 1, with the fewest servos of this board, then of all boards.

    So, with at most as many driven servos as slots, a cut of /OE falls into the pulse of at most one servo per board.
    """
    used = [(wire.board == board, slot) for wire, slot in taken.items()]
    return min(range(slots), key=lambda slot: (used.count((True, slot)), used.count((False, slot))))
