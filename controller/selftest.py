"""`shutbox selftest`: the electronics, then the camera and the markers, told in words or as one JSON object."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from rich.progress import Progress as Bars

from controller.output import Exit, answers, fault_json, print_json, say, words
from controller.papers import is_unsafe
from controller.selftest_report import page
from controller.table import Table
from controller.wear import WearFile
from firmware.findings import SelftestReport
from firmware.selftest import Progress, selftest
from hardware.box import Box
from hardware.errors import BoxFault

_ELECTRONICS = 0.9  # part of the whole test


async def test_table(opening: AbstractAsyncContextManager[Table], box: Box) -> SelftestReport:
    """Open the table and test all of it; a box that cannot even be opened is a finding, and no tile of it is tested."""
    try:
        async with opening as table:
            with _told() as tell_step:
                return await examined(table, tell_step)
    except BoxFault as fault:
        return SelftestReport((fault.fault,), tuple(map(str, box.tile_ids)))


async def examined(table: Table, tell_step: Progress) -> SelftestReport:
    """Test all of a table that is open: papers, electronics, camera and markers."""
    electronics = await _electronics(table, tell_step)
    camera = await table.watcher.health()
    tell_step("camera and markers looked at", 1.0)
    return replace(electronics, findings=(*table.papers, *electronics.findings, *camera))


async def _electronics(table: Table, tell_step: Progress) -> SelftestReport:
    """The metal, unless nobody knows how far its servos may be driven."""
    if any(map(is_unsafe, table.papers)):
        return SelftestReport((), tuple(map(str, table.box.tile_ids)))
    return await selftest(table.firmware, lambda line, done: tell_step(line, _ELECTRONICS * done))


def keep(report: SelftestReport, box: Box, wear: WearFile, file: Path | None, date: datetime) -> None:
    """Note the test in the book of the tiles, and write its page where one is asked for: raises `OSError`.

    A book that cannot be written is no fault of the box, and only told.
    """
    html = page(box, report, wear.book, date)
    try:
        wear.tested(report, date)
    except OSError as error:
        say(f"the book of the tiles is not written: {error}")
    if file is not None:
        file.write_text(html, "utf-8")


@contextmanager
def _told() -> Iterator[Progress]:
    """Tell every step in a line, above a bar where somebody looks at a terminal."""
    with Bars(console=words, transient=True, disable=not words.is_terminal) as bars:
        bar = bars.add_task("self-test", total=1.0)

        def tell_step(line: str, done: float) -> None:
            say(line)
            bars.update(bar, completed=done)

        yield tell_step


def tell(report: SelftestReport, worn: Iterable[str], *, as_json: bool) -> Exit:
    """Print the report, and in words what wears; the exit status."""
    if as_json:
        findings = [fault_json(fault) for fault in report.findings]
        print_json({"passed": report.passed, "findings": findings, "untested": list(report.untested)})
    else:
        for fault in report.findings:
            answers.print(str(fault), markup=False)
        if report.untested:
            answers.print(f"Not tested because of that: {', '.join(report.untested)}", markup=False)
        if report.displaced:
            answers.print(f"Seen elsewhere than before the test: {', '.join(report.displaced)}", markup=False)
        for sentence in worn:
            answers.print(sentence, style="yellow", markup=False)
        answers.print("Self-test passed." if report.passed else "Self-test failed.")
    return Exit.DONE if report.passed else Exit.NO
