"""A race at a terminal: what a typed line means, whose it is, and what is drawn, told and offered."""

from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from controller.cli.play.drawing import draw_table
from controller.cli.play.hints import hint_for
from controller.cli.play.introduction import introduce
from controller.cli.play.line_editor import keys_of_turn, other_keys
from controller.cli.play.tile_names import NotUnderstood
from controller.cli.play.typed import command_for, complete_line
from controller.cli.race.hints import advise, whose_advice
from controller.cli.race.seats import race_changes
from controller.game.core.commands import Abandon, Believe, GoOn, Park, ReportFault, TryAgain, Undo
from controller.game.core.players import Player, Strength
from controller.game.core.sight import BLIND, Holding, OwnDice, SnapshotContext
from controller.game.fleet.commands import (
    CallGo,
    Claim,
    EndRound,
    NameCombination,
    Shout,
    ThrowOwnDice,
    WithdrawShout,
)
from controller.game.fleet.state import Race
from controller.game.table.snapshot import Snapshot, snapshot_of
from controller.game.table.wire import ClientCommand
from controller.messages.words import ENGLISH, Words, words_in
from controller.rules.fleet.cards import CARDS
from tests.controller.cli.play.test_drawing import printed
from tests.controller.conftest import Shutbox
from tests.controller.game.shutbox.test_actions import JAM
from tests.support.catalogues import languages
from tests.support.pseudo import OPENS, outside, pseudo_words
from tests.support.race_stories import race, race_of, racing, ready, shouted, taken
from tests.support.strict_words import strict_words
from tests.support.together import together

WORDS = [*map(strict_words, languages()), pseudo_words()]
THROWN = {"Ann": OwnDice((2, 2), (3, 4, 5, 7))}


def seen(game: Race, own: dict[str, OwnDice] | None = None, *, simulated: bool = True, held: str = "") -> Snapshot:
    """A race as a seat is shown it; `held`: a player who plays at a page."""
    holdings = {held: Holding("page", here=True)} if held else {}
    sight = replace(BLIND, own_dice=own or {})
    return snapshot_of(game, SnapshotContext(1, 1, "box", simulated=simulated, sight=sight, holdings=holdings))


NAMING = seen(race_of(2))
ALONE = seen(race(race_of(2), NameCombination("all-twos", "Bob")))
ROLLING = seen(race_of(2, challenge="in_turn"))
READY = seen(ready(2))
RACING = seen(racing(2))
HAVING_THROWN = seen(racing(2), THROWN)
ANNS = seen(racing(2), THROWN, held="Bob")
FREE = seen(racing(2, challenge="unannounced"), held="Bob")
SHOUTED = seen(shouted(racing(3), "Bob"))
TAKEN = seen(taken(racing(3), "Ann"))
HALTED = seen(race(racing(2), ReportFault(JAM)))
PARKED = seen(race(racing(2), Park()))
MOMENTS = (NAMING, ALONE, ROLLING, READY, RACING, HAVING_THROWN, ANNS, FREE, SHOUTED, TAKEN, HALTED, PARKED)


@together(
    ("line", "snapshot", "command"),
    [
        ("ann n straight", NAMING, NameCombination("straight", "Ann")),
        ("ann 8", NAMING, NameCombination("straight", "Ann")),
        ("b three pairs", NAMING, NameCombination("three-pairs", "Bob")),
        ("n 1", ALONE, NameCombination("all-twos", "Ann")),
        ("pair", ALONE, NameCombination("pair-and-four", "Ann")),
        ("boats", ALONE, NameCombination("all-jokers", "Ann")),
        ("", ROLLING, ThrowOwnDice(player="Ann")),
        ("bob t", ROLLING, ThrowOwnDice(player="Bob")),
        ("", READY, CallGo()),
        ("go", READY, CallGo()),
        ("", RACING, ThrowOwnDice(player="Ann")),
        ("", HAVING_THROWN, ThrowOwnDice(player="Bob")),
        ("ann k 3 boat", HAVING_THROWN, ThrowOwnDice((3, "joker"), "Ann")),
        ("k 34b", ANNS, ThrowOwnDice((3, 4, "joker"), "Ann")),
        ("t", ANNS, ThrowOwnDice((), "Ann")),
        ("Ann Fleet!", RACING, Shout(None, "Ann")),
        ("s", ANNS, Shout(None, "Ann")),
        ("s all boats", FREE, Shout("all-jokers", "Ann")),
        ("c 2 2 3 3 b joker", SHOUTED, Claim((2, 2, 3, 3, "joker", "joker"), "Bob")),
        ("d 223344", SHOUTED, Claim((2, 2, 3, 3, 4, 4), "Bob")),
        ("w", SHOUTED, WithdrawShout("Bob")),
        ("end round", TAKEN, EndRound()),
        ("u", TAKEN, Undo()),
        ("p", RACING, Park()),
        ("give up yes", RACING, Abandon()),
        ("", HALTED, TryAgain()),
        ("s", HALTED, Believe()),
        ("", PARKED, GoOn()),
    ],
)
def test_a_line_of_a_race_becomes_a_command(line: str, snapshot: Snapshot, command: ClientCommand) -> None:
    assert command_for(line, snapshot) == command


@together(
    ("line", "snapshot", "said"),
    [
        ("n straight", NAMING, "Start with the player's name, for example: Ann n straight"),
        ("s", RACING, "Start with the player's name, for example: Ann s"),
        ("t", HAVING_THROWN, "Start with the player's name"),
        ("all", ALONE, "Which one: All Twos, All Threes"),
        ("n 11", ALONE, "The combinations are numbered 1 to 10."),
        ("n all-odd", ALONE, "'all-odd' is no combination of this sheet."),
        ("s", FREE, "Name the combination, for example: s straight"),
        ("Ann s", seen(racing(2, challenge="unannounced")), "Name the combination, for example: Ann s straight"),
        ("n", ALONE, "Name the combination, for example: n straight"),
        ("k", ANNS, "Type the dice you keep, for example: k 2 2"),
        ("k 9", ANNS, "'9' is no face of these dice: they show 2 to 6 and boat."),
        ("k 3 3", ANNS, "Not all of these are there: boat 3 4 5."),
        ("k 3", FREE, "Not all of these are there: none."),
        ("k 2 2 2 3 3 4 5", ANNS, "Not all of these are there"),
        ("c 2 2 3", SHOUTED, "Type all six dice, for example: c 2 2 3 5 6 boat"),
        ("c 2 2 3 3 4 4", RACING, "'c 2 2 3 3 4 4' is not possible now."),
        ("shout", READY, "'shout' is not possible now."),
        ("3", RACING, "There is nothing to choose by number now."),
        ("", NAMING, "The game waits. Round 1 of 10: name combinations, Ann and Bob."),
        ("", ANNS, "The game waits. Round 1 of 10 is on"),
        ("t", seen(racing(2), simulated=False), "'t' is not possible now."),
    ],
)
def test_a_line_that_means_nothing_in_a_race_is_told_so(line: str, snapshot: Snapshot, said: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        command_for(line, snapshot)
    assert str(refused.value).startswith(said)


def test_enter_never_shouts() -> None:
    for snapshot in MOMENTS:
        try:
            assert not isinstance(command_for("", snapshot), Shout)
        except NotUnderstood:
            continue


def test_a_player_who_is_called_like_a_command_is_one_only_before_another() -> None:
    game = racing(2)
    players = (Player("Throw"), Player("Keep it"))
    named = seen(replace(game, players=players))
    assert command_for("throw s", named) == Shout(None, "Throw")
    assert command_for("keep it t", named) == ThrowOwnDice((), "Keep it")


@pytest.mark.parametrize(
    ("snapshot", "hint"),
    [
        (NAMING, ("name a combination by its number or its name, such as ann n straight", "?: help")),
        (READY, ("Enter: GO, when all are ready", "?: help")),
        (ROLLING, ("Enter: throw for Ann", "?: help")),
        (ANNS, ("k 2 2: keep these, throw the others", "h: hint", "s: shout, when you have it", "?: help")),
        (FREE, ("Enter: throw for Ann", "s straight: shout, when you have it", "?: help")),
        (
            SHOUTED,
            (
                "type c and what the six dice show, such as c 2 2 3 5 6 boat",
                "w: take the shout back",
                "Enter: throw for Ann",
                "ann s: shout, when you have it",
                "?: help",
            ),
        ),
        (seen(race_of(2), held="Ann"), ("name a combination by its number or its name, such as n straight", "?: help")),
        (
            seen(race_of(2, challenge="in_turn"), simulated=False),
            (
                "throw on the baize: the camera looks by itself",
                "type c and what the six dice show, such as ann c 2 2 3 5 6 boat",
                "?: help",
            ),
        ),
    ],
)
def test_a_hint_says_what_can_be_typed_and_for_whom(snapshot: Snapshot, hint: tuple[str, ...]) -> None:
    assert hint_for(snapshot) == hint


def test_who_has_nothing_to_do_hears_for_whom_the_race_waits() -> None:
    named = race(race_of(2), NameCombination("straight", "Bob"))
    assert hint_for(seen(named, held="Ann"), ("Bob",)) == ("waiting for Ann", "p: pause")


def test_lines_of_a_race_are_completed() -> None:
    assert complete_line("name s", ALONE) == ("name straight",)
    assert complete_line("ann name t", NAMING) == ("Ann name three-pairs", "Ann name two-threes")
    assert complete_line("g", READY)[0] == "go"
    assert complete_line("ann s", RACING) == ("Ann shout",)
    assert "shout all-twos" in complete_line("s", FREE)
    assert complete_line("end", RACING) == ("end round",)
    assert complete_line("w", SHOUTED) == ("withdraw",)


@together("width", [60, 80])
@together("words", [words_in("en"), *WORDS], lambda words: words.language)
@together("game", CARDS)
def test_a_sheet_of_six_fits_a_terminal(game: str, words: Words, width: int) -> None:
    own = {name: OwnDice((2, 2), (3, 4, 5, 7)) for name in ("Ann", "Bob", "Cleo")}
    lines = printed(draw_table(seen(taken(racing(3, game), "Ann"), own), width, words), width)
    assert max(map(len, lines)) <= width
    assert len(lines) <= 24 - 4


def test_a_sheet_tells_what_each_has_and_goes_for() -> None:
    lines = printed(draw_table(TAKEN, 80))
    assert lines[0].split() == ["Ann", "Bob", "Cleo"]
    assert lines[8].split() == ["8", "Straight", "▸", "▸", "▸"]
    assert lines[11].split() == ["This", "round", "3"]
    assert lines[12].split() == ["Total", "3", "0", "0"]
    assert lines[13] == "Chips: [1]  [2]  _3_ Ann"
    assert printed(draw_table(HAVING_THROWN, 80))[-1] == "Ann: boat 3 4 5; kept: 2 2"


def test_dice_that_are_thrown_here_are_told_and_a_second_that_is_left() -> None:
    assert [*race_changes(RACING, HAVING_THROWN, (), ENGLISH)] == ["Ann: boat 3 4 5; kept: 2 2"]
    assert not [*race_changes(RACING, seen(racing(2), THROWN, held="Ann"), ("Bob",), ENGLISH)]
    hurry = taken(racing(2, timer=5), "Ann")
    pairs = [(seen(replace(hurry, left_s=left)), seen(replace(hurry, left_s=left - 1))) for left in (5, 4)]
    assert [[*race_changes(*pair, (), ENGLISH)] for pair in pairs] == [[], ["3 seconds left"]]


@pytest.mark.parametrize(
    ("line", "snapshot", "said"),
    [
        ("h", ANNS, "Straight with 2 2 kept can never be thrown."),
        ("h 2 3 4 5 6 b", ANNS, "Straight: shout Fleet!"),
        ("ann h 2 2 2 2 2 b", RACING, "Keep boat: you then need 2.92 more throws on average."),
        ("bob h", RACING, "Straight takes 3.76 throws on average, if the best dice are kept."),
        ("h 2 2 2 2 2 b", FREE, "All Twos: shout Fleet!"),
        ("h", seen(racing(2, keeping="unfrozen"), THROWN, held="Bob"), "Keep boat: you then need 2.92"),
    ],
)
def test_a_hint_is_of_ones_own_dice(line: str, snapshot: Snapshot, said: str) -> None:
    column = whose_advice(line, snapshot, (), ENGLISH)
    assert column is not None
    assert printed(advise(snapshot, column, ENGLISH))[0].startswith(said)


@pytest.mark.parametrize(
    ("line", "snapshot", "said"),
    [
        ("h", seen(racing(2, hints="never"), THROWN), "Nobody sees the odds"),
        ("h", READY, "You can get a hint while you race."),
        ("h", RACING, "Start with the player's name"),
        ("h 2 2 2 2 2 2 2", ANNS, "Type all six"),
        ("h 2 2", ANNS, "Type all six dice, for example: h 2 2 3 4 5 6"),
    ],
)
def test_a_hint_that_is_not_given_is_refused_in_a_line(line: str, snapshot: Snapshot, said: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        whose_advice(line, snapshot, (), ENGLISH)
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize("words", WORDS, ids=lambda words: words.language)
def test_hints_keys_and_complaints_of_a_race_are_said_in_every_language(words: Words) -> None:
    said = [hint for moment in MOMENTS for hint in hint_for(moment, (), words)]
    said += [*keys_of_turn(words, RACING).values(), *other_keys(words, RACING).values()]
    for moment in MOMENTS:
        for line in ("", "n 99", "n x", "all", "s", "k 9", "c 2", "h", "t"):
            try:
                command_for(line, moment, words)
            except NotUnderstood as error:
                said.append(str(error))
    assert len(said) > 80
    assert not [text for text in said if "{" in text]
    if words.direction == "rtl":
        assert not [text for text in said if not text.startswith(OPENS)]


@together("words", [words_in("en"), *WORDS], lambda words: words.language)
@together("challenge", ["announced", "unannounced", "in_turn", "in_order"])
@together("game", CARDS)
def test_a_race_is_introduced_in_every_language_by_what_was_agreed_on(game: str, challenge: str, words: Words) -> None:
    house = [Player(f"House {each}", house=True, strength=each) for each in get_args(Strength)]
    options = {"challenge": challenge, "timer": 10, "keeping": "unfrozen"}
    lines = introduce(game, options, players=house, words=words)
    assert lines[0].startswith(f"{game}: ")
    assert len(lines) == 6 + len(house)
    assert introduce(game, {}, words=words)[1:] != lines[1:6]
    if words.direction == "rtl":
        assert OPENS in outside(lines[1]) + lines[1]


def test_marks_are_not_for_chips(shutbox: Shutbox, tmp_path: Path) -> None:
    marks = tmp_path / "marks.toml"
    marks.write_text('tiles = { front-1 = "sun" }\n')
    status, _, err = shutbox("play", "--mock", "--game", "fleet", "--players", "Ann,Bob", "--marks", str(marks))
    assert (status, err) == (2, "shutbox: fleet has chips and no marks; leave out the marks\n")
