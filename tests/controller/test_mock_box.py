"""A box that outlives the daemon: `shutbox mock-box` as a process, hands at it, and a daemon that is killed."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from controller import cli
from controller.lock import wood_of_our_own
from controller.settings import Home
from hardware.sim.link import Link
from tests.controller.test_daemon import PATIENCE_S, found_again, play_until_tiles_move, started, systemd
from tests.hardware.mock_box import mock_box

PROGRAM = [sys.executable, "-c", "from controller.cli import main; main()"]

Shutbox = Callable[..., tuple[int, str, str]]


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    folder = tmp_path_factory.mktemp("home")
    return Home(folder, folder, fixed=True)


@pytest.fixture
def shutbox(home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shutbox:
    """Run the command line in this process: status, standard output, standard error."""
    monkeypatch.setenv("SHUTBOX_HOME", str(home.data))

    def call(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["shutbox", *words])
        with pytest.raises(SystemExit) as end:
            cli.main()
        out, err = capsys.readouterr()
        return int(end.value.code or 0), out, err

    return call


@contextmanager
def mock_box_process(home: Home) -> Iterator[None]:
    process = subprocess.Popen(
        [*PROGRAM, "mock-box", "--seed", "1"],
        env=os.environ | {"SHUTBOX_HOME": str(home.data)},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert "two-level-9, seed 1, is at" in process.stderr.readline()
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        rest = process.stderr.read()
        process.stderr.close()
        assert (process.wait(PATIENCE_S), rest) == (0, "")


def test_a_box_that_outlives_the_daemon_keeps_its_tiles_and_the_game_goes_on(home: Home) -> None:
    with mock_box_process(home), systemd(home.data) as listener:
        first = started(home.data, listener, join=True)
        moving = asyncio.run(play_until_tiles_move(home.socket))
        first.kill()
        first.wait(PATIENCE_S)
        second = started(home.data, listener, join=True)
        resumed = asyncio.run(found_again(home.socket))
        second.send_signal(signal.SIGTERM)
        assert second.wait(PATIENCE_S) == 0
        with Link(home.mock_box) as link:
            seen, _ = link.ask("look")
    assert resumed.board == moving.board
    assert (seen["tiles"]["front-8"], seen["pulses_us"]) == ("SHUT", {})
    assert not home.mock_box.exists()
    assert home.simulated_tiles("two-level-9").exists()


def test_a_hand_reaches_in_from_another_terminal(home: Home, shutbox: Shutbox) -> None:
    with mock_box(at=home.mock_box):
        _, out, _ = shutbox("mock-box", "tip", "front-7", "shut", "--json")
        assert json.loads(out)["tiles"]["front-7"] == "SHUT"
        _, out, _ = shutbox("mock-box", "tip", "front-7", "OPEN")
        told = out.splitlines()
        assert told[0].startswith("OPEN: front-1, front-2")
        assert told[1:] == ["pulses: none; current: 0.13 A", "lid: open; dice: none; faults: none"]
        for deed in ("throw 2", "press 0.1", "lid closed", "break jam:back-3"):
            assert shutbox("mock-box", *deed.split())[0] == 0
        _, out, _ = shutbox("mock-box", "look")
        assert out.splitlines()[-1].startswith("lid: closed; dice:")
        assert out.splitlines()[-1].endswith("faults: jam:back-3")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("mock-box", "fly"), "a hand cannot 'fly'; it can look, tip TILE OPEN|SHUT|BETWEEN, throw [DICE]"),
        (("mock-box", "tip", "front-7"), "tip front-7: say it as tip TILE OPEN|SHUT|BETWEEN"),
        (("mock-box", "tip", "front-77", "SHUT"), "two-level-9 has no tile front-77"),
        (("mock-box", "press", "long"), "'long' is no number"),
        (("mock-box", "lid", "ajar"), "the lid is open or closed, not ajar"),
        (("mock-box", "break", "jam:me"), "two-level-9 has no such part for jam"),
        (("mock-box", "look", "--seed", "3"), "the mock-box runs already; leave out seed"),
        (("run", "--mock-box", "--faults", "jam:front-1"), "started with its own; leave out faults"),
        (("selftest", "--mock-box", "--seed", "1"), "started with its own; leave out seed"),
        (("play", "--mock-box", "--mock"), "started with its own; leave out mock"),
    ],
)
def test_a_wrong_call_is_one_line(home: Home, shutbox: Shutbox, words: tuple[str, ...], said: str) -> None:
    with mock_box(at=home.mock_box):
        status, _, err = shutbox(*words)
    assert (status, len(err.splitlines())) == (2, 1)
    assert said in err


@pytest.mark.parametrize("words", [("mock-box",), ("run", "--mock"), ("play", "--mock")])
def test_wood_belongs_to_one_world_at_a_time(home: Home, shutbox: Shutbox, words: tuple[str, ...]) -> None:
    with wood_of_our_own(home.simulated_tiles("two-level-9")):
        status, _, err = shutbox(*words)
    assert status == 2
    assert "if it is a mock-box, say --mock-box" in err.splitlines()[-1]


@pytest.mark.parametrize("words", [("mock-box", "look"), ("run", "--mock-box"), ("selftest", "--mock-box")])
def test_without_a_mock_box_the_line_says_how_to_start_one(shutbox: Shutbox, words: tuple[str, ...]) -> None:
    status, _, err = shutbox(*words)
    assert (status, len(err.splitlines())) == (2, 1)
    assert "start one with `shutbox mock-box`" in err
