"""`shutbox selftest`: the electronics, then the camera and the markers, told in words or as one JSON object."""

from contextlib import AbstractAsyncContextManager

from controller.output import Exit, answers, fault_json, print_json, say
from controller.table import Table
from firmware.selftest import SelftestReport, selftest
from hardware.errors import BoxFault


async def test_table(opening: AbstractAsyncContextManager[Table]) -> SelftestReport:
    """Open the table and test all of it; a box that cannot even be opened is a finding."""
    try:
        async with opening as table:
            electronics = await selftest(table.firmware, say)
            camera = await table.watcher.health()
            say("camera and markers looked at")
    except BoxFault as fault:
        return SelftestReport((fault.fault,), ())
    return SelftestReport((*electronics.findings, *camera), electronics.untested)


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
