"""Checks of the calibration at the start: is it there, is it this box's, does the camera hang where it did?

What is wrong is a `Fault` that the self-test reports. A camera that has moved a little is only logged as a warning,
because the game can be played all the same.
"""

import asyncio
import logging
from typing import TYPE_CHECKING

import vision.calibration
from controller.box.table import Table
from firmware.selftest import SelftestReport
from hardware.box import Box
from hardware.calibration import CameraCalibration
from hardware.errors import CalibrationError, Fault
from vision.capture import Pixels
from vision.errors import CameraFault

if TYPE_CHECKING:
    from vision.field import Field

_log = logging.getLogger(__name__)

_PART = "calibration"


def calibration_missing(box: str) -> Fault:
    """The finding that the servos were never calibrated, so that their end points are the profile's."""
    cure = "Run `shutbox calibrate servos`; until then the tiles go where the profile says."
    return Fault("C-103", _PART, f"measured end points of the servos of {box}", "none", cure)


def calibration_wrong(error: CalibrationError) -> Fault:
    """The finding that a calibration cannot be used, so that nobody knows how far a servo may be driven."""
    return Fault(error.code, _PART, "a calibration of this box", str(error), error.cure)


def untested_report(error: CalibrationError, box: Box) -> SelftestReport:
    """The report of a box that cannot be tested because its calibration is wrong."""
    return SelftestReport((calibration_wrong(error),), tuple(map(str, box.tile_ids)))


def is_unsafe(finding: Fault) -> bool:
    """True if no tile may be driven because of this finding."""
    return finding.code == CalibrationError.code


async def log_camera_drift(table: Table, calibration: CameraCalibration | None) -> None:
    """Log a warning if the markers lie elsewhere in the picture than they did.

    Whatever else is wrong with the camera, the game will say.
    """
    note = await find_camera_drift(table, calibration) if calibration is not None else None
    if note is not None:
        _log.warning("%s", note)


async def find_camera_drift(table: Table, calibration: CameraCalibration) -> str | None:
    """Take one picture; a sentence about how the camera has moved since the calibration, or None if it has not."""
    try:
        frame = await table.watcher.picture()
    except CameraFault:
        return None
    # Away from the event loop, which keeps tiles and guard going meanwhile.
    field = await asyncio.to_thread(_locate, frame.pixels, table.box, calibration)
    moved = vision.calibration.check_camera_place(field, calibration) if field is not None else None
    return moved.say if moved is not None else None


def _locate(pixels: Pixels, box: Box, calibration: CameraCalibration) -> "Field | None":
    # Named here and not by who asks, for it is loaded here too.
    return vision.calibration.locate_calibrated(pixels, box.field, calibration)
