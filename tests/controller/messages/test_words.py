"""Names, labels and refusals in each language, and which language somebody is answered in."""

import inspect
from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

import pytest

from controller import errors
from controller.game.core.message import Language, compose
from controller.game.core.players import Strength
from controller.game.table.snapshot import TileView
from controller.messages.faults import fault_texts
from controller.messages.names import combination_title, document_title, faces_told, game_title, joker_name, mark_name
from controller.messages.options import option_label, option_value, strength_name
from controller.messages.refusals import explain_code
from controller.messages.words import LANGUAGE_NAMES, LANGUAGES, accepted_languages, choose_language, words_in
from controller.rules.fleet.cards import CARDS, CHOICES, Card
from controller.rules.fleet.combinations import COMBINATIONS
from controller.rules.fleet.dice import JOKER
from controller.rules.fleet.ruleset import fleet_rules_of
from controller.rules.options import Choice
from controller.rules.shutbox.games import GAMES
from controller.web.pages.scene import COLOURS
from tests.support.together import together

MOON = TileView("front-9", 1, 9, "moon", "showing")
ALL = [words_in(language) for language in LANGUAGES]
CODES = [each.code for _, each in inspect.getmembers(errors, inspect.isclass) if issubclass(each, errors.ShutboxError)]


@together(
    ("wanted", "language"),
    [
        ("de", "de"),
        ("de-CH,en;q=0.5", "de"),
        ("en;q=0.5, fr;q=0.7", "fr"),
        ("es, fr;q=0.3, de;q=0.9", "de"),
        ("fr;q=0, de;q=0.1", "de"),
        ("*", "en"),
        ("es", "en"),
        ("", "en"),
        ("fr;q=nan, de;q=0.2", "de"),
        ("fr;q=-1,de;q=inf", "en"),
        ("de ; Q=0.2, FR ; q = 0.8", "fr"),
        (";;;,,,q=", "en"),
        ("de;q=0.5,fr;q=0.5", "de"),
    ],
)
def test_the_best_liked_language_that_is_spoken_here_is_taken(wanted: str, language: Language) -> None:
    assert choose_language(accepted_languages(wanted)) == language


def test_every_language_has_its_name() -> None:
    assert set(LANGUAGE_NAMES) == set(LANGUAGES)


@together(
    ("game", "document", "summary", "choices"),
    [
        *((each.name, each.document, each.summary, each.choices) for each in GAMES.values()),
        *((each.name, each.document, each.summary, CHOICES) for each in CARDS.values()),
    ],
)
def test_a_game_and_its_options_are_told_without_keys(
    game: str, document: str, summary: str, choices: Sequence[Choice]
) -> None:
    for words in ALL:
        told = [game_title(words, game), words.gettext(summary)]
        assert document_title(words, document) != document
        for choice in choices:
            names = [option_value(words, choice.name, value) for value in choice.allowed]
            assert len(set(names)) == len(names), choice.name
            told += [option_label(words, choice.name), *names]
        assert not [text for text in told if not text or "_" in text]


def test_names_are_said_in_each_language() -> None:
    assert [game_title(words, "two-level") for words in ALL] == ["Two Level", "Zwei Reihen", "Deux rangs"]
    assert [game_title(words, "flash") for words in ALL] == ["Flash!", "Flash!", "Flash\u00a0!"]
    assert [option_value(words, "reveal", "same_throw") for words in ALL] == ["at once", "sofort", "aussitôt"]
    assert [option_value(words, "rounds", 5) for words in ALL] == ["5", "5", "5"]


@pytest.mark.parametrize("card", CARDS.values(), ids=list(CARDS))
def test_a_combination_is_called_as_the_sheet_has_it_and_in_each_language(card: Card) -> None:
    rules = fleet_rules_of(card.name)
    for name, combination in COMBINATIONS.items():
        english, *others = (combination_title(words, name, card.joker) for words in ALL)
        assert english == rules.title(combination)
        assert len({english, *others}) == len(ALL), name


def test_dice_are_told_with_their_jokers_by_the_picture() -> None:
    throw = (2, 5, JOKER, JOKER)
    assert [faces_told(words, throw, "boat") for words in ALL] == [
        "boat boat 2 5",
        "Boot Boot 2 5",
        "bateau bateau 2 5",
    ]
    assert [joker_name(words, "bolt") for words in ALL] == ["bolt", "Blitz", "éclair"]


def test_every_strength_of_the_house_has_a_name() -> None:
    for words in ALL:
        assert all(strength_name(words, strength) for strength in get_args(Strength))


def test_what_has_no_name_is_called_by_its_key() -> None:
    german = words_in("de")

    assert game_title(german, "upside-down") == "upside-down"
    assert option_label(german, "gravity") == "gravity"
    assert option_value(german, "gravity", "moon") == "moon"
    assert combination_title(german, "full-house", "boat") == "full-house"
    assert joker_name(german, "whale") == "whale"


def test_a_refusal_is_its_line_in_english_and_its_code_elsewhere() -> None:
    line = "this throw is made with 2 dice, not 1"

    assert words_in("en").refuse("C-301", line) == line
    assert words_in("de").refuse("C-301", line) == "Das geht gerade nicht."
    assert words_in("fr").refuse("V-999", line) == "Quelque chose ne va pas avec la caméra."
    assert words_in("fr").refuse("X-1", line) == "Ce n\u2019est pas possible."


@together("code", CODES)
def test_every_code_is_explained(code: str) -> None:
    assert explain_code(code, str).endswith(".")
    assert words_in("de").refuse(code, "-") != explain_code(code, str)


def test_every_text_about_faults_is_translated() -> None:
    assert all(words_in("de").pgettext("fault", text) != text for _, text in fault_texts())


def test_colours_on_tiles_have_names_in_every_language_and_other_marks_stay() -> None:
    german = words_in("de")
    assert all(mark_name(german, colour) != colour for colour in COLOURS)
    assert all(mark_name(words_in("en"), colour) == colour for colour in COLOURS)
    assert mark_name(german, "Moon") == "Moon"
    red = replace(MOON, mark="red")
    assert german.say(compose("choice.made", player="Ann", tiles=("front-9",)), (red,)) == "Ann nimmt die Klappe Rot."
