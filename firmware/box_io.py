"""Opening and closing all electronics of a box, in order."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from firmware.computer import ComputerHealth
from firmware.drivers.bus import Bus, RetryingI2C
from firmware.drivers.bus_clear import OpenLines
from firmware.drivers.scan import BusScan
from firmware.guard.client import join_guard
from firmware.guard.in_process import InProcessGuard, ThreadAlarm
from firmware.guard.line import OutputEnableLine, PulseGuard
from firmware.input_line import edges_missing
from firmware.panel import Panel
from firmware.tiles.bank import TileBank
from firmware.tiles.sensors import Sensors
from firmware.tiles.servos import Servos
from firmware.wire import Computer, I2CBus, OpenAlarm, PinFactory
from hardware.box import Box

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Firmware:
    """The open electronics of one box."""

    box: Box
    bank: TileBank
    panel: Panel
    servos: Servos
    sensors: Sensors
    computer: ComputerHealth
    bus: Bus
    scan: BusScan

    @property
    def has_edges(self) -> bool:
        """True if the header lines report their changes; otherwise they are polled."""
        return self.sensors.has_edges and self.panel.has_edges


@asynccontextmanager
async def open_firmware(
    box: Box,
    *,
    open_i2c: Callable[[], I2CBus],
    open_pins: Callable[[], PinFactory],
    executor: Executor,
    computer: Computer,
    guards: Sequence[Path] = (),
    open_alarm: OpenAlarm = ThreadAlarm,
    open_lines: OpenLines | None = None,
) -> AsyncIterator[Firmware]:
    """Open the electronics of `box`. However the block ends, every servo is released and /OE is off after it.

    executor: has one worker and belongs to the caller.
    guards: places at which a guard process may listen. If none does, /OE is driven by this process, and an alarm from
    `open_alarm` cuts drives that last too long.
    open_lines: of a bus that can be cleared when a chip holds it.

    Chips are accessed only when needed, so the first look or move names a broken one. Raises the errors of the openers,
    `DeviceMissing` for header lines that another program holds, `GuardGone` for a guard that does not answer.
    """
    with ExitStack() as stack:
        pins = open_pins()
        stack.callback(pins.close)
        # /OE is claimed first and released last, because a board may still be pulsing from before.
        guard: PulseGuard | None = join_guard(guards)
        if guard is None:
            if guards:
                _log.warning("no guard process (shutbox guard): if this process hangs, nothing stops the pulses")
            guard = InProcessGuard(OutputEnableLine(box.panel.output_enable, pins), open_alarm)
        stack.callback(guard.close)
        i2c = RetryingI2C(open_i2c(), asyncio.get_running_loop().time)
        stack.callback(i2c.deinit)
        bus = Bus(
            executor,
            guard.cut,
            drives=lambda: servos.is_driving,
            transfer_begun=lambda: i2c.transfer_begun_s,
            open_lines=open_lines,
        )
        servos = Servos(box, bus, i2c, guard)
        sensors = Sensors(box, bus, i2c, pins)
        stack.callback(sensors.close)
        panel = Panel(box.panel, pins)
        stack.callback(panel.close)
        bank, scan = TileBank(box, servos, sensors), BusScan(bus, i2c)
        firmware = Firmware(box, bank, panel, servos, sensors, ComputerHealth(computer), bus, scan)
        if not firmware.has_edges:
            _log.warning("%s", edges_missing())
        try:
            yield firmware
        finally:
            await servos.stop_all()


@contextmanager
def open_panel(box: Box, open_pins: Callable[[], PinFactory]) -> Iterator[Panel]:
    """Open only button, lamp and lid, for work that moves nothing. Raises like `open_firmware`."""
    with ExitStack() as stack:
        pins = open_pins()
        stack.callback(pins.close)
        panel = Panel(box.panel, pins)
        stack.callback(panel.close)
        yield panel
