"""What somebody is told who sits down at a game for the first time."""

import pytest

from controller.cli.play.introduction import introduce
from controller.game.core.players import Player
from controller.rules.shutbox.games import GAMES
from tests.support.together import together


def test_two_rows_are_told_with_what_is_hidden_and_who_the_house_is() -> None:
    lines = introduce("two-level", {}, players=(Player("Ann"), Player("House", house=True, strength="steady")))

    assert lines[0] == "two-level: Two rows. A back tile is in play once its front tile is down."
    assert lines[1].endswith("Your points are the sum of the numbers still showing. The lowest score wins.")
    assert lines[2] == "When the tiles still up add up to 6 or less, you may throw one die."
    assert lines[3].startswith("The 9 is behind the 1, the 8 behind the 2, and so on. A hidden tile")
    assert lines[3].endswith("not shut it with the same throw as the tile in front of it, only with a later one.")
    assert "(9) is hidden behind another" in lines[4]
    assert lines[-1].startswith("The box plays House well, with a mistake now and then.")


def test_one_row_has_nothing_hidden_and_people_alone_have_no_house() -> None:
    lines = introduce("missionary", {}, players=(Player("Ann"),))

    assert "Each tile that still shows is a point. The lowest score wins." in lines[1]
    assert not [line for line in lines if "hidden" in line or "House" in line]


@pytest.mark.parametrize(
    ("game", "given", "said", "unsaid"),
    [
        ("golf", {"score": "count"}, "golf: One row.", "sum of the open tiles"),
        ("two-level", {"rows": 3}, "two-level: 3 rows, one behind the other.", "Two rows."),
        ("even-stevens", {}, "even-stevens: Only the even tiles are up.", "one die"),
        ("two-level", {"one_die": "only1"}, "When only the 1 is up,", "shows, you may"),
        ("two-level", {"one_die": "only1", "one_die_total": "showing"}, "When only a 1 shows,", "only the 1"),
        ("two-level", {"one_die": "high_covered", "one_die_total": "showing"}, "no number above 6 shows,", "are shut,"),
    ],
)
def test_what_is_told_holds_with_what_was_chosen(game: str, given: dict[str, object], said: str, unsaid: str) -> None:
    text = "\n".join(introduce(game, given))
    assert said in text
    assert unsaid not in text


def test_where_hidden_tiles_cost_points_they_are_not_said_to_be_free() -> None:
    assert "scores nothing" not in " ".join(introduce("two-level", {"score": "standing"}))


@together("game", GAMES)
def test_every_game_is_introduced_in_a_few_lines(game: str) -> None:
    lines = introduce(game, {})

    assert lines[0] == f"{game}: {GAMES[game].summary.partition(' When ')[0]}"
    assert 4 <= len(lines) <= 7


@pytest.mark.parametrize(
    ("game", "given", "said"),
    [
        ("pub", {"one_die": "never"}, ""),
        ("pub", {}, "When 7 and all higher numbers are shut, you may throw one die."),
        ("maker", {"one_die_limit": 9}, "When the tiles still up add up to 9 or less, you may throw one die."),
        (
            "two-level",
            {"one_die_total": "showing"},
            "When the numbers still showing add up to 6 or less, you may throw one die.",
        ),
        ("golf", {"one_die": "only1", "one_die_forced": True}, "When only the 1 is up, you throw one die."),
    ],
)
def test_when_one_die_is_thrown_is_told_by_what_was_agreed_on(game: str, given: dict[str, object], said: str) -> None:
    told = [line for line in introduce(game, given) if "one die" in line]
    assert len(told) == bool(said)
    assert all(line.startswith(said) for line in told)


@pytest.mark.parametrize(
    ("game", "given", "said"),
    [
        (
            "double-shutter",
            {},
            "hidden ones included and the front row counted twice. The lowest score wins.",
        ),
        ("two-level", {"alternate": True}, "Everybody plays on one board. Players throw once each, in turn, and shut"),
        ("thai", {}, "Throw, shut the tile of one of the dice, or of their sum, and throw again"),
        ("dominoes", {}, "Throw, shut a domino that fits, and throw again"),
        ("dominoes", {"domino_match": "any_total"}, "Throw, shut tiles that add up to the throw"),
        (
            "lucky-7",
            {},
            "Everybody throws once, in turn, and shuts tiles that add up to the throw. Whoever shuts the box",
        ),
    ],
)
def test_a_turn_and_its_points_are_told_by_what_was_agreed_on(game: str, given: dict[str, object], said: str) -> None:
    assert said in introduce(game, given)[1]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"match": "points", "rounds": 2}, "The match has 2 rounds. The player who wins most of them wins the match."),
        ({"match": "tournament"}, "Points add up until somebody has 100. Then the lowest score wins."),
        (
            {"match": "drop-out", "match_limit": 30},
            "Points add up. A player with 30 is out, and the last player left wins.",
        ),
    ],
)
def test_a_match_says_when_it_ends_and_who_wins_it(given: dict[str, object], said: str) -> None:
    assert said in introduce("pub", given)
    assert said not in introduce("pub", {})


def test_where_revealed_tiles_count_at_once_the_back_row_is_told_so() -> None:
    [line] = [line for line in introduce("double-shutter", {}) if line.startswith("The 9 is behind")]
    assert line.endswith("You can shut a hidden tile only together with the tile in front of it.")
