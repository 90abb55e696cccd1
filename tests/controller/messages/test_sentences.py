"""Every message is a sentence in every language, whatever the names in it are."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import cast, get_args

import pytest

from controller.game.core.message import CATALOGUE, Datum, Language, Message, MessageKey, Messages, compose
from controller.game.core.sight import JobKind
from controller.game.table.snapshot import TileView
from controller.messages.words import LANGUAGES, SENTENCES, words_in
from tests.support.catalogues import languages
from tests.support.pseudo import OPENS, outside, pseudo_words
from tests.support.strict_words import strict_words
from tests.support.together import together

LETTERS = re.compile(r"[^\W\d_]")
RAW = re.compile(r"\b(front|back|row\d+)-\d|\b[HVJC]-\d{3}\b")
# Names of people and devices; some look like places of a template.
ODD = ("{player}", "%(num)s", "{0}", "}{", "%", "\\1", "שרה", "W" * 24, "Zoë-Ånn 2.", "'; --")
NAMED = ("player", "thrower", "players", "name", "totals", "coins")
SHOUTED = ("race.go", "race.shout")
MOON = TileView("front-9", 1, 9, "{moon}", "showing")
BEHIND = TileView("back-9", 2, 9, "1", "hidden")


def test_every_key_has_its_sentence() -> None:
    assert set(SENTENCES) == set(get_args(MessageKey)) == set(CATALOGUE)


@pytest.mark.parametrize("language", languages())
def test_every_message_is_said_in_every_language(language: str, spoken: Messages) -> None:
    words = strict_words(language)
    assert {message.key for message in spoken} == set(CATALOGUE)
    for message in spoken:
        said = words.say(message)
        assert said != words_in("en").say(message), message.key
        assert said == said.strip(), message.key
        assert not said[0].islower(), said
        assert said.endswith("!" if message.key in SHOUTED else (".", "?")), said
        assert not set("{}" if message.key in SHOUTED else "{}!").intersection(said), said


def test_english_at_a_terminal_names_tiles_as_they_are_typed_and_codes_of_faults(spoken: Messages) -> None:
    for message in spoken:
        said = words_in("en").say_at_terminal([message])
        tiles = message.args.get("tiles", (message.args["tile"],) if "tile" in message.args else ())
        assert all(str(tile) in said for tile in cast("tuple[str, ...]", tiles)), said
        if message.key in ("fault", "game.halted"):
            assert said.endswith(f"(code {message.args['code']})")


def test_english_for_people_names_no_tile_as_it_is_typed_and_no_code(spoken: Messages) -> None:
    for message in spoken:
        said = words_in("en").say(message)
        assert not RAW.search(said), said


@together("kind", get_args(JobKind))
@together("language", languages())
def test_every_job_is_said_in_every_language(language: str, kind: JobKind) -> None:
    assert strict_words(language).say(compose("job.under_way", kind=kind)).endswith(".")


def test_a_tile_is_called_by_where_it_stands_on_pages_alone() -> None:
    message = compose("choice.made", player="Ann", tiles=("front-9",))
    assert words_in("en").say(message) == "Ann chooses the 9 in front."
    assert words_in("en").say_at_terminal([message]) == "Ann chooses front-9."


def test_no_word_of_ours_stands_outside_the_catalogue(spoken: Messages) -> None:
    for message in spoken:
        said = pseudo_words().say(message)
        assert said.startswith(OPENS), said
        assert not LETTERS.search(outside(said)), said


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("language", languages())
def test_a_name_may_hold_anything_and_stays_as_it_is(language: Language, name: str, spoken: Messages) -> None:
    words, mentioned = words_in(language), 0
    for message in spoken:
        odd = replace(message, args={key: rename(key, datum, name) for key, datum in message.args.items()})
        if message.key != "tiles.moving" and any(message.args.get(key) for key in NAMED):
            mentioned += 1
            assert name in words.say(odd), message.key
    assert mentioned > 20


def rename(key: str, datum: Datum, name: str) -> Datum:
    if key not in NAMED:
        return datum
    if isinstance(datum, tuple):
        return tuple(f"{name}{number}" for number, _ in enumerate(datum))
    if isinstance(datum, Mapping):
        return {f"{name}{number}": value for number, value in enumerate(datum.values())}
    return name if isinstance(datum, str) else datum


@together(
    ("message", "german", "french"),
    [
        (
            compose("throw.awaited", player="Ann", thrower="Ann", by_house=False, counts=(1, 2), sides=6),
            "Ann: wirf einen oder zwei Würfel.",
            "Ann : lance un ou deux dés.",
        ),
        (
            compose("throw.awaited", player="House", thrower="Ann", by_house=True, counts=(1,), sides=6),
            "House wirft einen Würfel.",
            "House lance un dé.",
        ),
        (
            compose("throw.awaited", player="House", thrower="Ann", by_house=False, counts=(1,), sides=20),
            "Ann: wirf einen Würfel mit 20 Seiten für House.",
            "Ann : lance un dé à 20 faces pour House.",
        ),
        (
            compose("throw.awaited", player="House", thrower="", by_house=False, counts=(5,), sides=6),
            "Werft 5 Würfel für House.",
            "Lancez 5 dés pour House.",
        ),
        (
            compose("choice.due", player="Ann", dice=(5,), faces=("5",), total=5),
            "Ann hat 5 geworfen. Wähle passende Klappen.",
            "Ann a fait 5. Choisis des clapets qui vont.",
        ),
        (
            compose("choice.due", player="Ann", dice=(2, 5), faces=("sun", "moon"), total=7),
            "Ann hat sun und moon geworfen, zusammen 7. Wähle passende Klappen.",
            "Ann a fait sun et moon, 7 en tout. Choisis des clapets qui vont.",
        ),
        (compose("turn.ended", player="Ann", score=1), "Ann endet mit 1 Punkt.", "Ann finit avec 1 point."),
        (compose("turn.ended", player="Ann", score=0), "Ann endet mit 0 Punkten.", "Ann finit avec 0 point."),
        (
            compose("game.won", player="Ann", score=3, rounds=5, match="points"),
            "Ann gewinnt mit 3 von 5 Runden.",
            "Ann gagne avec 3 sur 5 manches.",
        ),
        (
            compose("game.won", player="Ann", score=40, rounds=4, match="tournament"),
            "Ann gewinnt mit insgesamt 40 nach 4 Runden.",
            "Ann gagne avec 40 en tout après 4 manches.",
        ),
        (
            compose("choice.made", player="Ann", tiles=("front-3", "back-2", "row3-1")),
            "Ann nimmt die 3 vorn, die 2 hinten und die 1 in Reihe 3.",
            "Ann prend le 3 de devant, le 2 de derrière et le 1 du rang 3.",
        ),
        (
            compose("choice.made", player="Ann", tiles=("2-5",)),
            "Ann nimmt die Klappe 2-5.",
            "Ann prend le clapet 2-5.",
        ),
        (
            compose("wear.slower", tile="back-3", way="up", now_s=0.3, before_s=0.25),
            "Die 3 hinten braucht zum Aufstellen 0,30 s, früher 0,25 s: schau, ob sie reibt.",
            "Le 3 de derrière se lève en 0,30 s, contre 0,25 s avant : regarde s\u2019il frotte.",
        ),
    ],
)
def test_a_sentence_is_as_people_say_it(message: Message, german: str, french: str) -> None:
    assert words_in("de").say(message) == german
    assert words_in("fr").say(message).replace("\u00a0", " ") == french


def test_a_tile_is_called_by_what_stands_on_it_and_by_its_place_where_there_are_several() -> None:
    message = compose("choice.made", player="Ann", tiles=("front-9",))

    assert words_in("de").say(message, (MOON, BEHIND)) == "Ann nimmt die Klappe {moon} vorn."
    assert words_in("de").say(message, (MOON,)) == "Ann nimmt die Klappe {moon}."
    assert words_in("de").say(message, (replace(MOON, mark="9"),)) == "Ann nimmt die 9."


@together("seen", ["OPEN", "SHUT", "BETWEEN", "UNKNOWN"])
@together("expected", ["OPEN", "SHUT"])
@together("language", languages())
def test_a_tile_that_is_elsewhere_is_told_with_both_places(language: str, seen: str, expected: str) -> None:
    if seen != expected:
        one, two = (say_found(language, names, seen, expected) for names in (("front-1",), ("front-1", "front-2")))
        assert one != two


def say_found(language: str, names: tuple[str, ...], seen: str, expected: str) -> str:
    places = {"seen": (seen,) * len(names), "expected": (expected,) * len(names)}
    return strict_words(language).say(compose("tiles.differing", tiles=names, **places))


@pytest.mark.parametrize("language", LANGUAGES)
def test_several_messages_are_said_one_after_the_other(language: Language) -> None:
    words, idle = words_in(language), compose("table.idle")

    assert words.say_all([idle, idle]) == f"{words.say(idle)} {words.say(idle)}"
    assert words.say_all([]) == ""
