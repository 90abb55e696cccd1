"""Advice in a race by the odds: which of their dice players should keep for their combination."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rich.console import RenderableType
from rich.text import Text

from controller.cli.odds_drawing import draw_fleet_answer
from controller.cli.play.tile_names import NotUnderstood
from controller.cli.race.seats import column_of, mine, mine_due, named_first, named_in_short, whose
from controller.cli.race.typed import first_throwers, free_combination, parse_faces
from controller.game.core.actions import ActionKind
from controller.game.fleet.engine import ColumnView
from controller.game.table.questions import FleetQuestion
from controller.game.table.snapshot import Snapshot
from controller.game.table.variants import GameChoice
from controller.messages.words import Words
from controller.opponents.hints import FleetBook
from controller.rules.fleet.dice import SET_SIZE, Dice

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
            raise NotUnderstood(words.gettext("Nobody sees the odds in this game, as agreed."))
        if player is None and not mine(snapshot, names, "shout"):
            raise NotUnderstood(words.gettext("You can get a hint while you race."))
        column = column_of(snapshot, player or whose(snapshot, names, "shout", line, words) or "")
        if not typed:
            return column
        told = parse_faces(typed, race, words)
        if len(told) != SET_SIZE:
            text = words.gettext("Type all six dice, for example: {typed}")
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


# The action of each player that a moment of a race waits for.
_DUE_IN_RACE: dict[str, ActionKind] = {"rolling_off": "claim", "naming": "name", "racing": "shout"}
PHASES = frozenset({"rolling_off", "naming", "ready", "counting", "racing"})


def race_hint(snapshot: Snapshot, names: Sequence[str], words: Words) -> tuple[str, ...]:
    """Return the hints for a terminal with the seats of `names`, in a phase of a race."""
    _ = words.gettext
    told: tuple[str, ...] = ()
    match snapshot.phase:
        case "ready":
            return (_("Enter: GO, when all are ready"), _("?: help"))
        case "counting":
            return (_("p: pause"),)
        case "rolling_off":
            told = tuple(_hints_of_roll(snapshot, names, words))
        case "naming":
            if due := mine_due(snapshot, names, "name"):
                typed = _typed("n straight", due)
                how = _("name a combination by its number or its name, such as {typed}")
                told = (how.format(typed=typed),)
        case "racing":
            told = tuple(_hints_of_race(snapshot, names, words))
    if told:
        return (*told, _("?: help"))
    kind = _DUE_IN_RACE.get(snapshot.phase)
    by = next((action.by for action in snapshot.actions if action.kind == kind), ())
    others = [name for name in by if kind != "name" or not column_of(snapshot, name).has_named]
    return (_("waiting for {names}").format(names=words.all_of(others)), _("p: pause")) if others else ()


def keys_of_race(words: Words) -> dict[str, str]:
    """Return what can be typed in a race, and what it does: no more than fits a terminal of 60 by 24."""
    _ = words.gettext
    return {
        "Enter": _("GO when all are ready; your first throw"),
        "n straight, n 8": _("name a combination, or its number"),
        "k 2 2 boat": _("keep these, throw the others; t: throw all"),
        "s": _("shout, when you have it"),
        "s straight": _("the same, if nothing was named before"),
        "c 2 2 2 5 5 boat": _("what your six dice show, after a shout"),
        "w": _("take your shout back"),
        "u": _("put the last chip back, until the next shout or GO"),
        "ann s": _("a command for Ann, if several people play here; a s works too"),
        "h": _("a hint: which dice to keep, by the odds"),
        "end round": _("end it for all who have not finished"),
    }


def _hints_of_roll(snapshot: Snapshot, names: Sequence[str], words: Words) -> Iterator[str]:
    due = mine(snapshot, names, "claim")
    if not due:
        return
    if mine(snapshot, names, "throw"):
        yield words.gettext("Enter: throw for {player}").format(player=due[0])
        return
    if snapshot.camera_reads:
        yield words.gettext("throw on the baize: the camera looks by itself")
    yield _typing(snapshot, due, words)


def _hints_of_race(snapshot: Snapshot, names: Sequence[str], words: Words) -> Iterator[str]:
    _ = words.gettext
    # The box knows the dice that it has thrown itself.
    if any(not column_of(snapshot, name).dice for name in mine(snapshot, names, "claim")):
        yield _typing(snapshot, (), words)
        yield _("w: take the shout back")
    may_throw, fresh = mine(snapshot, names, "throw"), first_throwers(snapshot, names)
    if fresh:
        yield _("Enter: throw for {player}").format(player=fresh[0])
    elif may_throw:
        yield _("{typed}: keep these, throw the others").format(typed=_typed("k 2 2", may_throw))
        if snapshot.hints:
            yield _("{typed}: hint").format(typed=_typed("h", may_throw))
    may_shout = mine(snapshot, names, "shout")
    if may_shout and snapshot.race is not None:
        column = column_of(snapshot, may_shout[0])
        line = "s" if column.named else f"s {free_combination(snapshot.race, may_shout[0])}"
        yield _("{typed}: shout, when you have it").format(typed=_typed(line, may_shout))


def _typing(snapshot: Snapshot, players: Sequence[str], words: Words) -> str:
    typed = _typed(f"c {snapshot.example}", players)
    return words.gettext("type c and what the six dice show, such as {typed}").format(typed=typed)


def _typed(line: str, players: Sequence[str]) -> str:
    """Return a line as it is typed for the first of these players: after the name, if there are several."""
    return f"{players[0].lower()} {line}" if len(players) > 1 else line
