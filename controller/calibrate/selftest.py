"""The session of `shutbox selftest`: the whole box is tested, and what was found is told, and noted for its tiles."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from pathlib import Path

from controller.box import Table, run_selftest
from controller.calibrate.conversation import Conversation, Result, Session
from controller.calibrate.saving import save_beside
from controller.process import Exit, fault_json
from firmware.selftest import Examined, SelftestReport, WearFile
from hardware.box import Box
from hardware.errors import Fault


def selftest_session(
    open_table: Callable[[], AbstractAsyncContextManager[Table]], box: Box, wear: Path, checks: Iterable[Fault] = ()
) -> Session:
    """Test the box whose table this opens, and note the test in the book of its tiles (`wear`).

    `checks` are findings about disk, clock and journal, and are reported first. NO if the test failed.
    """

    async def work(conversation: Conversation) -> Result:
        def tell_step(line: str, done: float) -> None:
            conversation.say(line)
            conversation.advance(done)

        # Reading a long journal takes a while, and others are to be answered meanwhile.
        found = await asyncio.to_thread(tuple, checks)
        report = await run_selftest(open_table, box, tell_step, found)
        return await _keep(report, box, WearFile(wear, box.name), conversation)

    return Session(work, {"passed": False, "findings": [], "untested": [str(tile) for tile in box.tile_ids]})


async def _keep(report: SelftestReport, box: Box, wear: WearFile, conversation: Conversation) -> Result:
    """Show the report and the tiles that wear, and note the test.

    A book that cannot be written is no fault of the box, and only said.
    """
    examined = Examined(box, report, wear.book, datetime.now().astimezone())
    for line in _lines_of(report, examined.worn.values()):
        conversation.show(line)
    wear.note_test(report, examined.date)
    try:
        await save_beside(wear.write)
    except OSError as error:
        conversation.say(f"the book of the tiles is not written: {error}")
    findings = [fault_json(fault) for fault in report.findings]
    answer = {"passed": report.passed, "findings": findings, "untested": list(report.untested)}
    return Result(Exit.DONE if report.passed else Exit.NO, answer, examined)


def _lines_of(report: SelftestReport, worn: Iterable[str]) -> Iterator[str]:
    """The report in lines, with what is said of tiles that wear."""
    yield from map(str, report.findings)
    if report.untested:
        yield f"Not tested because of that: {', '.join(report.untested)}"
    if report.displaced:
        yield f"Seen elsewhere than before the test: {', '.join(report.displaced)}"
    yield from worn
    yield "Self-test passed." if report.passed else "Self-test failed."
