"""The list of games and the options of each, as the page shows them."""

import re

import pytest

from controller.box.compatibility import GameEntry, list_games
from controller.game.core.events import GameStarted
from controller.game.core.message import Language
from controller.game.core.players import Player
from controller.game.table.engines import any_rules_of
from controller.messages.words import words_in
from controller.rules.shutbox.games import GAMES as RULES
from controller.rules.shutbox.ruleset import rules_of
from controller.web.pages.phrases import describe_box
from controller.web.pages.terms import OptionField, list_games_for, terms_of
from hardware.box import box_names, load_box
from tests.support.together import together

ENGLISH = words_in("en")
GAMES = list_games()
# The card of fleet has neither All Even nor All Odd; in one row no tile is hidden.
MEANINGLESS = {"fleet": {"even_odd_jokers"}} | {
    game: {"one_die_total"}
    for game, preset in RULES.items()
    if preset.fixed.rows == 1 and "rows" not in (choice.name for choice in preset.choices)
}
RAW_KEY = re.compile(r"[a-z]+_[a-z_]+")


def fields_of(entry: GameEntry, last: GameStarted | None = None) -> dict[str, OptionField]:
    terms = terms_of(entry, last, ENGLISH)
    folded = (field for group in terms.folded for field in group.fields)
    return {field.name: field for field in (*terms.open, *folded)}


def entry_of(game: str) -> GameEntry:
    return next(each for each in GAMES if each.game == game)


@together("entry", GAMES, lambda entry: entry.game)
def test_nobody_reads_a_key(entry: GameEntry) -> None:
    fields = fields_of(entry)
    said = [words for field in fields.values() for words in (field.label, *(each[1] for each in field.choices))]

    assert not [each for each in said if RAW_KEY.search(each) or each in entry.options or each in ("true", "false")]
    wanted = {name for name, option in entry.options.items() if len(option.allowed) > 1}
    assert set(fields) == wanted - MEANINGLESS.get(entry.game, set())


@together("entry", GAMES, lambda entry: entry.game)
def test_what_is_sent_without_a_change_is_what_the_document_has(entry: GameEntry) -> None:
    assert terms_of(entry, None, ENGLISH).changed == 0
    assert all(field.value == field.default[0] for field in fields_of(entry).values())


def test_a_game_is_offered_as_it_was_started_last() -> None:
    last = GameStarted("pub", {"stake": 5, "one_die_forced": True, "tiles": 10}, (Player("Ann"),))
    fields = fields_of(entry_of("pub"), last)

    assert [fields[name].value for name in ("stake", "one_die_forced", "tiles")] == ["5", "true", "10"]
    assert terms_of(entry_of("pub"), last, ENGLISH).changed == 2  # the stake stands open anyway


def test_dice_that_follow_from_the_tiles_are_not_sent_unless_they_are_named() -> None:
    def dice(**options: int) -> str:
        chosen = rules_of("two-level", {"rows": 1, **options}).chosen
        return fields_of(entry_of("two-level"), GameStarted("two-level", chosen, (Player("Ann"),)))["dice"].value

    assert (dice(), dice(columns=18), dice(columns=18, dice=2), dice(dice=3)) == ("", "", "2", "3")
    assert fields_of(entry_of("two-level"))["dice"].default == ("", "as many as the tiles ask for")
    assert fields_of(entry_of("two-level"))["many_dice"].unless == ("dice", " 1 2")
    assert fields_of(entry_of("two-level"))["one_die_total"].unless == ("one_die", "never")


def test_an_option_says_beside_which_others_it_means_nothing() -> None:
    fields = fields_of(entry_of("pub"))

    assert fields["rounds"].unless == ("match", "single tournament drop-out")
    assert all(field.unless[0] in ("", *fields) for field in fields.values())
    for field in fields.values():
        other = fields.get(field.unless[0])
        assert other is None or not other.choices or set(field.unless[1].split()) < {each[0] for each in other.choices}


def test_a_number_says_what_its_least_value_means() -> None:
    fields = fields_of(entry_of("pub"))

    assert (fields["stake"].choices, fields["stake"].note) == ((), "0 means: none")
    assert fields["rounds"].note == ""


@together("name", box_names())
def test_the_games_of_a_box_come_first_and_others_say_where_they_are_played(name: str) -> None:
    box = load_box(name)
    metal = list_games_for(box, GAMES, can_change=False, words=ENGLISH)
    simulated = list_games_for(box, GAMES, can_change=True, words=ENGLISH)

    assert [line.is_here for line in metal] == sorted((line.is_here for line in metal), reverse=True)
    assert all(line.can_start == line.is_here == (not line.where) for line in metal)
    assert all(line.can_start for line in simulated)
    assert {line.where.split()[0] for line in simulated if line.where} <= {"played"}


@pytest.mark.parametrize(
    ("language", "played"),
    [
        ("en", ("played on 2 rows of 9 tiles", "played on one row of 9 tiles")),
        ("de", ("gespielt auf 2 Reihen mit 9 Klappen", "gespielt auf einer Reihe mit 9 Klappen")),
        ("fr", ("se joue sur 2 rangs de 9 clapets", "se joue sur un rang de 9 clapets")),
    ],
)
def test_a_game_of_one_row_is_not_said_to_be_played_on_two(language: Language, played: tuple[str, str]) -> None:
    lines = list_games_for(load_box("dominoes-15"), GAMES, can_change=True, words=words_in(language))
    where = {line.game: line.where for line in lines}
    assert (where["two-level"], where["pub"]) == played


def test_a_box_is_described_by_its_tiles() -> None:
    said = {name: describe_box(load_box(name), ENGLISH) for name in ("two-level-9", "the-300", "dominoes-15")}

    assert said == {
        "two-level-9": "2 rows of 9 tiles",
        "the-300": "one row of 24 tiles",
        "dominoes-15": "15 dominoes",
    }


@together("entry", GAMES, lambda entry: entry.game)
def test_the_chosen_game_is_drawn_as_its_turn_begins(entry: GameEntry) -> None:
    board, layout = terms_of(entry, None, ENGLISH).board, any_rules_of(entry.game, {}).layout
    assert (len(board.rows), board.columns) == (layout.rows, layout.columns)
    assert {tile.look for tile in board.rows[-1]} <= {"open", "absent"}


def test_it_is_drawn_by_the_options_of_last_time() -> None:
    last = GameStarted("two-level", rules_of("two-level", {"columns": 5}).chosen, (Player("Ann"),))
    assert terms_of(entry_of("two-level"), last, ENGLISH).board.columns == 5


def test_a_race_says_how_many_may_play_and_groups_what_is_about_its_dice() -> None:
    terms = terms_of(entry_of("flash"), None, ENGLISH)
    assert (terms.least, terms.most) == (2, 6)
    assert [group.title for group in terms.folded] == ["Dice and combinations", "Shouts and chips"]
    assert [field.name for field in terms.folded[0].fields][:2] == ["keeping", "groups"]


def test_who_names_for_all_is_asked_only_where_one_does() -> None:
    fields = fields_of(entry_of("fleet"))
    for name in ("namer", "first"):
        assert fields[name].unless == ("challenge", "announced unannounced in_order")


def test_the_chips_are_drawn_by_what_they_were_worth_last_time() -> None:
    last = GameStarted("fleet", {"chips": "1-3-8-15-25-40"}, (Player("Ann"), Player("Ben")))
    board = terms_of(entry_of("fleet"), last, ENGLISH).board
    assert [tile.mark for tile in board.rows[0]] == ["1", "3", "8", "15", "25", "40"]
