"""What the odds say of one's own dice in a race: which to keep for what one goes for."""

from collections.abc import Sequence
from dataclasses import replace

from rich.console import RenderableType
from rich.text import Text

from controller.cli.fleet_words import draw_fleet_answer
from controller.cli.not_understood import NotUnderstood
from controller.cli.race.faces import parse_faces
from controller.cli.race.whose import column_of, mine, named_first, named_in_short, whose
from controller.game import ColumnView, GameChoice, RaceView, Snapshot
from controller.game.table.questions import FleetQuestion
from controller.rules.fleet import SET_SIZE, Dice
from controller.strategy import FleetBook
from controller.words import Words

_MOST_CHOICES = 3  # of dice to keep: others do not wait


def whose_advice(line: str, snapshot: Snapshot, names: Sequence[str], words: Words) -> ColumnView | None:
    """The column of the player who asks with this line what to keep, with his dice; None where nobody does.

    Where the box does not throw for him, he says what lies there. Raises `NotUnderstood` where nobody may be told.
    """
    race = snapshot.race
    if race is None:
        return None
    for player, rest in (*named_first(line, snapshot), (None, line), *named_in_short(line, snapshot)):
        first, *typed = rest.lower().replace(",", " ").split() or [""]
        if first in ("h", "hint"):
            if not snapshot.hints:
                raise NotUnderstood(words.gettext("Nobody is told the odds in this game, as agreed."))
            asks = player or _asker(line, snapshot, names, words)
            return _with_dice(column_of(snapshot, asks), typed, race, words)
    return None


def advise(snapshot: Snapshot, column: ColumnView, words: Words) -> RenderableType:
    """The advice, drawn for a terminal: for what was named, or else for what takes the fewest throws from here."""
    race = snapshot.race
    if race is None or snapshot.game is None:
        return Text("")
    book, choice = FleetBook(), GameChoice(snapshot.game, snapshot.options, snapshot.marks)
    # Where no die is kept for good, those that are kept now are thrown again if one likes.
    is_frozen = snapshot.options.get("keeping") == "frozen"
    throw, kept = (column.dice, column.kept) if is_frozen else ((*column.kept, *column.dice), ())
    told = {"throw": Dice(throw).plain, "kept": Dice(kept).plain} if throw else {}
    free = [column.named] if column.named else [row.name for row in race.rows if row.name not in column.boxes]
    questions = [FleetQuestion.about(choice, combination=name, **told) for name in free]
    answers = [(book.answer(question), question) for question in questions]
    possible = [each for each in answers if each[0]["value"] is not None] or answers
    found, question = min(possible, key=lambda each: each[0]["value"] or 0.0)
    return draw_fleet_answer(found, question, book, words, most=_MOST_CHOICES)


def _asker(line: str, snapshot: Snapshot, names: Sequence[str], words: Words) -> str:
    """The one of this terminal who races, or, where all have shouted, any who does."""
    if not mine(snapshot, names, "shout"):
        raise NotUnderstood(words.gettext("A hint is there while you race."))
    return whose(snapshot, names, "shout", line, words) or ""


def _with_dice(column: ColumnView, typed: Sequence[str], race: RaceView, words: Words) -> ColumnView:
    """The column with the dice that were typed."""
    if not typed:
        return column
    told = parse_faces(typed, race, words)
    if len(told) != SET_SIZE:
        text = words.gettext("Say all six dice, such as: {typed}")
        raise NotUnderstood(text.format(typed="h 2 2 3 4 5 6"))
    return replace(column, dice=Dice.of_words(told).faces, kept=())
