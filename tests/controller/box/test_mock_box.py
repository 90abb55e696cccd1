"""A box in a process of its own: `shutbox mock-box`, and hands at it. Daemons at it: bench/test_guard.py."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from controller.box.remote_simulated import join_mock_box
from controller.errors import NotCalibrated
from controller.runtime.home import Home
from controller.runtime.locks import lock, lock_tiles
from controller.settings import Settings
from firmware.sim.i2c import chips_on
from firmware.sim.remote import SimulatedComputer, bus_handlers, computer_handlers
from hardware.sim.link import Link
from hardware.sim.server import Handler
from tests.controller.conftest import Shutbox
from tests.support.mock_box import mock_box
from tests.support.watched_world import WatchedWorld
from vision.sim.camera import SimulatedCamera
from vision.sim.remote import camera_handlers


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    folder = tmp_path_factory.mktemp("home")
    return Home(folder, folder, fixed=True)


@pytest.fixture
def shutbox_home(home: Home) -> Path:
    return home.data


def test_it_serves_until_it_is_told_to_stop_and_keeps_its_tiles(home: Home) -> None:
    command = [sys.executable, "-P", "-c", "from controller.cli.main import main; main()", "mock-box", "--seed", "1"]
    env = os.environ | {"SHUTBOX_HOME": str(home.data)}
    process = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert process.stderr.readline() == f"two-level-9, seed 1, is at {home.mock_box_socket}; Ctrl-C ends it\n"
    with Link(home.mock_box_socket) as link:
        link.ask("tip", tile="front-7", position="SHUT")
        process.send_signal(signal.SIGTERM)
        assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(30) == 0
    assert not home.mock_box_socket.exists()
    kept = json.loads(home.simulated_tiles("two-level-9").read_text())["tiles"]
    assert [tile for tile, angle in kept.items() if angle > 60] == ["front-7"]


def test_a_hand_reaches_in_from_another_terminal(home: Home, shutbox: Shutbox) -> None:
    with mock_box(at=home.mock_box_socket):
        _, out, _ = shutbox("mock-box", "tip", "front-7", "shut", "--json")
        assert json.loads(out)["tiles"]["front-7"] == "SHUT"
        _, out, _ = shutbox("mock-box", "tip", "front-7", "OPEN")
        told = out.splitlines()
        assert told[0].startswith("OPEN: front-1, front-2")
        assert told[1:] == ["pulses: none; current: 0.13 A", "lid: open; dice: none; faults: none"]
        for deed in ("throw 2", "lay red 2,2,boat", "take red", "press 0.1", "lid closed", "break jam:back-3"):
            assert shutbox("mock-box", *deed.split())[0] == 0
        _, out, _ = shutbox("mock-box", "look")
        assert out.splitlines()[-1].startswith("lid: closed; dice:")
        assert out.splitlines()[-1].endswith("faults: jam:back-3")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("mock-box", "fly"), "a hand cannot 'fly'; it can look, tip TILE OPEN|SHUT|BETWEEN, throw [DICE]"),
        (("mock-box", "look", "now"), "look now: say it as look"),
        (("mock-box", "tip", "front-7"), "tip front-7: say it as tip TILE OPEN|SHUT|BETWEEN"),
        (("mock-box", "tip", "front-77", "SHUT"), "two-level-9 has no tile front-77"),
        (("mock-box", "press", "long"), "press long: say it as press [SECONDS]"),
        (("mock-box", "lid", "ajar"), "lid ajar: say it as lid open|closed"),
        (("mock-box", "break", "jam:me"), "two-level-9 has no such part for jam"),
        (("mock-box", "look", "--seed", "3"), "the mock-box runs already; leave out seed"),
        (("run", "--mock-box", "--faults", "jam:front-1"), "started with its own; leave out faults"),
        (("selftest", "--mock-box", "--seed", "1"), "started with its own; leave out seed"),
        (("play", "--mock-box", "--mock"), "started with its own; leave out mock"),
    ],
)
def test_a_wrong_call_is_one_line(home: Home, shutbox: Shutbox, words: tuple[str, ...], said: str) -> None:
    with mock_box(at=home.mock_box_socket):
        status, _, err = shutbox(*words)
    assert (status, len(err.splitlines())) == (2, 1)
    assert said in err


def everything(world: WatchedWorld) -> Mapping[str, Handler]:
    return {
        **computer_handlers(SimulatedComputer(world)),
        **camera_handlers(SimulatedCamera(world, world.box)),
        **bus_handlers(chips_on(world, lambda _seconds: None)),
    }


async def test_one_that_was_never_calibrated_is_not_driven_until_it_is_mended_from_another_terminal(home: Home) -> None:
    with mock_box(everything, at=home.mock_box_socket) as served, served.link() as hand:
        hand.ask("break", fault="calibration:missing")
        async with join_mock_box(home, Settings(), anyway=True).open_table() as table:
            await table.check_driven()
        async with join_mock_box(home, Settings()).open_table() as table:
            with pytest.raises(NotCalibrated, match="C-103"):
                await table.check_driven()
            hand.ask("lift", fault="calibration:missing")
            await table.check_driven()


@pytest.mark.parametrize("words", [("mock-box",), ("run", "--mock"), ("play", "--mock")])
def test_wood_belongs_to_one_world_at_a_time(home: Home, shutbox: Shutbox, words: tuple[str, ...]) -> None:
    with lock_tiles(home.simulated_tiles("two-level-9")):
        status, _, err = shutbox(*words)
    assert status == 2
    assert "if it is a mock-box, say --mock-box" in err.splitlines()[-1]


def test_one_mock_box_a_home(home: Home, shutbox: Shutbox) -> None:
    with lock(home.mock_box_socket.with_suffix(".lock")):
        status, _, err = shutbox("mock-box", "--box", "classic-9")
    assert (status, len(err.splitlines())) == (2, 1)
    assert "a mock-box listens at" in err


@pytest.mark.parametrize("words", [("mock-box", "look"), ("run", "--mock-box"), ("selftest", "--mock-box")])
def test_without_a_mock_box_the_line_says_how_to_start_one(shutbox: Shutbox, words: tuple[str, ...]) -> None:
    status, _, err = shutbox(*words)
    assert (status, len(err.splitlines())) == (2, 1)
    assert "start one with `shutbox mock-box`" in err
