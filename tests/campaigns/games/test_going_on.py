"""Short forms of the campaigns on whether games go on: all faults lifted at a random moment, every halt answered."""

import json
import sys
from collections import Counter

import pytest

from controller.game.core.commands import TryAgain
from controller.game.core.interruption import decide_interruption
from controller.runtime.output import Exit
from hardware.sim.world import World
from tests.campaigns.errors import BadTrial
from tests.campaigns.games import halt_walk, lifting
from tests.campaigns.games.halts import HaltsReport, answer_in_every_way, bench_halts
from tests.campaigns.games.lifting import bench_lifting, play_lifted_game
from tests.support.long import long_but_every

HALTS = list(halt_walk.every_halt())
_EVERY = 433  # a prime: so many steps apart, halts are in every phase, after everything and on every course
_MOVING = halt_walk.Halt("moving", "jam:front-8", "", "lifted")


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The moment of lifting comes early: a long game amid faults takes the most part of a test."""
    monkeypatch.setattr(lifting, "_AMID_S", 8.0)


@pytest.mark.long
def test_games_end_once_all_faults_are_lifted(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_lifting(3, 5, as_json=True) is Exit.DONE
    told = json.loads(capsys.readouterr().out)
    assert told["problems"] == []
    assert told["runs"] == 3
    assert sum(told["courses"].values()) == told["lifted"] > 0
    assert 0 < told["longest_s"] < 60


@pytest.mark.long
def test_a_second_question_is_noticed_and_the_command_that_is_printed_asks_it_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lifting, "_lift_all", World.hang_bus)
    assert bench_lifting(3, 14, as_json=True) is Exit.NO
    [first, *_] = json.loads(capsys.readouterr().out)["problems"]
    command, _, problem = first.partition(": ")
    assert "people are asked again" in problem
    *words, seed = command.split()
    assert words == ["python", "-m", "tests.campaigns", "lifting", "--runs", "1", "--seed"]
    assert bench_lifting(1, int(seed), as_json=True) is Exit.NO
    assert json.loads(capsys.readouterr().out)["problems"] == [first]


def test_a_game_that_takes_too_long_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lifting, "_MOST_S", 0.01)
    assert any("after all was lifted still in" in problem for problem in play_lifted_game(6).problems)


def test_the_walk_comes_by_every_fault_in_every_phase() -> None:
    faults = {halt.fault.partition(":")[0] for halt in HALTS}
    assert {"hand", "jam", "bus", "lid", "camera", "swapped-sensor", "H-221", "H-222", "V-105"} <= faults
    every = Counter(halt.phase for halt in HALTS)
    assert len(every) == 7
    assert len(set(every.values())) == 1
    assert len(set(HALTS)) == len(HALTS)
    sample = HALTS[::_EVERY]
    for part in ("phase", "before", "course"):
        assert len({getattr(halt, part) for halt in sample}) == len({getattr(halt, part) for halt in HALTS})


@pytest.mark.parametrize("number", long_but_every(4, range(0, len(HALTS), _EVERY)))
def test_from_every_halt_every_answer_leads_on(number: int) -> None:
    ways = answer_in_every_way(HALTS[number])
    assert HaltsReport([(number, way) for way in ways]).passed, "\n".join(map(str, ways))
    if ways[0].halt:
        assert {"try_again", "park", "abandon", "by hand", "lid", "nothing"} <= {way.answer for way in ways}


def test_an_answer_that_leads_nowhere_is_noticed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = decide_interruption
    monkeypatch.setattr(
        sys.modules["controller.game.shutbox.decide"],
        "decide_interruption",
        lambda game, command, due: () if isinstance(command, TryAgain) else real(game, command, due),
    )
    number = HALTS.index(_MOVING)
    assert bench_halts(1, number, as_json=True) is Exit.NO
    told = json.loads(capsys.readouterr().out)
    assert told["halts"] == {"H-301": told["ways"]}
    first = told["problems"][0]
    assert first.startswith(
        f"python -m tests.campaigns halts --only {number}: jam:front-8 in moving, lifted: H-301 front-8 (try_again"
    )
    assert "with nothing broken any more it is halted: front-8" in first


def test_a_halt_that_there_is_not_is_refused() -> None:
    with pytest.raises(BadTrial, match=f"0 to {len(HALTS) - 1}; there is none with {len(HALTS)}"):
        bench_halts(1, len(HALTS), as_json=True)


def test_a_halt_that_leads_back_to_itself_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halt_walk, "_MOST_EVENTS", 0)
    assert {way.problem for way in answer_in_every_way(_MOVING)} == {"1 events by itself"}
