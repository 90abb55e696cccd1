"""Open the real box: its electronics and its camera; people throw the dice."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from controller.box.checks import log_camera_drift
from controller.box.dice import ClaimSet
from controller.box.real_firmware import open_real_firmware
from controller.box.table import Table, open_table
from controller.runtime.home import Home
from controller.settings import Settings
from hardware.box import Box
from hardware.calibration import CameraCalibration
from vision.capture.film import FileCamera
from vision.capture.frame import Camera
from vision.capture.turned import as_hung
from vision.pi.camera import PiCamera
from vision.pi.v4l2 import V4l2Camera

if TYPE_CHECKING:
    from vision.custom_dice.faces import DiceSet


@asynccontextmanager
async def open_real_table(
    box: Box,
    settings: Settings,
    home: Home,
    calibration: CameraCalibration | None = None,
    sets: "tuple[DiceSet, ...]" = (),
) -> AsyncIterator[Table]:
    """Open the box itself, its bus and pins with one worker thread, its camera with another."""
    box = with_calibrated_camera(box, calibration)
    clock: Callable[[], float] = asyncio.get_running_loop().time
    camera = choose_camera(settings, box, clock)
    claims = ClaimSet.taught(sets[0]) if sets else None
    async with (
        open_real_firmware(box, settings, home) as firmware,
        # People throw the dice, so a request to throw does nothing.
        open_table(box, firmware, camera, lambda _count: None, calibration, sets, claims) as table,
    ):
        await log_camera_drift(table, calibration)
        yield table


def with_calibrated_camera(box: Box, calibration: CameraCalibration | None) -> Box:
    """Return the box with the measured exposure, gain and white balance of its camera, if there are any."""
    if calibration is None:
        return box
    return box.model_copy(update={"camera": calibration.apply_to(box.camera)})


def choose_camera(settings: Settings, box: Box, clock: Callable[[], float]) -> Camera:
    """Choose the camera in the settings without opening it. clock: the event loop's `time`.

    `v4l2:` is a USB camera, `files:` a folder of pictures or a video, anything else the Pi's own camera.
    """
    kind, _, where = settings.camera.partition(":")
    camera: Camera
    match kind:
        case "v4l2":
            camera = V4l2Camera(where, box.camera, clock)
        case "files":
            camera = FileCamera(Path(where).expanduser(), clock)
        case _:
            camera = PiCamera(box.camera, clock)
    return as_hung(camera, box.camera)
