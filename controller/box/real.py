"""The real box, opened: its bus and header lines, its camera, and people who throw the dice."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from pathlib import Path

from controller.box.calibration_checks import log_camera_drift
from controller.box.table import Table, open_table
from controller.process import lock, require_pi
from controller.settings import Home, Settings
from firmware.box_io import Firmware, open_firmware
from firmware.drivers import BusWorker
from firmware.pi import PiComputer, open_i2c, open_pin_factory
from hardware.box import Box
from hardware.calibration import CameraCalibration
from vision.capture import Camera, FileCamera
from vision.pi import V4l2Camera, open_camera
from vision.taught import TaughtSet

_BUS_DEVICE = Path("/dev/i2c-1")


@asynccontextmanager
async def open_real_table(
    box: Box,
    settings: Settings,
    home: Home,
    calibration: CameraCalibration | None = None,
    sets: tuple[TaughtSet, ...] = (),
) -> AsyncIterator[Table]:
    """Open the box itself: its bus and pins with one worker, its camera with another; people throw the dice."""
    if calibration is not None:
        box = box.model_copy(update={"camera": calibration.apply_to(box.camera)})
    clock: Callable[[], float] = asyncio.get_running_loop().time
    async with (
        open_real_firmware(box, settings, home) as firmware,
        open_table(box, firmware, choose_camera(settings, box, clock), _people_throw, calibration, sets) as table,
    ):
        await log_camera_drift(table, calibration)
        yield table


def choose_camera(settings: Settings, box: Box, clock: Callable[[], float]) -> Camera:
    """Choose the camera that the settings name; it is not opened yet. `clock` is the event loop's `time`.

    `v4l2:` is a USB camera, `files:` a folder of pictures or a video, anything else the Pi's own camera.
    """
    kind, _, where = settings.camera.partition(":")
    match kind:
        case "v4l2":
            return V4l2Camera(where, box.camera, clock)
        case "files":
            return FileCamera(Path(where).expanduser(), clock)
    return open_camera(box.camera, clock)


async def switch_off(box: Box, settings: Settings, home: Home) -> None:
    """Switch every servo of the real box off, whatever a daemon left behind.

    Raises `NoBox` off a Pi, `DaemonRuns` if another process has the bus, `BusFault` if a servo board has not heard it;
    no pulse passes all the same.
    """
    require_pi()
    async with open_real_firmware(box, settings, home) as firmware:
        if silent := await firmware.bank.release():
            raise silent


@asynccontextmanager
async def open_real_firmware(box: Box, settings: Settings, home: Home) -> AsyncIterator[Firmware]:
    """Open the electronics of the real box. Raises `DaemonRuns` if another process has them.

    One thread of their own does all that is sent over the bus: a transfer blocks, and two at once would mix.
    """
    with _lock_bus(), BusWorker() as worker:
        async with open_firmware(
            box,
            open_i2c=open_i2c,
            open_pins=lambda: open_pin_factory(settings.pins),
            executor=worker,
            computer=PiComputer(),
            guards=home.guard_sockets,
        ) as firmware:
            yield firmware


def _lock_bus() -> AbstractContextManager[None]:
    """Lock the bus: homes differ from user to user, but the bus is one, and two processes must not share it."""
    return lock(_BUS_DEVICE) if _BUS_DEVICE.exists() else nullcontext()


def _people_throw(_count: int) -> None:
    """Do nothing: people throw the dice, and hear of it elsewhere."""
