"""A box whose servos were not calibrated is not driven in play: every door says so, and a calibration lifts it."""

import asyncio
import logging
from contextlib import suppress
from pathlib import Path

import pytest

from controller.box.choose import choose_box
from controller.cli.daemon import run_until_stopped
from controller.cli.play.play import check_driven, join
from controller.cli.play.seat import NewGame
from controller.errors import NotCalibrated
from controller.game.core.commands import GoOn, Park, StartGame, TryAgain
from controller.game.core.players import Player
from controller.referee.panel import light_for
from controller.runtime.home import Home
from controller.settings import Settings
from controller.web.network import wait_for_daemon
from firmware.panel import Light
from hardware.sim.world import World
from hardware.wires import ServoChannel
from tests.controller.conftest import Shutbox
from tests.support.operators import JobRig, open_job_rig
from tests.support.tables import until

MISSING = "calibration:missing"
START = {"do": "start", "players": [{"name": "Ann"}], "game": "pub", "options": {"tiles": 2}}
NEVER = "C-103 calibration: expected measured end points of the servos of two-tiles, seen none. Run `shutbox calibrate"


@pytest.fixture
def pulses(monkeypatch: pytest.MonkeyPatch) -> list[ServoChannel]:
    """The servos that were sent pulses, whoever had them sent."""
    sent: list[ServoChannel] = []
    drive = World.drive

    def noted(world: World, wire: ServoChannel, pulse_us: float | None, on_us: float = 0.0) -> None:
        if pulse_us is not None:
            sent.append(wire)
        drive(world, wire, pulse_us, on_us)

    monkeypatch.setattr(World, "drive", noted)
    return sent


async def start(rig: JobRig) -> tuple[int, str]:
    """Start a game by the API; the status, and the error's code if it is refused."""
    answer = await rig.client.post("/api/commands", json=START)
    return answer.status_code, answer.json().get("code", "")


async def test_the_api_and_the_lamp_say_so_and_a_calibration_by_the_job_lifts_it(
    tmp_path: Path, pulses: list[ServoChannel]
) -> None:
    async with open_job_rig(tmp_path, faults=(MISSING,)) as rig:
        refused = await rig.client.post("/api/commands", json=START)
        assert (refused.status_code, refused.json()["code"]) == (409, "C-103")
        assert refused.json()["error"].startswith(NEVER)
        told = (await rig.client.get("/api/state")).json()["notice"]
        assert told.startswith("Not every servo of this box was calibrated, so it moves no tile. ")
        assert told.endswith("calibrate servos. (code C-103)")
        assert light_for(rig.referee.snapshot) is Light.FAST
        with pytest.raises(NotCalibrated, match="C-103"):
            check_driven(rig.referee.snapshot)
        assert pulses == [], "nothing has moved"

        await rig.ann.begin(kind="servos")
        assert (await rig.ann.follow())["status"] == 0
        await rig.until_open()
        assert rig.referee.snapshot.notice == ""
        check_driven(rig.referee.snapshot)
        assert await start(rig) == (200, "")
        await until(rig.referee, "awaiting_throw")


async def test_a_game_that_is_on_halts_before_its_tiles_move_and_goes_on_once_they_may(
    tmp_path: Path, pulses: list[ServoChannel]
) -> None:
    async with open_job_rig(tmp_path) as rig:
        assert await start(rig) == (200, "")
        await until(rig.referee, "awaiting_throw")
        await rig.referee.ask(Park())
        await reach(rig, "break")
        pulses.clear()
        await rig.referee.ask(GoOn())
        for _ in range(2):
            halted = await until(rig.referee, "halted")
            assert halted.fault is not None
            assert (halted.fault.code, halted.fault.part) == ("C-103", "calibration")
            assert "calibrate the servos: shutbox calibrate servos" in halted.say
            await rig.referee.ask(TryAgain())
        assert pulses == []
        await until(rig.referee, "halted")
        await reach(rig, "lift")
        await rig.referee.ask(TryAgain())
        await until(rig.referee, "awaiting_throw")


async def reach(rig: JobRig, do: str) -> None:
    """Spoil the calibration of the simulated box, or mend it."""
    answer = await rig.client.post("/api/simulated/deeds", json={"do": do, "fault": MISSING})
    assert answer.status_code == 200


async def test_a_box_of_which_some_tiles_were_calibrated_names_the_others(
    tmp_path: Path, pulses: list[ServoChannel]
) -> None:
    async with open_job_rig(tmp_path) as rig:
        await rig.ann.begin(kind="servos", tiles=["front-2"])
        assert (await rig.ann.follow())["status"] == 0
        await rig.until_open()
        pulses.clear()
        answer = await rig.client.post("/api/commands", json=START)
        assert (answer.json()["code"], "seen none for front-1." in answer.json()["error"]) == ("C-103", True)
        assert pulses == []


@pytest.mark.parametrize("fault", [MISSING, "calibration:damaged"])
async def test_who_knows_better_plays_anyway_but_never_with_a_calibration_that_is_wrong(
    fault: str, tmp_path: Path
) -> None:
    home = Home(tmp_path, tmp_path, fixed=True)
    chosen = choose_box("two-level-9", Settings(), home, mock=True, faults=(fault,), seed=1, anyway=True)
    async with chosen.open_table() as table:
        assert [each.code for each in table.checks] == ["C-103" if fault == MISSING else "C-102"]
        if fault == MISSING:
            await table.check_driven()
        else:
            with pytest.raises(NotCalibrated, match="C-102"):
                await table.check_driven()


async def test_a_calibration_that_was_there_before_is_spoiled_by_the_fault_and_a_new_one_is_not(tmp_path: Path) -> None:
    async with open_job_rig(tmp_path, faults=(MISSING,)) as rig:
        await rig.ann.begin(kind="servos")
        await rig.ann.follow()
        await rig.until_open()
        assert rig.referee.table.undriven is None
    async with open_job_rig(tmp_path, faults=(MISSING,)) as rig:
        assert rig.referee.table.undriven is not None


async def test_the_daemon_stays_up_and_its_log_and_whoever_joins_say_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, pulses: list[ServoChannel]
) -> None:
    home = Home(tmp_path, tmp_path, fixed=True)
    chosen = choose_box("two-level-9", Settings(), home, mock=True, faults=(MISSING,), seed=1)
    caplog.set_level(logging.INFO)
    frozen: list[bool] = []
    monkeypatch.setattr("controller.cli.daemon.gc.freeze", lambda: frozen.append(True))
    running = asyncio.ensure_future(run_until_stopped(chosen, home, Settings()))
    await wait_for_daemon(home)
    for _ in range(2):
        with pytest.raises(NotCalibrated, match="C-103"):
            await join(home, NewGame(StartGame((Player("Ann"),))), "en")
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    assert "no tile moves in play fault=C-103" in caplog.text
    assert pulses == []
    # The collector would hold the loop up for long, had it to look through all that is loaded.
    assert frozen


def test_play_is_one_line_and_status_2_and_nothing_moves(shutbox: Shutbox, pulses: list[ServoChannel]) -> None:
    status, _, err = shutbox("play", "--mock", "--faults", MISSING)
    assert (status, err.count("\n")) == (2, 1)
    assert err.startswith("shutbox: C-103 calibration: expected measured end points of the servos of two-level-9")
    assert pulses == []

    status, _, _ = shutbox("play", "--mock", "--faults", MISSING, "--anyway")
    assert status == 0


def test_a_plain_simulated_box_is_played_on_at_once(shutbox: Shutbox) -> None:
    assert shutbox("play", "--mock")[0] == 0


def test_a_demonstration_ends_before_a_tile_moves(shutbox: Shutbox, pulses: list[ServoChannel]) -> None:
    status, out, _ = shutbox("demo", "--faults", MISSING, "--json")
    assert (status, '"code": "C-103"' in out) == (1, True)
    assert pulses == []


def test_the_self_test_moves_the_tiles_and_says_so(shutbox: Shutbox, pulses: list[ServoChannel]) -> None:
    status, out, _ = shutbox("selftest", "--mock", "--faults", MISSING, "--json")
    assert (status, out.count("C-103")) == (1, 1)
    assert pulses


async def test_a_page_that_starts_a_game_there_is_refused_each_time_and_the_daemon_goes_on(tmp_path: Path) -> None:
    keyed = START | {"key": "a-key-of-this-page"}
    async with open_job_rig(tmp_path, faults=(MISSING,)) as rig:
        refused = [await rig.client.post("/api/commands", json=keyed) for _ in range(2)]
        assert [(each.status_code, each.json()["code"]) for each in refused] == [(409, "C-103")] * 2
        assert (await rig.client.get("/api/state")).status_code == 200
