"""`shutbox selftest`: the electronics, then the camera and the markers, told in words or as one JSON object."""

from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager

from rich.progress import Progress as Bars

from controller.output import Exit, answers, fault_json, print_json, say, words
from controller.table import Table
from firmware.findings import SelftestReport
from firmware.selftest import Progress, selftest
from hardware.errors import BoxFault

_ELECTRONICS = 0.9  # part of the whole test


async def test_table(opening: AbstractAsyncContextManager[Table]) -> SelftestReport:
    """Open the table and test all of it; a box that cannot even be opened is a finding."""
    try:
        async with opening as table:
            with _told() as tell_step:
                electronics = await selftest(table.firmware, lambda line, done: tell_step(line, _ELECTRONICS * done))
                camera = await table.watcher.health()
                tell_step("camera and markers looked at", 1.0)
    except BoxFault as fault:
        return SelftestReport((fault.fault,), ())
    return SelftestReport((*electronics.findings, *camera), electronics.untested, electronics.tiles)


@contextmanager
def _told() -> Iterator[Progress]:
    """Tell every step in a line, above a bar where somebody looks at a terminal."""
    with Bars(console=words, transient=True, disable=not words.is_terminal) as bars:
        bar = bars.add_task("self-test", total=1.0)

        def tell_step(line: str, done: float) -> None:
            say(line)
            bars.update(bar, completed=done)

        yield tell_step


def tell(report: SelftestReport, *, as_json: bool) -> Exit:
    """Print the report; the exit status."""
    if as_json:
        findings = [fault_json(fault) for fault in report.findings]
        print_json({"passed": report.passed, "findings": findings, "untested": list(report.untested)})
    else:
        for fault in report.findings:
            answers.print(str(fault), markup=False)
        if report.untested:
            answers.print(f"Not tested because of that: {', '.join(report.untested)}", markup=False)
        answers.print("Self-test passed." if report.passed else "Self-test failed.")
    return Exit.DONE if report.passed else Exit.NO
