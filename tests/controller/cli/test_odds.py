"""The command line of games, odds, turns by chance and records: their JSON forms, and one line for a wrong call."""

import json
from pathlib import Path

import pytest

from controller.rules.fleet.cards import CARDS
from controller.rules.shutbox.games import GAMES
from tests.controller.conftest import Shutbox, answers


def test_games_lists_every_option_with_its_default_among_the_values_allowed(shutbox: Shutbox) -> None:
    status, out, _ = shutbox("games", "--json")
    told = answers(out)

    assert (status, [each["game"] for each in told]) == (0, [*GAMES, *CARDS])
    for game in told:
        assert set(game) == {"game", "document", "summary", "options"}
        for option in game["options"].values():
            assert option["default"] in option["allowed"]


def test_the_games_fit_a_screen_and_one_tells_what_its_options_mean(shutbox: Shutbox) -> None:
    status, out, _ = shutbox("games")
    lines = out.splitlines()
    assert (status, len(lines), lines[2].split()[0]) == (0, len(GAMES) + len(CARDS) + 1, "pub")
    assert len(lines) < 24
    assert max(map(len, lines)) <= 80
    told = shutbox("games", "pub")[1]
    assert told.startswith("pub (document S001): One row. When 7, 8 and 9 are shut, ")
    assert "  --set one_die_forced=false\n      whether the single die is a must (false, true)\n" in told
    assert answers(shutbox("games", "pub", "--json")[1])[0]["game"] == "pub"


def test_a_misspelt_game_or_option_is_told_what_may_have_been_meant(shutbox: Shutbox) -> None:
    assert shutbox("games", "pbu")[2].startswith("shutbox: no game 'pbu'; did you mean pub? The games are two-level, ")
    assert shutbox("games", "chess")[2].startswith("shutbox: no game 'chess'; the games are two-level, ")
    said = shutbox("odds", "--game", "pub", "--set", "one_dye=never")[2]
    assert said.startswith("shutbox: no option 'one_dye' in this game; did you mean one_die? It has tiles, ")


def test_odds_before_and_after_a_throw_have_the_promised_form(shutbox: Shutbox) -> None:
    board = ("odds", "--game", "pub", "--board", "1 2 3 4 5 6 7 8 9", "--json")

    [before] = answers(shutbox(*board)[1])
    assert before == {"aim": "score", "value": pytest.approx(11.0092085932, abs=1e-9), "dice": 2}
    [after] = answers(shutbox(*board, "--throw", "5,3")[1])
    assert after == {"aim": "score", "value": pytest.approx(9.0406746918, abs=1e-9), "best": [["front-8"]]}
    [shut] = answers(shutbox(*board, "--aim", "shut")[1])
    assert shut == {"aim": "shut", "value": pytest.approx(0.0976137162, abs=1e-9), "dice": 2}
    [most] = answers(shutbox(*board, "--aim", "at-most:12", "--throw", "5,3")[1])
    assert (most["aim"], 0 < most["value"] < 1) == ("at-most:12", True)


def test_a_batch_of_odds_answers_line_by_line_and_a_bad_line_with_its_error(shutbox: Shutbox) -> None:
    good = {"game": "pub", "set": {"tiles": 9}, "board": "1 2 3 4 5 6 7 8 9", "throw": [5, 3], "aim": "score"}
    lines = [good, good | {"aim": "luck"}, good | {"set": {"tiles": 90}}, good | {"aim": "win", "players": 2}]

    status, out, _ = shutbox("odds", "--batch", "-", typed="\n".join(map(json.dumps, lines)))

    first, second, third, fourth = answers(out)
    assert (status, first["best"], fourth["best"]) == (0, [["front-8"]], [["front-8"]])
    assert "the aims are score, shut" in second["error"]
    assert "allowed are 1 to 12" in third["error"]


def test_the_chance_to_win_is_told_by_seat_and_with_stakes_the_gain(shutbox: Shutbox) -> None:
    call = ("odds", "--game", "pub", "--set", "stake=5", "--aim", "win", "--players", "3", "--json")
    [told] = answers(shutbox(*call)[1])

    assert (told["aim"], told["players"]) == ("win", 3)
    assert (sum(told["seats"]), sum(told["gains"])) == (pytest.approx(1), pytest.approx(0))
    _, out, _ = shutbox(*call, "--set", "match=tournament")  # its pool is not paid by the round
    assert "gains" not in json.loads(out)
    [last] = answers(shutbox(*call, "--scores", "30,30")[1])
    [first] = answers(shutbox(*call, "--scores", "1")[1])
    assert last["value"] > 0.9 > first["value"]


def test_a_curve_rises_from_the_chance_to_shut_to_certainty(shutbox: Shutbox) -> None:
    [told] = answers(shutbox("odds", "--game", "pub", "--curve", "--json")[1])

    assert told["curve"] == sorted(told["curve"])
    assert (len(told["curve"]), told["curve"][0], told["curve"][-1]) == (46, pytest.approx(0.0976137162), 1)


def test_turns_by_chance_come_to_the_odds_and_repeat_with_their_seed(shutbox: Shutbox) -> None:
    call = ("simulate", "--game", "pub", "--turns", "100000", "--seed", "4", "--json")
    [told] = answers(shutbox(*call)[1])

    assert [told] == answers(shutbox(*call)[1])
    assert abs(told["mean"] - 11.0092085932) < 4 * told["standard_error"]
    assert (told["turns"], sum(told["histogram"].values())) == (100_000, 100_000)
    assert told["histogram"]["0"] / 100_000 == told["shut"]


def test_what_is_not_asked_for_in_json_is_said_in_sentences_and_drawn(shutbox: Shutbox) -> None:
    first = shutbox("odds", "--game", "pub", "--throw", "5,3")[1].splitlines()[0]
    assert first == "The best is front-8: the turn then ends with 9.04 points on average."
    before = shutbox("odds", "--game", "pub")[1]
    assert before.startswith("Thrown with 2 dice and played as well as can be, a turn from this board on ends with ")
    assert "█" in shutbox("odds", "--game", "pub", "--curve")[1]
    assert "second █" in shutbox("odds", "--game", "pub", "--aim", "win")[1]
    assert "points on average" in shutbox("simulate", "--game", "thai", "--turns", "1000")[1]
    many = shutbox("odds", "--game", "the-300", "--set", "tiles=12", "--throw", "6,6,6,2")[1].splitlines()
    assert (len(many), many[-1]) == (13, "And 33 more moves, none of them better.")


@pytest.mark.parametrize("game", ["pub", "the-300", "missionary", "digital"])
def test_bars_fit_the_screen(shutbox: Shutbox, game: str) -> None:
    drawn = shutbox("simulate", "--game", game, "--player", "careless", "--turns", "2000")[1].splitlines()
    assert len(drawn) < 24
    assert max(map(len, drawn[1:])) <= 80


def test_a_game_that_the_box_cannot_show_is_played_on_one_that_can(shutbox: Shutbox) -> None:
    status, out, _ = shutbox("play", "--mock", "--game", "thai")
    assert (status, "is played on" in out) == (0, False)
    status, out, _ = shutbox("play", "--mock", "--game", "the-300")
    first = out.splitlines()[0]
    assert (status, first) == (0, "the-300 is not for the box two-level-9: it is played on the-300, simulated too.")


def test_players_of_many_games_are_told_their_wins(shutbox: Shutbox) -> None:
    call = ("simulate", "--game", "pub", "--players", "steady,skilled", "--games", "20000")
    [told] = answers(shutbox(*call, "--json")[1])
    assert set(told) == {"game", "players", "seed", "games", "wins", "standard_errors"}
    assert (told["players"], sum(told["wins"])) == (["steady", "skilled"], pytest.approx(1))
    assert told["wins"][0] < 0.45 < 0.55 < told["wins"][1]
    assert shutbox(*call)[1].splitlines()[1].startswith(" steady █")


def test_a_variant_and_marks_are_asked_about_as_any_game(shutbox: Shutbox, tmp_path: Path) -> None:
    variant, marks = tmp_path / "sunday.toml", tmp_path / "marks.toml"
    variant.write_text('game = "pub"\n[options]\none_die = "never"\n')
    marks.write_text('faces = ["a", "b", "c", "d", "e", "f"]\ntiles = { front-1 = "sun" }\nvalues = { sun = 1 }\n')

    [told] = answers(shutbox("odds", "--variant", str(variant), "--json")[1])
    assert told["value"] == pytest.approx(11.157508, abs=5e-7)
    [moves] = answers(shutbox("moves", "--game", "pub", "--marks", str(marks), "--throw", "a b", "--json")[1])
    assert moves["moves"] == [["front-3"], ["front-1", "front-2"]]


def test_a_record_is_empty_before_the_first_game(shutbox: Shutbox) -> None:
    assert shutbox("scores", "--json") == (0, "", "")
    assert shutbox("scores", "--alone")[1] == "nobody has finished a game alone yet\n"
    assert shutbox("scores")[1] == "nobody has finished a game yet\n"
    assert shutbox("scores", "--all")[1] == "nobody has finished a game yet\n"
    assert shutbox("dice") == (0, "nobody has thrown any dice yet\n", "")
    assert shutbox("dice", "--misread") == (0, "the camera has read no throws yet\n", "")


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (("odds", "--aim", "luck"), "the aims are score, shut"),
        (("odds", "--aim", "win", "--players", "9"), "2 to 6 players"),
        (("odds", "--aim", "win", "--players", "2", "--scores", "3,x"), "'x' is no whole number"),
        (("odds", "--players", "2"), "belong to aim win"),
        (("odds", "--game", "pub", "--aim", "win", "--scores", "0"), "nobody plays after it"),
        (("odds", "--game", "pub", "--aim", "win", "--scores", "46"), "more than 45 points"),
        (("odds", "--game", "lucky-7", "--aim", "win", "--scores", "7"), "leave out scores"),
        (("demo", "--seed", "-5"), "say at least 0"),
        (("demo", "--set", "alternate=true", "--match", "tournament"), "match=single or points"),
        (("replay", "/nowhere.sqlite3"), "there is no such file"),
        (("odds", "--curve", "--throw", "5,3"), "leave out throw"),
        (("odds", "--set", "columns=24", "--set", "rows=6"), "at most 45000000 are possible"),
        (("odds", "--set", "alternate=true"), "leave out alternate"),
        (("odds", "--game", "pub", "--set", "score=double_front"), "allowed are showing"),
        (("odds", "--set", "rows=3", "--set", "score=double_front"), "needs two rows"),
        (("odds", "--set", "score=digits"), "reads one row"),
        (("odds", "--game", "3-down-extreme", "--board", "1 . . . . . . . ."), "played without front-1"),
        (("odds", "--game", "thai", "--throw", "4"), "2 dice"),
        (("odds", "--game", "2012", "--throw", "21"), "1 to 20"),
        (("odds", "--game", "dominoes", "--throw", "7,1"), "1 to 6"),
        (("odds", "--batch", "-", "--curve"), "leave out curve"),
        (("simulate", "--player", "Ann"), "say one of best, careless"),
        (("simulate", "--turns", "0"), "say at least 1"),
        (("simulate", "--games", "10"), "say --players steady,skilled"),
        (("simulate", "--players", "best,steady", "--turns", "10"), "leave out --player and --turns"),
        (("simulate", "--players", "best,brave"), "say some of best, careless"),
        (("demo", "--players", "0"), "1 to 6, or names"),
        (("demo", "--players", "Ann:brave"), "careless, casual, steady, skilled, perfect"),
        (("demo", "--match", "war"), "single, tournament, drop-out, points"),
        (("demo", "--game", "the-300", "--box", "two-level-9"), "boxes that can show it: the-300"),
        (("demo", "--game", "dominoes", "--box", "classic-9"), "dominoes-15, dominoes-21, dominoes-28"),
        (("play", "--mock", "--game", "the-300", "--box", "two-level-9"), "boxes that can show it: the-300"),
        (("play", "--mock", "--variant", "/nowhere.toml"), "/nowhere.toml cannot be read"),
        (("scores", "/nowhere.sqlite3"), "cannot be opened"),
        (("scores", "--alone", "--all"), "do not go together"),
        (("pair", "abc"), "'abc' is no number"),
    ],
)
def test_a_wrong_call_is_one_line_and_status_two(shutbox: Shutbox, call: tuple[str, ...], says: str) -> None:
    status, out, err = shutbox(*call)

    assert (status, out) == (2, "")
    assert says in err
    assert (err.count("\n"), "Traceback" in err) == (1, False)
