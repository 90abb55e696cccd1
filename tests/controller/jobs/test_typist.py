"""Somebody types anything at all at the guided calibrations: never a traceback, nothing saved without a y.

A campaign of more keys: `KEYS=20000 pytest tests/controller/jobs/test_typist.py`.
"""

import random
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from controller.box.job_requests import CameraOrder, DiceOrder, ServoOrder
from controller.box.rigs import CameraRig, DiceRig, ServoRig
from controller.box.simulated_rigs import (
    open_simulated_camera_rig,
    open_simulated_dice_rig,
    open_simulated_servo_rig,
)
from controller.box.stored_calibration import load_simulated_servos
from controller.jobs.camera import camera_session
from controller.jobs.dialog import Session as GuidedSession
from controller.jobs.dice import dice_session
from controller.jobs.jog import jog_session
from controller.jobs.servos import servo_session
from controller.jobs.terminal import Terminal, run_at_terminal, run_session
from controller.runtime.output import Exit
from hardware.box import load_box
from hardware.sim.servo import CAREFUL
from tests.conftest import Run
from tests.support.long import long_but_every
from tests.support.small_box import small_box
from tests.support.typist import Heard, Typist, how_many
from vision.custom_dice.storage import DiceFolder

BOX, SMALL = load_box("two-level-9"), small_box(1, 1)
WORDS = ("", "", "", "y", "n", "q", "yes", "no", "quit", "Y", "+", "-", "o", "s", "1")
DICE = DiceOrder("fleet", 6, ((1, "boat"), (2, "2")), (), 3, ask=True)

Session = Callable[[Path, Typist], Coroutine[Any, Any, Exit]]


@asynccontextmanager
async def small_rig() -> AsyncIterator[ServoRig]:
    async with open_simulated_servo_rig(SMALL, 1, CAREFUL) as (rig, _):
        yield rig


async def at_terminal(session: GuidedSession, typist: Typist) -> Exit:
    return (await run_at_terminal(session, typist.lines(), waits=True, as_json=False)).status


async def servos(home: Path, typist: Typist) -> Exit:
    before = load_simulated_servos(home, SMALL, 1)
    order = ServoOrder((), {}, ask=True)
    return await at_terminal(servo_session(small_rig, home, before, order), typist)


async def jogged(home: Path, typist: Typist) -> Exit:
    before = load_simulated_servos(home, SMALL, 1)
    order = ServoOrder((), {}, ask=True)
    terminal = Terminal(typist.keys(), waits=True, by_key=True)
    return (await run_session(jog_session(small_rig, home, before, order), terminal)).status


async def camera(home: Path, typist: Typist) -> Exit:
    def open_rig() -> CameraRig:
        return open_simulated_camera_rig(BOX, 1)

    return await at_terminal(camera_session(open_rig, home, CameraOrder(8, 50, ask=True)), typist)


async def dice(home: Path, typist: Typist) -> Exit:
    def open_rig() -> DiceRig:
        return open_simulated_dice_rig(BOX, DICE, 1)

    return await at_terminal(dice_session(open_rig, DiceFolder(home), DICE, home / "settings.toml"), typist)


_FEW: dict[Session, int] = {camera: 50, servos: 100, dice: 300}


def files(home: Path) -> dict[str, bytes]:
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in home.rglob("*") if path.is_file()}


@pytest.mark.parametrize("session", long_but_every(4, [servos, jogged, camera, dice]), ids=lambda each: each.__name__)
def test_nothing_is_saved_without_a_yes_whatever_is_typed(
    session: Session, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One session after the other, at a terminal, until the keys are used up."""
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    chance, all_typed, saved = random.Random(7), 0, 0
    # The camera's pictures take their time, and so do strokes.
    typist = Typist(0, WORDS, how_many(_FEW.get(session, 500)))
    while typist.left > 0:
        before = files(tmp_path)
        typist = Typist(chance.getrandbits(32), WORDS, typist.left)
        heard = Heard(typist)
        monkeypatch.setattr("sys.stderr", heard)
        status = run(session(tmp_path, typist))
        all_typed += len(typist.typed)
        if files(tmp_path) != before:
            saved += 1
            assert status is Exit.DONE
            assert heard.answered("Save ", "y", "yes"), heard.said[-5:]
        else:
            assert status is Exit.NO
        assert not any("Traceback" in text for _, text in heard.said)
    assert all_typed > 0
