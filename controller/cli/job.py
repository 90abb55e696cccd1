"""Guided work from the command line, in this process or as a job of the running daemon, with the same output."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from controller.box.choose import choose_table
from controller.box.faults import parse_faults
from controller.box.job_requests import BringUpOrder, CameraOrder, DiceOrder, JobOrder, SelftestOrder, ServoOrder
from controller.box.table import Table
from controller.cli.options import AnySeed, BoxName, Faults, Installation, Json, Mock, MockBox
from controller.cli.play.play import find_mock_box, refuse_options
from controller.errors import NoBox
from controller.jobs.dialog import Answer, Cancelled, Result, Session
from controller.jobs.jobs import JobState
from controller.jobs.selftest import selftest_session
from controller.jobs.terminal import Terminal, no_lines, run_at_terminal
from controller.journal.copies import check_home
from controller.messages.words import DEFAULT_LANGUAGE, words_in
from controller.runtime.clock import run_jumping
from controller.runtime.keyboard import typed_lines
from controller.runtime.locks import as_caller, lock
from controller.runtime.output import Exit
from controller.runtime.terminal import show_warnings
from controller.runtime.threads import cancel_on_signal
from controller.web.client import Refused
from controller.web.job_client import JobClient
from controller.web.network import daemon_runs, find_socket

_LOOK_EVERY_S = 0.2

Rig = TypeVar("Rig")


def join_job(
    installation: Installation,
    order: JobOrder,
    lines: AsyncIterator[str],
    *,
    waits: bool,
    as_json: bool,
    page: Path | None = None,
    **given: object,
) -> Result | None:
    """Have the daemon of this home do a job, and be its terminal; None if no daemon runs.

    page: where to write the page that the job makes. given: options about the box, of which the daemon has its own.
    Raises `NoBox` for one of these, or if metal would move instead of the simulated box; `Refused` if the box is not
    free; `DaemonGone` if the daemon ends.
    """
    if not daemon_runs(installation.home):
        return None
    refuse_options("a daemon runs already and has its own box", given, " or stop it first")

    async def join() -> Result:
        async with JobClient(find_socket(installation.home)) as job:
            if installation.mock and not (await job.state()).simulated:
                raise NoBox("a daemon runs on a box of metal; leave out --mock to have it do this, or stop it first")
            terminal = Terminal(lines, waits=waits, as_json=as_json)
            relay = Relay(job, terminal)
            await job.begin(order)
            async with terminal:
                state = await relay.follow()
            terminal.give(state.answer or {})
            if page is not None:
                await asyncio.to_thread(page.write_text, await job.page(), "utf-8")
            return Result(Exit(state.status or 0), state.answer or {})

    return asyncio.run(join())


def guide(
    installation: Installation,
    order: ServoOrder | CameraOrder | DiceOrder | BringUpOrder,
    choose_rig: Callable[[], Rig],
    make_session: Callable[[Rig], Session],
    *,
    as_json: bool,
    box: str | None,
    faults: str | None = None,
) -> Result:
    """Have a running daemon calibrate the box, or do it in this process; a person at this terminal is asked.

    box, faults: the options, which a daemon does not take. Raises `NoBox` for these, `DaemonRuns` if another process
    has the box.
    """
    done = join_job(installation, order, typed_lines(), waits=order.ask, as_json=as_json, box=box, faults=faults)
    if done is None:
        rig = choose_rig()
        installation.home.make()
        with lock(installation.home.lock):
            work = run_at_terminal(make_session(rig), typed_lines(), waits=order.ask, as_json=as_json)
            done = run_jumping(work) if installation.mock else asyncio.run(work)
    return done


def do_here(session: Session, installation: Installation, *, as_json: bool, jumps: bool, bar: str = "") -> Result:
    """Do work without questions in this process.

    jumps: on a clock that jumps, for a simulated box of this process. bar: see `Terminal`. Raises `DaemonRuns` if
    another process has the box.
    """
    installation.home.make()
    run = run_jumping if jumps else asyncio.run
    with show_warnings(), nullcontext() if jumps else lock(installation.home.lock):
        return run(run_at_terminal(session, no_lines(), waits=False, as_json=as_json, bar=bar))


def table_alone(
    installation: Installation, faults: str | None = None, seed: int | None = None
) -> Callable[[], AbstractAsyncContextManager[Table]]:
    """Return a function that opens the table of the box for one test; a simulated box is new, and keeps no tiles."""
    return partial(
        choose_table,
        installation.box,
        installation.settings,
        installation.home,
        mock=installation.mock,
        faults=parse_faults(faults),
        seed=1 if seed is None else seed,
        keep_tiles=False,
    )


class Relay:
    """Carries the lines of a job to a terminal, and its answers back."""

    def __init__(self, job: JobClient, terminal: Terminal) -> None:
        self._job = job
        self._terminal = terminal
        self._seen = 0
        self._asking: asyncio.Task[None] | None = None
        self._asked = 0

    async def follow(self) -> JobState:
        """Follow the job to its end; Ctrl-C and a confirmed q end it with nothing changed."""
        with suppress(Cancelled):
            async with cancel_on_signal():
                return await self._follow(answers=True)
        with suppress(Refused):  # the job is over
            await self._job.cancel()
        return await self._follow(answers=False)

    async def _follow(self, *, answers: bool) -> JobState:
        """Print new lines, and answer questions, until the job is over. Raises `Refused` if somebody took it over."""
        try:
            while True:
                state = await self._job.see(self._seen)
                if not state.is_yours:
                    raise Refused("somebody else has taken this over; it goes on there")
                self._seen = state.count
                for line in state.lines:
                    if line.kind != "shown":
                        self._terminal.say(line.text, line.style)
                    else:
                        self._terminal.show(line.text)
                if state.is_over:
                    return state
                if answers:
                    await self._see_to(state)
                await asyncio.sleep(_LOOK_EVERY_S)
        finally:
            await self._stop_asking()

    async def _see_to(self, state: JobState) -> None:
        """Ask the present question, and take whatever was typed meanwhile. Raises `Cancelled`."""
        question = state.view.question
        if question is None or not question.waits:
            await self._stop_asking()
            self._terminal.check()
        elif state.asked != self._asked or self._asking is None:
            await self._stop_asking()

            async def ask() -> None:
                await self._answer(state.asked, await self._terminal.ask(question))

            # The looks go on meanwhile: they tell the daemon that somebody is there.
            self._asked, self._asking = state.asked, asyncio.create_task(ask())
        elif self._asking.done():
            self._asking.result()
        if question is not None and not question.waits and self._terminal.is_taken(question):
            await self._answer(state.asked, Answer(question.answers[0]))

    async def _answer(self, asked: int, answer: Answer) -> None:
        with suppress(Refused):  # the question is over: the next look shows the outcome
            await self._job.answer(asked, answer)

    async def _stop_asking(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.wait([self._asking])
            self._asking = None


def selftest(
    mock: Mock = False,
    mock_box: MockBox = False,
    box: BoxName = None,
    faults: Faults = None,
    seed: AnySeed = None,
    report: Annotated[
        Path | None, typer.Option("--report", help="Write a page with a drawing of the box (HTML).")
    ] = None,
    json: Json = False,
) -> None:
    if report is not None:
        # A page that cannot be written is refused before a tile moves.
        if not report.name or report.is_dir():
            raise typer.BadParameter("name a file for the page", param_hint="--report")
        if not report.absolute().parent.is_dir():
            raise typer.BadParameter(f"{report.parent} is no folder", param_hint="--report")
    installation = Installation(box, mock or mock_box)
    tested = None
    if not mock and not mock_box:
        given = {"box": box, "faults": faults, "seed": seed}
        order = SelftestOrder()
        tested = join_job(installation, order, no_lines(), waits=False, as_json=json, page=report, **given)
    if tested is None:
        home = installation.home
        if mock_box:
            chosen = find_mock_box(installation, mock=mock, box=box, faults=faults, seed=seed)
            session = selftest_session(chosen.open_table, chosen.box, home.wear(chosen.box.name, mock=True))
        else:
            profile = installation.load_box()
            found = () if mock else check_home(home)
            open_table = table_alone(installation, faults, seed)
            session = selftest_session(open_table, profile, home.wear(profile.name, mock=mock), found)
        tested = do_here(session, installation, as_json=json, jumps=mock, bar="self-test")
        if report is not None and tested.examined is not None:
            # Loaded here: most tests need no page.
            from controller.web.pages.selftest import draw_selftest

            with as_caller():
                report.write_text(draw_selftest(tested.examined, words_in(DEFAULT_LANGUAGE)), "utf-8")
    raise typer.Exit(tested.status)
