"""At every start one look: does the camera still hang where it was calibrated?"""

import asyncio
from pathlib import Path

from controller.output import say
from controller.table import Table
from hardware.box import Box
from hardware.calibration import CameraCalibration, load_calibration, read_calibration
from vision.calibrating.calibration import locate_calibrated
from vision.calibrating.health import camera_moved
from vision.errors import CameraFault


def real_calibration(folder: Path, box: Box) -> CameraCalibration | None:
    """What was measured of the camera of this box. Raises `CalibrationError`, for another box's too."""
    camera = load_calibration(folder, box.name).camera
    return camera if camera is not None and camera.simulated_seed is None else None


def simulated_calibration(folder: Path, box: Box, seed: int) -> CameraCalibration | None:
    """What was measured of the camera of the simulated box with this seed; any other calibration is not its own.

    Raises `CalibrationError` for a file that cannot be right.
    """
    calibration = read_calibration(folder)
    if calibration is None or calibration.box != box.name or calibration.camera is None:
        return None
    return calibration.camera if calibration.camera.simulated_seed == seed else None


async def tell_drift(table: Table, calibration: CameraCalibration | None) -> None:
    """Say it when the markers lie elsewhere in the picture than they did. What else is wrong, the game will say."""
    note = await drift_of(table, calibration) if calibration is not None else None
    if note is not None:
        say(note, "yellow")


async def drift_of(table: Table, calibration: CameraCalibration) -> str | None:
    """One look: a sentence about what has moved since the calibration, or None."""
    try:
        frame = await table.watcher.picture()
    except CameraFault:
        return None
    field = await asyncio.to_thread(locate_calibrated, frame.pixels, table.box.field, calibration)
    moved = camera_moved(field, calibration) if field is not None else None
    return moved.say if moved is not None else None
