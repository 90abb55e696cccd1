"""Guided work through a daemon that runs: the same words as alone, the same answers, the same ways out."""

import asyncio
import json
import os
import re
import signal
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path

import httpx
import pytest

from controller.box.choose import choose_box
from controller.box.job_requests import DiceOrder, JobOrder, ServoOrder
from controller.cli.daemon import run_daemon
from controller.cli.job import Relay, do_here
from controller.cli.options import Installation
from controller.errors import DaemonRuns
from controller.jobs.dialog import Dialog, Result, Session
from controller.jobs.sessions import session_for
from controller.jobs.terminal import Terminal, run_at_terminal
from controller.runtime.home import Home
from controller.runtime.locks import lock
from controller.settings import Settings
from controller.web.client import Refused
from controller.web.job_client import JobClient
from hardware.tiles import TileId
from tests.controller.conftest import Shutbox
from tests.support.operators import JobRig, open_job_rig, two_tiles

ORDERS: dict[str, JobOrder] = {
    "servos": ServoOrder((TileId(1, 1),)),
    "dice": DiceOrder("fleet", 6, ((1, "boat"), (2, "2")), (), 3),
}
LINES = {"servos": ("", "y"), "dice": (*("" for _ in range(6)), "y", "n")}
# What no two runs have alike: dates, folders, and how long an edge is found to be.
# The last digit of a time in seconds differs by the looks of the loop.
CHANGING = re.compile(r"\d{4}-\d\d-\d\d [\d:]+|/\S+/|edge [\d.]+ mm|(?<=0\.\d)\d\b")


@pytest.fixture(autouse=True)
def looks_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.cli.job._LOOK_EVERY_S", 1.0)


class NoSocket(JobClient):
    """The client of a daemon in this very loop."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        super().__init__(Path("no-socket"))
        self._client = client

    async def _request(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        typed = {**(headers or {}), "Content-Type": "application/json"}
        answer = await self._client.request(method, path, content=body, headers=typed)
        if answer.is_client_error:
            raise Refused(answer.json()["error"])
        return answer


async def typing(*lines: str, on: Callable[[], Awaitable[None]] | None = None) -> AsyncIterator[str]:
    """Lines that are typed as soon as `on` is over; then the terminal stays open."""
    if on is not None:
        await on()
    for line in lines:
        yield line
    await asyncio.Event().wait()


async def joined(rig: JobRig, order: JobOrder, lines: AsyncIterator[str]) -> int | None:
    async with NoSocket(rig.client) as job, Terminal(lines, waits=True) as terminal:
        await job.begin(order)
        return (await Relay(job, terminal).follow()).status


def test_beside_another_process_that_has_the_box_no_work_is_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[object] = []

    async def work(_conversation: Dialog) -> Result:
        raise AssertionError

    monkeypatch.setattr("controller.cli.job.run_at_terminal", lambda *words, **_named: begun.append(words))
    monkeypatch.setenv("SHUTBOX_HOME", str(tmp_path))
    installation = Installation()
    with lock(installation.home.lock), pytest.raises(DaemonRuns):
        do_here(Session(work, {}), installation, as_json=False, jumps=False)
    assert not begun


@pytest.mark.parametrize("kind", ORDERS)
async def test_a_joined_terminal_says_what_it_says_alone(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    order, lines = ORDERS[kind], LINES[kind]
    (tmp_path / "alone").mkdir()
    home = Home(tmp_path / "alone", tmp_path / "alone", fixed=True)
    chosen = choose_box(two_tiles(tmp_path), Settings(), home, mock=True, faults=(), seed=1)
    alone = await run_at_terminal(
        session_for(order, chosen, home, lambda _panel: nullcontext()), typing(*lines), waits=True, as_json=False
    )
    said_alone = capsys.readouterr()

    async with open_job_rig(tmp_path) as rig:
        status = await joined(rig, order, typing(*lines))
    said = capsys.readouterr()

    assert (status, alone.status) == (0, 0)
    assert CHANGING.sub("", said.err) == CHANGING.sub("", said_alone.err)
    assert narrow(said.out) == narrow(said_alone.out)


def narrow(text: str) -> list[str]:
    """The lines as any terminal has them: without dates, and without what is blank at their ends."""
    return [CHANGING.sub("", line).rstrip() for line in text.splitlines()]


async def test_a_q_that_was_meant_ends_the_job_with_nothing_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with open_job_rig(tmp_path) as rig:
        before = rig.files()

        async def until_measuring() -> None:
            async with rig.referee.watch() as snapshots:
                while "looking" not in (await snapshots.get()).say:
                    pass

        async def lines() -> AsyncIterator[str]:
            yield ""
            async for line in typing("q", "y", on=until_measuring):
                yield line

        assert await joined(rig, ServoOrder(), lines()) == 1
        await rig.until_open()
        assert rig.files() == before
    assert capsys.readouterr().err.splitlines()[-1] == "Cancelled: nothing was changed."


async def test_ctrl_c_ends_the_job_with_nothing_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with open_job_rig(tmp_path) as rig:
        before = rig.files()

        async def interrupt() -> None:
            async with rig.referee.watch() as snapshots:
                while (job := (await snapshots.get()).job) is None or job.question is None:
                    pass
            os.kill(os.getpid(), signal.SIGINT)

        assert await joined(rig, ServoOrder(), typing(on=interrupt)) == 1
        await rig.until_open()
        assert rig.files() == before
    assert capsys.readouterr().err.splitlines()[-1] == "Cancelled: nothing was changed."


@contextmanager
def daemon(home: Home, box: str) -> Iterator[None]:
    """A daemon of the simulated box in a thread of its own, on the clock of the wall."""
    ready, stop = threading.Event(), asyncio.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    async def serve() -> None:
        loops.append(asyncio.get_running_loop())
        chosen = choose_box(box, Settings(), home, mock=True, faults=(), seed=1)
        async with run_daemon(chosen, home, Settings()):
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    try:
        assert ready.wait(30)
        yield
    finally:
        loops[0].call_soon_threadsafe(stop.set)
        thread.join(30)


def test_the_command_line_joins_the_daemon_that_runs(shutbox: Shutbox, tmp_path: Path) -> None:
    home = Home(tmp_path, tmp_path, fixed=True)
    with daemon(home, two_tiles(tmp_path)):
        status, out, err = shutbox("wiring", "--check", "--json")
        told = json.loads(out)
        assert (status, told["passed"], len(told["parts"])) == (0, True, 4)
        assert "chip 0x40: an answer" in err

        for call in (("selftest", "--faults", "jam:front-1"), ("calibrate", "servos", "--box", "classic-9")):
            status, _, err = shutbox(*call)
            assert (status, err.count("\n")) == (2, 1)
            assert "a daemon runs already and has its own box; leave out" in err
        status, _, err = shutbox("calibrate", "servos", "--tile", "front-9")
        assert (status, err) == (2, "shutbox: two-tiles has no front-9; it has front-1, front-2\n")
