"""`shutbox run` where something fails that nobody has foreseen: a line in words, and what to do."""

import logging
from typing import NoReturn

import pytest

from controller.errors import DaemonRuns
from controller.runtime.output import Exit
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
