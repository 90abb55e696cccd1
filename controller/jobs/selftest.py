"""The sessions of `shutbox selftest` and of the wiring check.

The self-test tests the whole box, reports the findings, and notes the wear of its tiles. The wiring check shows the
state of every chip and sensor, without moving a tile.
"""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from rich.table import Table as Grid
from rich.text import Text

from controller.box.checks import run_selftest
from controller.box.table import Table
from controller.jobs.dialog import Dialog, Result, Session, save_in_thread
from controller.runtime.output import Exit, fault_json
from firmware.selftest.selftest import PartState, look_at_parts
from firmware.selftest.wear import SelftestResult, WearFile
from hardware.box import Box
from hardware.errors import Fault
from hardware.phrase import phrase


def selftest_session(
    open_table: Callable[[], AbstractAsyncContextManager[Table]], box: Box, wear: Path, checks: Iterable[Fault] = ()
) -> Session:
    """Test the box whose table `open_table` opens, and note the test in the file of its tiles' wear.

    checks: findings about disk, clock and journal, reported first. NO if the test failed.
    """

    async def work(conversation: Dialog) -> Result:
        def tell_step(line: str, done: float) -> None:
            conversation.say(line)
            conversation.advance(done)

        # In a thread: reading a long journal takes a while, and the loop must answer others meanwhile.
        found = await asyncio.to_thread(tuple, checks)
        report = await run_selftest(open_table, box, tell_step, found)
        book = WearFile(wear, box.name)
        examined = SelftestResult(box, report, book.book, datetime.now().astimezone())
        for finding in report.findings:
            conversation.show(str(finding))
        if report.untested:
            conversation.show(f"Not tested because of that: {', '.join(report.untested)}")
        if report.displaced:
            conversation.show(f"Seen elsewhere than before the test: {', '.join(report.displaced)}")
        for note in examined.worn.values():
            conversation.show(note)
        conversation.show("Self-test passed." if report.passed else "Self-test failed.")
        book.note_test(report, examined.date)
        try:
            await save_in_thread(book.write)
        except OSError as error:
            # Not a fault of the box, so it is only reported.
            conversation.say(phrase("the book of the tiles is not written: {error}", error=error))
        findings = [fault_json(fault) for fault in report.findings]
        answer = {"passed": report.passed, "findings": findings, "untested": list(report.untested)}
        return Result(Exit.DONE if report.passed else Exit.NO, answer, examined)

    return Session(work, {"passed": False, "findings": [], "untested": [str(tile) for tile in box.tile_ids]})


def wiring_session(open_table: Callable[[], AbstractAsyncContextManager[Table]]) -> Session:
    """Look at every part of the box whose table `open_table` opens. NO if one is not as it should be.

    The work raises `BusFault` or `DeviceMissing` if the box cannot even be opened.
    """

    async def work(conversation: Dialog) -> Result:
        def tell_step(line: str, done: float) -> None:
            conversation.say(line)
            conversation.advance(done)

        async with open_table() as table:
            parts = [*await look_at_parts(table.firmware, tell_step)]
            faults = await table.watcher.health()
        parts += [PartState(fault.part, fault.expected, fault.seen, is_right=False) for fault in faults]
        if not faults:
            parts.append(PartState("camera", "its markers", "its markers", is_right=True))
        grid = Grid("part", "expected", "seen", "")
        for part in parts:
            mark = Text("right", "green") if part.is_right else Text("wrong", "red")
            grid.add_row(part.part, part.expected, part.seen, mark)
        conversation.show(grid)
        wrong = [part.part for part in parts if not part.is_right]
        conversation.show(f"Not as it should be: {', '.join(wrong)}." if wrong else "Everything is as it should be.")
        return Result(Exit.NO if wrong else Exit.DONE, {"passed": not wrong, "parts": list(map(asdict, parts))})

    return Session(work, {"passed": False, "parts": []})
