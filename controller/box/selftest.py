"""The self-test of an open table: its calibration, its electronics, then the camera and the markers.

Nothing is printed here; `tell_step` is called with every step in words and the fraction done, 0 to 1.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace

from controller.box.calibration_checks import is_unsafe, untested_report
from controller.box.table import Table
from firmware.selftest.findings import SelftestReport
from firmware.selftest.selftest import ReportStep, examine_firmware
from hardware.box import Box
from hardware.errors import BoxFault, CalibrationError, Fault

_ELECTRONICS = 0.9  # fraction of the whole test; the rest, camera and markers, moves nothing


async def run_selftest(
    open_table: Callable[[], AbstractAsyncContextManager[Table]],
    box: Box,
    tell_step: ReportStep,
    checks: Sequence[Fault] = (),
) -> SelftestReport:
    """Open the table and test all of it. checks: findings about disk, clock and journal, reported first.

    If the box cannot even be opened, or its calibration is wrong, that is the only finding and no tile is tested.
    """
    try:
        async with open_table() as table:
            report = await examine(table, tell_step)
    except CalibrationError as error:
        return untested_report(error, box)
    except BoxFault as fault:
        return SelftestReport((fault.fault,), tuple(map(str, box.tile_ids)))
    return replace(report, findings=(*checks, *report.findings))


async def examine(table: Table, tell_step: ReportStep) -> SelftestReport:
    """Test all of an open table: calibration, electronics, camera and markers."""
    if any(map(is_unsafe, table.checks)):
        # The limits of the servos are unknown, so no tile may be driven.
        electronics = SelftestReport((), tuple(map(str, table.box.tile_ids)))
    else:
        electronics = await examine_firmware(table.firmware, lambda line, done: tell_step(line, _ELECTRONICS * done))
    camera = await table.watcher.health()
    tell_step("camera and markers looked at", 1.0)
    return replace(electronics, findings=(*table.checks, *electronics.findings, *camera))
