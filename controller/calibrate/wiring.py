"""The session of the wiring check: show the state of every chip and sensor, without moving a tile."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict

from rich.table import Table as Grid
from rich.text import Text

from controller.box.table import Table
from controller.calibrate.conversation import Dialog, Result, Session
from controller.process.output import Exit
from firmware.selftest.parts import PartState, look_at_parts


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
