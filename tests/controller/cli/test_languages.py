"""A seat speaks the language of the settings, whatever it says; what is typed stays as it is."""

import io
import re
from collections.abc import Callable, Iterator

import pytest
from rich.console import Console

from controller.cli.places import changes_of_pace, changes_of_seats, describe_seats
from controller.cli.play.drawing import draw_keys, draw_moves, draw_table
from controller.cli.play.hints import between_hint, hint_for, unread_hint
from controller.cli.play.introduction import introduce
from controller.cli.play.line_editor import keys_of_turn, other_keys
from controller.cli.play.tile_names import NotUnderstood
from controller.cli.play.typed import command_for
from controller.game.core.sight import Holding, SnapshotContext
from controller.game.table.snapshot import Snapshot, snapshot_of
from controller.messages.words import LANGUAGES, Words, words_in
from controller.rules.shutbox.games import GAMES
from tests.controller.cli.play.test_seat import (
    CHOOSING,
    DIFFERING,
    HALTED,
    LIKELY,
    LOST,
    MOVING,
    ONE_MOVE,
    PARKED,
    READING,
    THROWING,
    WANTED,
)
from tests.controller.game.shutbox.test_actions import CHOOSING as GAME
from tests.support.catalogues import languages
from tests.support.pseudo import OPENS, outside, pseudo_words
from tests.support.stories import table_of
from tests.support.strict_words import strict_words
from tests.support.together import together

MOMENTS = (CHOOSING, ONE_MOVE, THROWING, READING, LOST, HALTED, DIFFERING, PARKED, LIKELY, WANTED, MOVING)
LINES = ("", "1", "99", "c", "c 9", "c x", "t 9", "d", "d x", "nonsense", "give up", "u")
WORDS = [*map(strict_words, languages()), pseudo_words()]
AWAY = {"Ann": Holding("page", here=False)}
HERE = {"Ann": Holding("page", here=True)}


def named(words: Words) -> str:
    return words.language


def complaints(words: Words) -> Iterator[str]:
    for moment in MOMENTS:
        for line in LINES:
            try:
                command_for(line, moment, words)
            except NotUnderstood as error:
                yield str(error)


@pytest.mark.parametrize("words", WORDS, ids=named)
def test_hints_keys_and_complaints_are_said_in_every_language(words: Words) -> None:
    hints = [hint for moment in MOMENTS for hint in (*hint_for(moment, (), words), *unread_hint(moment, words))]
    said = [
        *hints,
        *between_hint(words),
        *keys_of_turn(words).values(),
        *other_keys(words).values(),
        *complaints(words),
    ]

    assert len(said) > 80
    assert not [text for text in said if "{" in text]
    if words.direction == "rtl":
        assert not [text for text in said if not text.startswith(OPENS)]


@pytest.mark.parametrize("words", [words_in(language) for language in LANGUAGES], ids=named)
@pytest.mark.parametrize("keys", [keys_of_turn, other_keys])
def test_help_fits_a_small_terminal_with_what_was_typed_and_the_next_line(
    words: Words, keys: Callable[[Words], dict[str, str]]
) -> None:
    console = Console(width=60, file=io.StringIO())
    with console.capture() as screen:
        console.print(draw_keys(keys(words)))
    lines = screen.get().splitlines()

    assert len(keys(words)) <= len(lines) <= 24 - 2
    assert max(map(len, lines)) <= 60


@together("words", WORDS, named)
@together("game", GAMES)
def test_every_game_is_introduced_in_every_language(words: Words, game: str) -> None:
    options = {"match": "points"} if "match" in {each.name for each in GAMES[game].choices} else {}
    lines = introduce(game, options, words=words)

    assert 4 <= len(lines) <= 8
    if words.direction == "rtl":
        assert not re.search("[a-z]{4}", outside("\n".join(lines)).replace(game, ""))


@pytest.mark.parametrize("words", WORDS, ids=named)
def test_places_are_told_in_every_language(words: Words) -> None:
    free, away, here = (seen_with(holdings) for holdings in ({}, AWAY, HERE))
    told = [
        *(line for pair in ((free, here), (here, away), (away, free)) for line in changes_of_seats(*pair, (), words)),
        *changes_of_pace(free, free, (), words),
        *hint_for(away, ("Bob",), words),
        *hint_for(here, ("Bob",), words),
        describe_seats((), words),
        describe_seats(("Ann", "Bob"), words),
    ]

    assert len(told) > 8
    if words.direction == "rtl":
        assert all(text.startswith(OPENS) for text in told)


def seen_with(holdings: dict[str, Holding]) -> Snapshot:
    return snapshot_of(GAME, SnapshotContext(1, 1, "two-level-9", holdings=holdings))


def test_scores_of_a_match_are_told_in_german() -> None:
    screen = io.StringIO()
    snapshot = snapshot_of(table_of(2, match="points", stake=2), SnapshotContext(1, 1, "two-level-9"))
    console = Console(file=screen, width=80)
    console.print(draw_table(snapshot, 80, words_in("de")))
    console.print(draw_moves(CHOOSING, words_in("de")))

    assert "Runde 1 von 5. Gewonnene Runden: Ann 0, Bob 0" in screen.getvalue()
    assert "Münzen: Ann -2, Bob -2; im Topf: 4" in screen.getvalue()
