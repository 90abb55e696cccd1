"""Advice in a race by the odds: which of their dice players should keep for their combination."""

from collections.abc import Sequence
from dataclasses import replace

from rich.console import RenderableType
from rich.text import Text

from controller.cli.fleet_words import draw_fleet_answer
from controller.cli.not_understood import NotUnderstood
from controller.cli.race.faces import parse_faces
from controller.cli.race.whose import column_of, mine, named_first, named_in_short, whose
from controller.game.fleet.engine import ColumnView
from controller.game.table.questions import FleetQuestion
from controller.game.table.snapshot import Snapshot
from controller.game.table.variants import GameChoice
from controller.rules.fleet.dice import SET_SIZE, Dice
from controller.strategy.fleet_book import FleetBook
from controller.words.words import Words

_MOST_ADVICE = 3  # choices of dice to keep: the others do not wait


def whose_advice(line: str, snapshot: Snapshot, names: Sequence[str], words: Words) -> ColumnView | None:
    """Return the column of the player who asks with this line which dice to keep; None if nobody asks.

    The line may say the dice, if the box has not thrown them. Raises `NotUnderstood`, also where hints are off.
    """
    race = snapshot.race
    if race is None:
        return None
    for player, rest in (*named_first(line, snapshot), (None, line), *named_in_short(line, snapshot)):
        first, *typed = rest.lower().replace(",", " ").split() or [""]
        if first not in ("h", "hint"):
            continue
        if not snapshot.hints:
            raise NotUnderstood(words.gettext("Nobody is told the odds in this game, as agreed."))
        if player is None and not mine(snapshot, names, "shout"):
            raise NotUnderstood(words.gettext("A hint is there while you race."))
        column = column_of(snapshot, player or whose(snapshot, names, "shout", line, words) or "")
        if not typed:
            return column
        told = parse_faces(typed, race, words)
        if len(told) != SET_SIZE:
            text = words.gettext("Say all six dice, such as: {typed}")
            raise NotUnderstood(text.format(typed="h 2 2 3 4 5 6"))
        return replace(column, dice=Dice.of_words(told).faces, kept=())
    return None


def advise(snapshot: Snapshot, column: ColumnView, words: Words) -> RenderableType:
    """Draw the advice for the named combination, or else for the one that takes the fewest throws from here."""
    race = snapshot.race
    if race is None or snapshot.game is None:
        return Text("")
    book, choice = FleetBook(), GameChoice(snapshot.game, snapshot.options, snapshot.marks)
    # Unless kept dice are frozen, they may be thrown again.
    is_frozen = snapshot.options.get("keeping") == "frozen"
    throw, kept = (column.dice, column.kept) if is_frozen else ((*column.kept, *column.dice), ())
    told = {"throw": Dice(throw).plain, "kept": Dice(kept).plain} if throw else {}
    free = [column.named] if column.named else [row.name for row in race.rows if row.name not in column.boxes]
    questions = [FleetQuestion.about(choice, combination=name, **told) for name in free]
    answers = [(book.answer(question), question) for question in questions]
    possible = [each for each in answers if each[0]["value"] is not None] or answers
    found, question = min(possible, key=lambda each: each[0]["value"] or 0.0)
    return draw_fleet_answer(found, question, book, words, most=_MOST_ADVICE)
