"""The electronics of the real box, its bus and header lines, without the camera: parking needs no more."""

from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from pathlib import Path

from controller.runtime.home import Home
from controller.runtime.locks import lock
from controller.runtime.machine import require_pi
from controller.settings import Settings
from firmware.box_io import Firmware, open_firmware
from firmware.drivers.bus_worker import BusWorker
from firmware.pi.bus_lines import PinctrlLines
from firmware.pi.computer import PiComputer, open_i2c
from firmware.pi.pins import open_pin_factory
from hardware.box import Box

_BUS_DEVICE = Path("/dev/i2c-1")


async def switch_off(box: Box, settings: Settings, home: Home) -> None:
    """Switch every servo of the real box off, whatever state a daemon left behind.

    Raises `NoBox` off a Pi, `DaemonRuns` if another process has the bus, `BusFault` if a servo board does not answer;
    even then no pulse passes.
    """
    require_pi()
    async with open_real_firmware(box, settings, home) as firmware:
        if silent := await firmware.bank.release():
            raise silent


@asynccontextmanager
async def open_real_firmware(box: Box, settings: Settings, home: Home) -> AsyncIterator[Firmware]:
    """Open the electronics of the real box. Raises `DaemonRuns` if another process has them.

    All bus transfers run in one thread of their own: a transfer blocks, and two at once would mix.
    """
    with _lock_bus(), BusWorker() as worker:
        async with open_firmware(
            box,
            open_i2c=open_i2c,
            open_pins=lambda: open_pin_factory(settings.pins),
            executor=worker,
            computer=PiComputer(),
            guards=home.guard_sockets,
            open_lines=PinctrlLines,
        ) as firmware:
            yield firmware


def _lock_bus() -> AbstractContextManager[None]:
    """Lock the bus: homes differ from user to user, but there is only one bus, and two processes must not share it."""
    return lock(_BUS_DEVICE) if _BUS_DEVICE.exists() else nullcontext()
