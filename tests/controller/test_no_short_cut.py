"""No short cut: with the wire cut anywhere between game and wood, no game comes to a score."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from controller import wiring
from controller.commands import StartGame
from controller.demo import PLAYERS
from controller.demo_report import DemoOrder, run_demo
from controller.output import Exit
from controller.settings import Home
from hardware.box import load_box

Demo = Callable[..., tuple[int, list[dict[str, Any]]]]


@pytest.fixture
def demo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Demo:
    """Run `shutbox demo --json`; its status and the lines it printed."""

    def run_it(*faults: str) -> tuple[int, list[dict[str, Any]]]:
        order = DemoOrder(load_box("two-level-9"), StartGame(PLAYERS), 1, 1, faults)
        status = run_demo(Home(tmp_path, tmp_path), order, as_json=True)
        return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run_it


def ended_in_a_named_fault(result: tuple[int, list[dict[str, Any]]]) -> dict[str, str]:
    status, lines = result
    assert status == Exit.NO
    [line] = lines
    fault: dict[str, str] = line["fault"]
    assert set(fault) == {"code", "part", "expected", "seen", "cure"}
    assert all(fault.values())
    return fault


def test_writes_that_never_reach_a_servo_board_end_in_a_named_fault(
    demo: Demo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deaf_to_0x40(world: wiring.World) -> object:
        bus = open_i2c(world)
        write = bus.writeto

        def writeto(address: int, buffer: bytes, **ends: Any) -> None:
            if address != 0x40 or len(buffer) == 0:
                write(address, buffer, **ends)

        bus.writeto = writeto
        return bus

    open_i2c: Callable[[wiring.World], Any] = vars(wiring)["open_i2c"]
    monkeypatch.setattr(wiring, "open_i2c", deaf_to_0x40)

    assert ended_in_a_named_fault(demo())["part"] == "0x40"


def test_pins_that_are_held_end_in_a_named_fault(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    # With every sensor line held high, no magnet is ever seen.
    monkeypatch.setattr(wiring.World, "level", lambda _world, _wire: True)

    fault = ended_in_a_named_fault(demo())

    assert fault["code"].startswith("H-3")
    assert "-" in fault["part"]


def test_grey_frames_end_in_a_named_fault(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    camera: type[Any] = vars(wiring)["SimulatedCamera"]
    capture = camera.capture

    def grey(self: object) -> Any:
        frame = capture(self)
        return replace(frame, pixels=np.full_like(frame.pixels, 128))

    monkeypatch.setattr(camera, "capture", grey)

    assert ended_in_a_named_fault(demo())["code"] == "V-103"


@pytest.mark.parametrize(
    ("fault", "code", "part"),
    [
        ("jam:front-7", "H-301", "front-7"),
        ("silent:0x41", "H-202", "0x41"),
        ("stuck:back-3", "H-302", "back-3"),
        ("bus:hung", "H-201", "i2c"),
        ("camera:frozen", "V-101", "camera"),
        ("camera:dead", "V-102", "camera"),
        ("camera:grey", "V-103", "markers"),
        ("camera:dark", "V-104", "camera"),
    ],
)
def test_every_fault_ends_the_demonstration_by_its_name(demo: Demo, fault: str, code: str, part: str) -> None:
    found = ended_in_a_named_fault(demo(fault))

    assert (found["code"], found["part"]) == (code, part)


def test_without_a_fault_the_same_demonstration_comes_to_a_score(demo: Demo) -> None:
    status, [game] = demo()

    assert (status, game["misreads"], sorted(game["scores"])) == (Exit.DONE, 0, ["Ann", "House"])
