"""Checks at the start: is what was measured of this box there, is it this box's, and does the camera hang where it did?

What is wrong is a `Fault` that the self-test reports, but for a camera that has moved a little: the game can be played,
so that it is logged as a warning and no more.
"""

import asyncio
import logging
from pathlib import Path

from controller.box.table import Table
from firmware.selftest import SelftestReport
from hardware.box import Box
from hardware.calibration import CameraCalibration, load_calibration, read_calibration
from hardware.errors import CalibrationError, Fault
from vision.calibration import check_camera_place, locate_calibrated
from vision.errors import CameraFault

_log = logging.getLogger(__name__)

_PART = "calibration"


def calibration_missing(box: str) -> Fault:
    """The servos were never calibrated: their end points are the profile's."""
    cure = "Run `shutbox calibrate servos`; until then the tiles go where the profile says."
    return Fault("C-103", _PART, f"measured end points of the servos of {box}", "none", cure)


def calibration_wrong(error: CalibrationError) -> Fault:
    """The file of the calibration cannot be used, so that nobody knows how far a servo may be driven."""
    return Fault(error.code, _PART, "a calibration of this box", str(error), error.cure)


def untested_for(error: CalibrationError, box: Box) -> SelftestReport:
    """The report of a box that cannot be tested because its calibration is wrong."""
    return SelftestReport((calibration_wrong(error),), tuple(map(str, box.tile_ids)))


def is_unsafe(finding: Fault) -> bool:
    """Whether no tile may be driven because of it."""
    return finding.code == CalibrationError.code


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


async def log_camera_drift(table: Table, calibration: CameraCalibration | None) -> None:
    """Warn when the markers lie elsewhere in the picture than they did. What else is wrong, the game will say."""
    note = await find_camera_drift(table, calibration) if calibration is not None else None
    if note is not None:
        _log.warning("%s", note)


async def find_camera_drift(table: Table, calibration: CameraCalibration) -> str | None:
    """Take one picture: a sentence about how the camera has moved since the calibration, or None."""
    try:
        frame = await table.watcher.picture()
    except CameraFault:
        return None
    field = await asyncio.to_thread(locate_calibrated, frame.pixels, table.box.field, calibration)
    moved = check_camera_place(field, calibration) if field is not None else None
    return moved.say if moved is not None else None
