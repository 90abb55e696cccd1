"""Opening and closing the whole of a box's electronics, in order."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from firmware.computer import ComputerHealth
from firmware.drivers import Bus, RepeatingI2C
from firmware.guard import InProcessGuard, OutputEnableLine, PulseGuard, ThreadAlarm, join_guard
from firmware.header import edges_missing
from firmware.panel import Panel
from firmware.tiles import Sensors, Servos, TileBank
from firmware.wire import Computer, I2CBus, OpenAlarm, PinFactory
from hardware.box import Box

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Firmware:
    """The open electronics of one box."""

    box: Box
    bank: TileBank
    panel: Panel
    servos: Servos
    sensors: Sensors
    computer: ComputerHealth

    @property
    def has_edges(self) -> bool:
        """True if the lines of the header tell of their changes; else they are asked."""
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
) -> AsyncIterator[Firmware]:
    """Open the electronics of `box`; whatever ends the block, every servo is let go and /OE is off after it.

    `executor` has one worker and belongs to the caller. `guards` is where a guard in a process of its own may listen;
    where none does, /OE is driven from here, and an alarm of `open_alarm` cuts what is driven for too long. Chips are
    asked only when they are needed, so a broken one is named by the first look or move. Raises what the openers raise,
    `DeviceMissing` for lines of the header that something else holds, `GuardGone` for a guard that does not answer.
    """
    with ExitStack() as stack:
        pins = open_pins()
        stack.callback(pins.close)
        # /OE first and last: a board may still be pulsing from before.
        guard = join_guard(guards) or _open_own_guard(box, pins, open_alarm, alone=bool(guards))
        stack.callback(guard.close)
        i2c = RepeatingI2C(open_i2c(), asyncio.get_running_loop().time)
        stack.callback(i2c.deinit)
        bus = Bus(executor, guard.cut)
        servos = Servos(box, bus, i2c, guard)
        sensors = Sensors(box, bus, i2c, pins)
        stack.callback(sensors.close)
        panel = Panel(box.panel, pins)
        stack.callback(panel.close)
        firmware = Firmware(box, TileBank(box, servos, sensors), panel, servos, sensors, ComputerHealth(computer))
        if not firmware.has_edges:
            log.warning("%s", edges_missing())
        try:
            yield firmware
        finally:
            await servos.stop_all()


@contextmanager
def open_panel(box: Box, open_pins: Callable[[], PinFactory]) -> Iterator[Panel]:
    """Open button, lamp and lid alone, for work that moves nothing. Raises as `open_firmware`."""
    with ExitStack() as stack:
        pins = open_pins()
        stack.callback(pins.close)
        panel = Panel(box.panel, pins)
        stack.callback(panel.close)
        yield panel


def _open_own_guard(box: Box, pins: PinFactory, open_alarm: OpenAlarm, *, alone: bool) -> PulseGuard:
    if alone:
        log.warning("no guard runs (shutbox guard): nothing stops the servos' pulses should this process hang")
    return InProcessGuard(OutputEnableLine(box.panel.output_enable, pins), open_alarm)
