"""`shutbox run` where something fails that nobody has foreseen, and where an operator wants it started anew."""

import asyncio
import logging
import socket
from pathlib import Path
from typing import NoReturn

import httpx
import pytest

from controller.box.choose import choose_box
from controller.cli.daemon import run_until_stopped
from controller.errors import DaemonRuns
from controller.runtime.home import Home
from controller.runtime.output import Exit
from controller.service.restarts import read_runs
from controller.settings import Settings
from controller.web.network import wait_for_daemon
from hardware.errors import BoxFault
from tests.controller.conftest import Shutbox


@pytest.fixture(autouse=True)
def _no_log_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.cli.run.start_log", lambda: None)


@pytest.mark.parametrize(
    "error", [ZeroDivisionError("division by zero"), ExceptionGroup("tasks", [BoxFault("bus", expected="a", seen="b")])]
)
def test_an_error_that_nobody_has_foreseen_is_logged_with_what_to_do(
    error: Exception, shutbox: Shutbox, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_how: object) -> NoReturn:
        raise error

    monkeypatch.setattr("controller.cli.run.run_until_stopped", fail)
    status, out, err = shutbox("run", "--mock")

    [record] = [each for each in caplog.records if each.levelno >= logging.ERROR]
    assert (status, out, err) == (Exit.NO, "", "")
    assert "`shutbox doctor`" in record.getMessage()
    assert record.exc_info is not None
    assert record.exc_info[1] is error


def test_what_has_words_of_its_own_is_told_in_them(
    shutbox: Shutbox, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_how: object) -> NoReturn:
        raise DaemonRuns("another daemon has this box; stop it first")

    monkeypatch.setattr("controller.cli.run.run_until_stopped", fail)
    status, _, err = shutbox("run", "--mock")

    assert (status, err) == (Exit.WRONG_CALL, "shutbox: another daemon has this box; stop it first\n")
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]


@pytest.mark.parametrize(("is_wanted_anew", "status"), [(True, Exit.AGAIN), (False, Exit.DONE)])
def test_a_daemon_that_is_wanted_anew_ends_with_the_status_of_that(
    shutbox: Shutbox, monkeypatch: pytest.MonkeyPatch, is_wanted_anew: bool, status: Exit
) -> None:
    async def end(*_how: object) -> bool:
        return is_wanted_anew

    monkeypatch.setattr("controller.cli.run.run_until_stopped", end)
    assert shutbox("run", "--mock")[0] == status


async def test_a_service_ends_in_order_when_an_operator_wants_it_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(tmp_path, tmp_path, fixed=True)
    chosen = choose_box("two-level-9", Settings(), home, mock=True, faults=(), seed=1)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notices"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notices"))
        running = asyncio.ensure_future(run_until_stopped(chosen, home, Settings()))
        await wait_for_daemon(home)
        transport = httpx.AsyncHTTPTransport(uds=str(home.socket))
        async with httpx.AsyncClient(transport=transport, base_url="http://box") as client:
            assert (await client.post("/api/restart")).status_code == 204
        assert await running
    assert read_runs(home.runs).ended == 1
