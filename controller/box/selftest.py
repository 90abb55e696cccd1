"""The self-test of an open table: what was measured of it, its electronics, then the camera and the markers.

Nothing is printed here; `tell_step` is called with every step in words and the part of the test that is done, 0 to 1.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace

from controller.box.calibration_checks import is_unsafe, untested_report
from controller.box.table import Table
from firmware.selftest import SelftestReport, TellStep, examine_firmware
from hardware.box import Box
from hardware.errors import BoxFault, CalibrationError, Fault

_ELECTRONICS = 0.9  # part of the whole test: the rest, camera and markers, moves nothing


async def run_selftest(
    open_table: Callable[[], AbstractAsyncContextManager[Table]],
    box: Box,
    tell_step: TellStep,
    checks: Sequence[Fault] = (),
) -> SelftestReport:
    """Open the table and test all of it; `checks` are findings about disk, clock and journal, and are reported first.

    A box that cannot even be opened, or whose calibration is wrong, is the only finding, and no tile of it is tested.
    """
    try:
        async with open_table() as table:
            report = await examine(table, tell_step)
    except CalibrationError as error:
        return untested_report(error, box)
    except BoxFault as fault:
        return SelftestReport((fault.fault,), tuple(map(str, box.tile_ids)))
    return replace(report, findings=(*checks, *report.findings))


async def examine(table: Table, tell_step: TellStep) -> SelftestReport:
    """Test all of a table that is open: calibration, electronics, camera and markers."""
    electronics = await _test_electronics(table, tell_step)
    camera = await table.watcher.health()
    tell_step("camera and markers looked at", 1.0)
    return replace(electronics, findings=(*table.checks, *electronics.findings, *camera))


async def _test_electronics(table: Table, tell_step: TellStep) -> SelftestReport:
    """Test the metal, unless nobody knows how far its servos may be driven."""
    if any(map(is_unsafe, table.checks)):
        return SelftestReport((), tuple(map(str, table.box.tile_ids)))
    return await examine_firmware(table.firmware, lambda line, done: tell_step(line, _ELECTRONICS * done))
