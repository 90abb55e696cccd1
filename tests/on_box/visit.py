"""One run at one box: the box, opened as the daemon opens it, the person beside it, and the form that is filled in."""

import asyncio
import os
import platform
import sys
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from datetime import datetime
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, NoReturn

import pytest

from controller.box.choose import ChosenBox, choose_box
from controller.box.remote_simulated import join_mock_box
from controller.box.start import settings_at_start
from controller.box.table import Table
from controller.errors import NoBox, SettingsError
from controller.runtime.home import Home, find_box_home
from controller.runtime.machine import model_name, require_pi
from controller.runtime.threads import BackgroundThread
from firmware.calibration.bringup.chips import tiles_on
from firmware.drivers.bus import chip_name
from firmware.selftest.findings import SelftestReport
from hardware.box import Box, load_box
from hardware.errors import BoxError, Fault
from hardware.tiles import TileId
from tests.on_box.form import Form
from tests.on_box.people import TERMINAL, Person, Reader, Request, StandIn, lines_in

_NO_TERMINAL = "nobody can be asked: start it in a terminal, or name a file with --answers"
_YES = ("", "y", "yes")


def find_visit(wire: Path | None, answers: Path | None, show: Callable[[str], None]) -> "Visit":
    """Find the box, and who answers. wire: the home of a mock-box, where a stand-in answers if no file does.

    Opens nothing. Where there is no box, or nobody to ask, the visit has a reason to test nothing.
    """
    home = find_box_home() if wire is None else Home(wire.absolute(), wire.absolute(), fixed=True)
    try:
        settings = settings_at_start(home).known
        if wire is None:
            require_pi("--wire=FOLDER, the home of a `shutbox mock-box`")
            chosen = choose_box(settings.box, settings, home, mock=False, faults=(), seed=None)
        else:
            chosen = join_mock_box(home, settings)
            if answers is None:
                return Visit(home, chosen, StandIn(home, chosen.box))
        return Visit(home, chosen, Reader(lines_in(answers or TERMINAL), show))
    except (NoBox, SettingsError, BoxError) as none:
        return Visit(home, None, None, f"no box is tested: {none}")
    except OSError:
        return Visit(home, None, None, _NO_TERMINAL)


class Visit:
    """One run. `reason`: why no more rows are tested; empty while they are.

    answering: the addresses that answer; None before anybody asked. examined: what the self-test found.
    camera_fault: of the picture. written: the file of the report.
    Lifetime: `close` closes the box. Concurrency: one thread.
    """

    def __init__(self, home: Home, chosen: ChosenBox | None, person: Person | None, reason: str = "") -> None:
        self.home = home
        self.chosen = chosen
        self.reason = reason
        self.table: Table | None = None
        self.answering: tuple[int, ...] | None = None
        self.examined: SelftestReport | None = None
        self.camera_fault: Fault | None = None
        self.written: Path | None = None
        self._person = person
        self._asking = BackgroundThread()
        self._runner = asyncio.Runner()
        self._open = AsyncExitStack()
        self._told: set[str] = set()

    @cached_property
    def form(self) -> Form:
        """The form that this visit fills in; the tests that are its rows must have been collected."""
        return Form(self.box)

    @property
    def box(self) -> Box:
        """The box; where there is none, the reference box, whose tests are then skipped."""
        return self.chosen.box if self.chosen is not None else load_box("two-level-9")

    @property
    def is_simulated(self) -> bool:
        return self.chosen is not None and self.chosen.simulated

    def run(self, test: Coroutine[Any, Any, Any]) -> None:
        """Run a test on the loop of this visit."""
        self._runner.run(test)

    def close(self) -> None:
        """Close the box, with every servo released."""
        self._runner.run(self.close_box())
        self._runner.close()

    async def open_box(self) -> Table:
        """Open the box as for a game. Raises as `ChosenBox.open_table`."""
        assert self.chosen is not None
        self.table = await self._open.enter_async_context(self.chosen.open_table())
        return self.table

    async def close_box(self) -> None:
        self.table = None
        await self._open.aclose()

    async def ask(self, request: Request) -> str:
        """Return what the person answers, "" for yes. Skips the test if they want that, and all others after q."""
        assert self._person is not None
        answer = await self._asking.run(self._person.answer, request)
        if answer.lower() in ("q", "quit"):
            self.reason = "the person stopped here"
            pytest.skip(self.reason)
        if answer.lower() in ("s", "skip"):
            pytest.skip("the person skipped it")
        return "" if answer.lower() in _YES else answer

    async def warn_once(self, request: Request) -> None:
        """Ask for this the first time only."""
        if request.say not in self._told:
            self._told.add(request.say)
            await self.ask(request)

    async def volts(self, request: Request) -> float:
        """Return what the person measured. Skips the test if they have no meter."""
        try:
            return float((await self.ask(request)).replace(",", ".").removesuffix("v"))
        except ValueError:
            pytest.skip("nobody measured it")

    def skip_without_chips(self, tile: TileId) -> None:
        """Skip the test of a tile of which a chip does not answer."""
        if self.answering is None:
            pytest.skip("nobody knows which chips answer")
        silent = [chip for chip in self.box.chips if chip not in self.answering and tile in tiles_on(self.box, chip)]
        if silent:
            pytest.skip(f"{chip_name(silent[0])} does not answer")

    async def begin(self) -> None:
        """Fill in the first lines of the form."""
        who = await self.ask(Request("Who fills this in? A name for the report, or Enter for none; q stops here."))
        memory_gb = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
        model = model_name() or "no Raspberry Pi"
        self.form.head |= {
            "who": who or "no name",
            "when": f"{datetime.now().astimezone():%Y-%m-%d %H:%M %z}",
            "computer": f"{model}, {memory_gb:.1f} GB, {platform.machine()}, Linux {platform.release()}",
            "program": f"shutbox {version('shutbox')}, Python {platform.python_version()}",
            "box": f"{self.box.name}, simulated, behind a wire" if self.is_simulated else self.box.name,
        }


def fail(fault: object) -> NoReturn:
    """Fail the test with the fault's own sentence: part, expected, seen, cure."""
    pytest.fail(str(fault), pytrace=False)


def expect(is_so: bool, sentence: str) -> None:
    """Fail the test with this sentence unless it is so: a person reads it, not an assertion."""
    if not is_so:
        fail(sentence)


def shutbox_command(*words: str) -> tuple[str, ...]:
    """Return the command line of the program in this checkout."""
    return (sys.executable, "-P", "-c", "from controller.cli.main import main; main()", *words)
