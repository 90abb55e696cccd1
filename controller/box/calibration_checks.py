"""Check a box: its calibration at the start, all of it in the self-test, and the health of this computer.

A problem with the calibration is a `Fault` that the self-test reports. A camera that has moved a little is only logged
as a warning, because the game can still be played. Nothing is printed here; `tell_step` is called with every step of
the self-test in words and the fraction done, 0 to 1.
"""

import asyncio
import logging
from typing import TYPE_CHECKING

from controller.box.table import Table
from firmware.selftest.findings import SelftestReport
from hardware.box import Box
from hardware.calibration import CameraCalibration
from hardware.errors import CalibrationError, Fault
from vision.capture.frame import Pixels
from vision.errors import CameraFault

if TYPE_CHECKING:
    from vision.reading import Reading

_log = logging.getLogger(__name__)

_PART = "calibration"


def calibration_missing(box: str) -> Fault:
    """Return the finding that the servos were never calibrated, so that their end points come from the profile."""
    cure = "Run `shutbox calibrate servos`; until then the tiles go where the profile says."
    return Fault("C-103", _PART, f"measured end points of the servos of {box}", "none", cure)


def calibration_wrong(error: CalibrationError) -> Fault:
    """Return the finding that a calibration cannot be used, so that the limits of the servos are unknown."""
    return Fault(error.code, _PART, "a calibration of this box", str(error), error.cure)


def untested_report(error: CalibrationError, box: Box) -> SelftestReport:
    """Return the report of a box that cannot be tested because its calibration is wrong."""
    return SelftestReport((calibration_wrong(error),), tuple(map(str, box.tile_ids)))


def is_unsafe(finding: Fault) -> bool:
    """Return True if this finding forbids driving any tile."""
    return finding.code == CalibrationError.code


async def log_camera_drift(table: Table, calibration: CameraCalibration | None) -> None:
    """Log a warning if the markers have moved in the picture. The game reports every other problem of the camera."""
    note = await find_camera_drift(table, calibration) if calibration is not None else None
    if note is not None:
        _log.warning("camera has moved since its calibration box=%s note=%s", table.box.name, note)


async def find_camera_drift(table: Table, calibration: CameraCalibration) -> str | None:
    """Take one picture; return a sentence if the camera has moved since its calibration, None otherwise."""
    try:
        frame = await table.watcher.picture()
    except CameraFault:
        return None
    # In a thread, so that the event loop keeps tiles and guard going meanwhile.
    moved = await asyncio.to_thread(_find_drift, frame.pixels, table.box, calibration)
    return moved.say if moved is not None else None


def _find_drift(pixels: Pixels, box: Box, calibration: CameraCalibration) -> "Reading | None":
    # Imported here, in the thread, because loading it takes a while too.
    from vision.calibration.calibration_check import check_camera_place
    from vision.calibration.measure import locate_calibrated

    field = locate_calibrated(pixels, box.field, calibration)
    return check_camera_place(field, calibration) if field is not None else None
