"""`shutbox guard`: a wrong call is one line, and there is one guard a home."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.box import guard as guard_process
from controller.cli import run as cli_guard
from controller.errors import NoBox
from controller.runtime.locks import lock
from tests.support.mock_box import mock_box

Guard = Callable[..., tuple[int, str]]


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("SHUTBOX_HOME", str(folder))
    monkeypatch.setattr("signal.signal", lambda *_words: None)
    return folder


@pytest.fixture
def guard(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Guard:
    def call(*words: str) -> tuple[int, str]:
        assert home.exists()
        monkeypatch.setattr("sys.argv", ["guard", *words])
        with pytest.raises(SystemExit) as end:
            guard_process.main()
        return int(end.value.code or 0), capsys.readouterr().err

    return call


def test_off_a_pi_it_says_so(guard: Guard) -> None:
    assert guard() == (2, "shutbox: this machine is no Raspberry Pi; say --mock-box for the simulated one\n")


def test_without_a_mock_box_it_says_how_to_start_one(guard: Guard) -> None:
    status, err = guard("--mock-box")
    assert (status, len(err.splitlines())) == (2, 1)
    assert "start one with `shutbox mock-box`" in err


def test_a_mock_box_has_its_own_profile(guard: Guard) -> None:
    assert guard("--mock-box", "--box", "classic-9")[0] == 2


def test_one_guard_a_home(home: Path, guard: Guard) -> None:
    with lock(home / "guard.lock"):
        status, err = guard("--mock-box")
    assert (status, len(err.splitlines())) == (2, 1)
    assert "a guard listens at" in err


def test_a_line_that_another_process_has_is_a_fault_in_one_line(home: Path, guard: Guard) -> None:
    with mock_box(at=home / "mock-box.sock") as served, served.link() as other:
        other.ask("drive", line=str(served.world.box.panel.output_enable), high=True)
        status, err = guard("--mock-box")
    assert (status, len(err.splitlines())) == (1, 1)
    assert "GPIO22: expected the line of /OE, free to use, seen held by another program" in err


def test_a_line_that_the_library_refuses_is_a_fault_in_one_line(
    home: Path, guard: Guard, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_words: object, **_named: object) -> None:
        raise Exception("'GPIO busy'")

    monkeypatch.setattr("firmware.guard.line.DigitalOutputDevice", busy)
    with mock_box(at=home / "mock-box.sock"):
        status, err = guard("--mock-box")
    assert (status, len(err.splitlines())) == (1, 1)
    assert "H-207 GPIO22: expected the line of /OE, free to use, seen 'GPIO busy'" in err


def test_as_a_service_it_tells_what_keeps_it_from_its_line_and_tries_again_ever_more_rarely(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[str] = []
    monkeypatch.setattr(guard_process, "notify", told.append)
    monkeypatch.setattr(guard_process, "notify_status", told.append)
    tries = iter(range(13))
    waited: list[float] = []

    def open_line() -> None:
        if next(tries) < 12:
            raise NoBox("this machine is\nno box")

    guard_process.keep_guarding(open_line, waited.append)

    assert next(tries, None) is None
    assert told == 12 * ["READY=1", "Guards nothing: this machine is no box"]
    pauses = [float(re.findall(r"retry_s=(\S+)", line)[0]) for line in caplog.messages]
    assert pauses == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 60.0, 60.0]
    # In ticks, between which systemd hears that the process lives.
    assert max(waited) == 1.0
    assert sum(waited) == pytest.approx(sum(pauses), abs=0.1)


def test_what_is_no_trouble_of_the_box_ends_the_service() -> None:
    def broken() -> None:
        raise AttributeError("a slip in the program")

    with pytest.raises(AttributeError):
        guard_process.keep_guarding(broken, lambda _s: pytest.fail("it waited"))


def test_the_subcommand_leaves_the_rest_of_the_program_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda _program, words: started.append(words))
    cli_guard.guard(mock_box=True)
    cli_guard.guard(box="classic-9")
    head = [sys.executable, "-P", "-m", "controller.box.guard"]
    assert started == [[*head, "--mock-box"], [*head, "--box", "classic-9"]]


def test_the_guards_process_loads_no_more_than_it_needs() -> None:
    heavy = "{'cv2', 'numpy', 'fastapi', 'uvicorn', 'httpx', 'typer', 'rich', 'adafruit_pca9685', 'asyncio'}"
    question = (
        f"import sys, controller.box.guard, controller.box.simulated_actions; print(sorted({heavy} & set(sys.modules)))"
    )
    answer = subprocess.run([sys.executable, "-P", "-c", question], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"
