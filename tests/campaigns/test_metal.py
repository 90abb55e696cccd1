"""Short forms of the long counts: motion beside its bound, the wire, whole games with faults."""

import json
from itertools import count

import pytest

from controller.runtime.output import Exit
from firmware.sim.worker import WorldAlarm
from firmware.tiles.drive import TileDrive
from hardware.box import load_box
from hardware.sim.faults import FAULTS
from hardware.tiles import Position, TileId
from tests.campaigns import selftest as bench_selftest
from tests.campaigns import wire as bench_wire
from tests.campaigns.games.faults import bench_faults, play_chaos_game
from tests.campaigns.motion import LIMIT, bench_motion


@pytest.mark.long
def test_moves_take_hardly_longer_than_any_order_could(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.campaigns.motion._ROWS", (2,))
    monkeypatch.setattr("tests.campaigns.motion._COLUMNS", (9,))
    assert bench_motion(1, 1, as_json=True) is Exit.DONE
    told = json.loads(capsys.readouterr().out)
    assert {motion["move"] for motion in told["motions"]} >= {"one tile down", "the one behind", "reset", "all down"}
    assert [motion["tiles"] for motion in told["motions"] if motion["move"] == "reset"] == [18, 18, 18]
    assert 1.0 < told["worst"] <= LIMIT


@pytest.mark.long
def test_hundreds_of_commands_with_faults_harm_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_wire.bench_wire(100, 8, as_json=True) is Exit.DONE
    told = json.loads(capsys.readouterr().out)
    assert told["problems"] == []
    assert told["arrived"] + told["stopped"] == told["runs"] == 100
    assert told["faults"] > 20
    assert 0.55 < told["longest_unmoved_s"] <= 0.67


def test_a_servo_that_is_driven_for_too_long_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    trial = bench_wire.Trial(15, 20)
    arrives = TileDrive._wait_for_arrival

    async def patiently(drive: TileDrive, tile: TileId, target: Position, begun_s: float) -> bool:
        later_s = begun_s + 0.4
        return await arrives(drive, tile, target, begun_s) or await arrives(drive, tile, target, later_s)

    monkeypatch.setattr(TileDrive, "_wait_for_arrival", patiently)
    assert not any("without moving" in each for each in bench_wire.try_commands(trial).problems), "the alarm cuts"
    monkeypatch.setattr(WorldAlarm, "set_to", lambda _alarm, _at_s: None)
    problems = bench_wire.try_commands(trial).problems
    assert any("without moving" in problem for problem in problems)


def test_a_tile_that_meets_one_that_was_kicked_is_no_harm() -> None:
    """Released as it is, the other gives way and falls back: seed and count are of such a case."""
    assert bench_wire.try_commands(bench_wire.Trial(8623, 3)).problems == ()


@pytest.mark.long
def test_a_tile_that_is_driven_against_wood_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.tiles.plan._tiles_to_await", lambda *_: frozenset())
    problems = bench_wire.try_commands(bench_wire.Trial(8623, 10)).problems
    assert any("driven against wood" in problem for problem in problems)


def test_broken_games_end_with_a_name_and_the_right_score(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_faults(2, 5, as_json=True) is Exit.DONE
    told = json.loads(capsys.readouterr().out)
    assert told["problems"] == []
    assert sum(told["ends"].values()) == told["runs"] == 2
    assert sum(told["faults"].values()) >= told["runs"]
    assert "hangs" not in told["ends"]


@pytest.mark.long
def test_a_wrong_score_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    another_each_time = count()
    monkeypatch.setattr(
        "controller.rules.shutbox.ruleset.Ruleset.score", lambda _rules, _board: next(another_each_time)
    )
    outcome = play_chaos_game(6)
    assert any("is scored" in problem for problem in outcome.problems)


@pytest.mark.long
def test_self_tests_name_the_fault_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_selftest.bench_selftest(load_box("two-level-9"), 127, 3, as_json=True) is Exit.DONE
    told = json.loads(capsys.readouterr().out)
    assert told["problems"] == []
    assert told["trials"] == sum(told["kinds"].values()) > 5


def test_a_self_test_that_names_another_part_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.errors.TileJammed.code", "H-302")
    trial = bench_selftest.Trial(load_box("classic-9"), "jam:front-7", "standing", 1)
    (problem,) = bench_selftest.try_selftest(trial).problems
    assert problem == "jam:front-7, standing: expected H-301 front-7, found H-302 front-7"


def test_every_fault_says_what_the_self_test_names() -> None:
    box = load_box("two-level-9")
    for kind in FAULTS.values():
        for part in kind.parts(box):
            code, named = kind.finding(part)
            assert "|" not in code + named
    assert FAULTS["camera"].finding("grey") == ("V-103", "markers")
    assert FAULTS["calibration"].finding("missing") == ("C-103", "calibration")
    assert FAULTS["jam"].finding("front-7") == ("H-301", "front-7")
    assert FAULTS["oe"].finding("low") == ("H-209", "/OE")
