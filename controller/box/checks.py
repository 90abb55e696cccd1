"""Check a box: its calibration at the start, all of it in the self-test, and the health of this computer.

A problem with the calibration is a `Fault` that the self-test reports. A camera that has moved a little is only logged
as a warning, because the game can still be played. Nothing is printed here; `tell_step` is called with every step of
the self-test in words and the fraction done, 0 to 1.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import TYPE_CHECKING

from controller.box.stored_calibration import NOT_CALIBRATED
from controller.box.table import Table
from firmware.computer import ComputerHealth
from firmware.selftest.findings import SelftestReport
from firmware.selftest.selftest import ReportStep, examine_firmware
from hardware.box import Box
from hardware.calibration import CameraCalibration
from hardware.errors import BoxFault, Fault
from hardware.phrase import phrase
from vision.capture.frame import Pixels
from vision.errors import CameraFault

if TYPE_CHECKING:
    from vision.reading import Reading

_log = logging.getLogger(__name__)


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
    from vision.calibration.measure import check_camera_place, locate_calibrated

    field = locate_calibrated(pixels, box.field, calibration)
    return check_camera_place(field, calibration) if field is not None else None


_ELECTRONICS = 0.9  # fraction of the whole test; the rest, camera and markers, moves nothing


async def run_selftest(
    open_table: Callable[[], AbstractAsyncContextManager[Table]],
    box: Box,
    tell_step: ReportStep,
    checks: Sequence[Fault] = (),
) -> SelftestReport:
    """Open the table and test all of it. checks: findings about disk, clock and journal, reported first.

    If the box cannot even be opened, that is the only finding and no tile is tested.
    """
    try:
        async with open_table() as table:
            report = await examine(table, tell_step)
    except BoxFault as error:
        return SelftestReport((error.fault,), tuple(map(str, box.tile_ids)))
    return replace(report, findings=(*checks, *report.findings))


async def examine(table: Table, tell_step: ReportStep) -> SelftestReport:
    """Test all of an open table: calibration, electronics, camera and markers."""
    if any(each.code != NOT_CALIBRATED for each in table.checks):
        # The limits of the servos are unknown, so no tile may be driven.
        electronics = SelftestReport((), tuple(map(str, table.box.tile_ids)))
    else:
        electronics = await examine_firmware(table.firmware, lambda line, done: tell_step(line, _ELECTRONICS * done))
    camera = await table.watcher.health()
    tell_step(phrase("camera and markers looked at"), 1.0)
    return replace(electronics, findings=(*table.unusable, *table.checks, *electronics.findings, *camera))


def own_computer() -> ComputerHealth:
    """Return this computer's health; a computer other than a Raspberry Pi reports only part of it."""
    # Imported here because a daemon of a simulated box never needs the header and the bus that come with it.
    from firmware.pi.computer import PiComputer

    return ComputerHealth(PiComputer())


def leaves_pulses_on() -> bool:
    """Return True if this computer leaves the /OE line unchanged when the program that drives it dies."""
    from firmware.pi.computer import outputs_stay

    return outputs_stay() is True
