import json
import random
import shlex
import sys
from pathlib import Path

import pytest

from controller.errors import BadPlayers, EngineError
from controller.game.stn.record import read_record, write_record
from controller.opponents.engines.arena import Arena, Standing, arena_json
from controller.opponents.engines.house_engine import answers
from controller.opponents.engines.minds import (
    EngineMind,
    HouseMind,
    Mind,
    Seating,
    game_line,
    house_strength,
    open_minds,
)
from controller.rules.shutbox.games import GAMES
from controller.rules.shutbox.ruleset import rules_of
from controller.rules.tiles import Marks
from tests.campaigns.any_game import draw_rules

EXAMPLES = Path("docs/samples/engines")
HOUSE = shlex.join(
    [sys.executable, "-c", "from controller.cli.main import main; main()", "engine", "--strength", "casual"]
)


@pytest.fixture(autouse=True)
def _paths(monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config) -> None:
    """An engine is not told of a home; what it imports it finds by this."""
    monkeypatch.setenv("PYTHONPATH", str(pytestconfig.rootpath))


@pytest.mark.parametrize("seed", range(4))
def test_the_house_plays_the_same_in_and_out_of_this_process(seed: int) -> None:
    chance = random.Random(f"{seed}/arena")
    name = ("pub", "two-level", *GAMES)[seed] if seed < 2 else chance.choice(list(GAMES))
    rules = rules_of(name) if seed < 2 else draw_rules(chance, name, lambda found: found.layout.columns <= 9)
    with open_minds(["house:steady", HOUSE, "house:casual"], None, move_s=60) as minds:
        outside = [each.told for each in Arena(rules, minds, seed).play(6)]
    with open_minds(["house:steady", "house:casual", "house:casual"], None) as minds:
        inside = [each.told for each in Arena(rules, minds, seed).play(6)]
    assert len(outside) == len(inside) == 6
    assert outside == inside


def test_each_of_them_begins_equally_often_and_a_record_tells_their_games() -> None:
    rules = rules_of("pub", {"first": "chosen"})
    minds = [HouseMind("casual"), HouseMind("casual"), HouseMind("perfect")]
    arena = Arena(rules, minds, 3)
    played = list(arena.play(6))
    assert [each.seated[0] for each in played] == [0, 1, 2, 0, 1, 2]
    assert [each.name for each in arena.standings] == ["House casual", "House casual 2", "House perfect"]
    for each in played:
        assert read_record(write_record(each.told)).events == tuple(event for event, _ in each.told)
    told = arena_json(arena, 6)
    assert [each["games"] for each in told["engines"]] == [6, 6, 6]
    assert sum(each["wins"] for each in told["engines"]) == pytest.approx(1)
    assert json.loads(json.dumps(told)) == told


def test_the_dialogue_of_the_manual_is_what_box_and_house_say(tmp_path: Path) -> None:
    blocks = (EXAMPLES / "dialogue.txt").read_text().split("...\n")
    with open_minds([HOUSE.replace("casual", "perfect"), "house:casual"], None, log=tmp_path / "log") as minds:
        list(Arena(rules_of("two-level", {"first": "chosen"}), minds, 29).play(1))
    said = [line.removeprefix("1 ") for line in (tmp_path / "log").read_text().splitlines()]
    after = 0
    for block in blocks:
        lines = block.splitlines()
        ends = range(after + len(lines), len(said) + 1)
        found = (end for end in ends if all(map(_is_short_for, lines, said[end - len(lines) : end])))
        after = next(found, 0)
        assert after, block
    assert after == len(said)


def _is_short_for(line: str, whole: str) -> bool:
    begins, _, ends = line.partition("...")
    return whole.startswith(begins) and whole.endswith(ends)


def test_a_log_has_what_an_engine_complains_of(tmp_path: Path) -> None:
    script = "read x; echo oh dear >&2; echo hello 1 A; while read x; do case $x in go*) exit 3;; esac; done"
    command = shlex.join(["sh", "-c", script])
    with open_minds([command, command], None, log=tmp_path / "log") as minds:
        list(Arena(rules_of("pub", {"first": "chosen"}), minds, 1).play(1))
    said = (tmp_path / "log").read_text().splitlines()
    assert {"1 < hello 1", "1 > hello 1 A", "1 ! oh dear", "2 < hello 1", "2 > hello 1 A", "2 ! oh dear"} <= {*said}
    assert said[-2:] == ["1 < quit", "2 < quit"]


def test_the_rules_are_told_to_an_engine_by_the_tags_of_a_record() -> None:
    line = game_line(Seating(rules_of("2012", {"first": "chosen"}), ("Ann", "Bob"), 1, 7))
    told = json.loads(line.removeprefix("game "))
    assert (told["game"], told["options"], told["sides"]) == ("2012", {"first": "chosen"}, 20)
    assert {**told["others"], **told["options"]} == rules_of("2012", {"first": "chosen"}).chosen
    assert (told["players"], told["seat"], told["seed"]) == (["Ann", "Bob"], 2, 7)


def test_the_dice_are_those_of_the_seed() -> None:
    def scores(seed: int) -> list[tuple[int | None, ...]]:
        minds = [HouseMind("casual"), HouseMind("steady")]
        return [each.scores for each in Arena(rules_of("pub"), minds, seed).play(8)]

    assert scores(1) == scores(1)
    assert scores(1) != scores(2)


def test_the_interval_is_that_of_wilson() -> None:
    # Wilson's formula worked out by hand: 8 of 10 at z = 1.959964.
    low, high = Standing("Ann", games=10, wins=8.0).interval
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)
    assert Standing("Ann").interval == (0.0, 1.0)
    assert Standing("Ann", games=5, wins=5.0).interval[1] == 1.0


def test_the_house_as_an_engine_answers_by_the_line() -> None:
    rules = rules_of("pub", {"first": "chosen"})
    game = game_line(Seating(rules, ("Ann", "House"), 1, 7))
    said = list(answers(["hello 1\n", f"{game}\n", "told 1 12\n", "told 1 :3\n", "nonsense\n"], "perfect"))
    assert said == ["hello 1 House perfect"]
    asked = [game, "told 1 12", "told 1 :3", "go aim=win time=1000"]
    assert list(answers([*asked, "quit", "hello 1"], "perfect")) == ["best dice 2"]
    chosen = list(answers([*asked[:2], "told 1 :12", "told 1 66", "go aim=win"], "perfect"))
    assert chosen in (["best 39"], ["best 48"], ["best 57"])


def test_the_house_as_an_engine_answers_by_a_position_alone() -> None:
    line = "position pub {} . . . . . 6 . . 9 ; 2 12,- ; 36"
    assert list(answers([line, "go aim=win"], "perfect")) == ["best 9"]
    assert list(answers(["position pub {} 1 . . . . . . . . ; 1 -,- ; -", "go dice=1,2"], "perfect")) == ["best dice 1"]
    # Another position than that of the game it was told.
    game = game_line(Seating(rules_of("pub", {"first": "chosen"}), ("Ann", "House"), 1, 7))
    assert list(answers([game, line, "go aim=win"], "perfect")) == ["best 9"]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["game {}"], "error"),
        (['game {"game":"pub","players":["Ann"],"seat":5}'], "error"),
        (["go aim=win"], "error nothing is known of the game"),
        (["position pub {}", "go"], "error position 'pub {}': "),
        (["game []"], "error"),
        (["game x"], "error"),
        (['game {"game":"fleet","players":["Ann","Bob"],"seat":1}'], "error fleet is a race"),
        (
            ['game {"game":"pub","players":["Ann","Bob"],"seat":1,"options":{"first":"chosen"}}', "told 1 88"],
            "error 8,8 cannot be thrown",
        ),
        (['game {"game":"pub","players":["Ann","Bob"],"seat":1}', "told x 88"], "error invalid literal"),
    ],
)
def test_the_house_as_an_engine_ends_with_a_reason(lines: list[str], reason: str) -> None:
    (said,) = answers(lines, "casual")
    assert said.startswith(reason)


def test_marks_are_told_to_an_engine() -> None:
    marks = Marks({"front-1": "sun"}, {"sun": 1})
    line = game_line(Seating(rules_of("pub", {}, marks), ("Ann",), 0, 1))
    assert json.loads(line.removeprefix("game "))["marks"] == {
        "tiles": {"front-1": "sun"},
        "values": {"sun": 1},
        "faces": [],
    }


def test_who_plays_is_the_house_or_a_program() -> None:
    assert house_strength("perfect") == "perfect"
    with pytest.raises(BadPlayers, match="the house plays careless"), open_minds(["house:best"], None):
        pass
    with pytest.raises(EngineError, match="engine '/nowhere': it cannot be started"), open_minds(["/nowhere"], None):
        pass


@pytest.mark.parametrize("command", [f"{sys.executable} {EXAMPLES}/highest.py", f"sh {EXAMPLES}/one_tile.sh"])
def test_an_engine_of_the_manual_plays_whole_games(command: str) -> None:
    engine = EngineMind(command)
    minds: list[Mind] = [engine, HouseMind("casual")]
    arena = Arena(rules_of("pub", {"first": "chosen"}), minds, 1)
    played = list(arena.play(10))
    engine.close()
    assert [each.out for each in arena.standings] == ["", ""]
    assert all(each.forfeited is None for each in played)
