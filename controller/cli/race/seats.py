"""The player that a line typed in a race is for: everybody gives their own commands, and several may share a terminal.

Pure functions of a snapshot.
"""

from collections.abc import Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table as Grid

from controller.cli.places import acts_for
from controller.cli.play.tile_names import NotUnderstood
from controller.cli.race.drawing import tell_dice, tell_time_left
from controller.game.core.actions import ActionKind
from controller.game.core.engine import AnyGame
from controller.game.core.events import GameEvent
from controller.game.fleet.engine import ColumnView
from controller.game.fleet.events import ChipReturned, ChipTaken
from controller.game.fleet.state import Finish, Race
from controller.game.table.engines import evolve
from controller.game.table.snapshot import Snapshot
from controller.messages.words import Words
from controller.rules.fleet.dice import Dice
from controller.runtime.output import print_json
from controller.runtime.terminal import answers, table


def mine(snapshot: Snapshot, names: Sequence[str], kind: ActionKind) -> tuple[str, ...]:
    """Return the players at a terminal with the seats of `names` who may do something now: those with a seat first."""
    by = next((action.by for action in snapshot.actions if action.kind == kind), ())
    return tuple(name for name in by if name in names) or tuple(name for name in by if acts_for(snapshot, names, name))


def mine_due(snapshot: Snapshot, names: Sequence[str], kind: ActionKind) -> tuple[str, ...]:
    """Return these players without those who have done it already, and may only change it."""
    may = mine(snapshot, names, kind)
    if kind != "name":
        return may
    return tuple(name for name in may if not column_of(snapshot, name).has_named)


def whose(snapshot: Snapshot, names: Sequence[str], kind: ActionKind, line: str, words: Words) -> str | None:
    """Return the one player of this terminal who may do something; None: the box knows the player, or refuses.

    Raises `NotUnderstood` if several players may.
    """
    may = mine(snapshot, names, kind)
    due = mine_due(snapshot, names, kind) or may
    if len(due) > 1:
        text = words.gettext("Start with the player's name, for example: {typed}")
        raise NotUnderstood(text.format(typed=f"{due[0]} {line}"))
    return due[0] if due else None


def column_of(snapshot: Snapshot, player: str) -> ColumnView:
    """Return the column of a player on the sheet."""
    columns = snapshot.race.columns if snapshot.race is not None else ()
    return next((column for column in columns if column.player == player), ColumnView(player, {}, 0))


def named_first(line: str, snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """Iterate over the players whose whole name begins a line, with the rest of the line."""
    for name in sorted(snapshot.players, key=len, reverse=True):
        if line.lower().startswith(f"{name.lower()} "):
            yield name, line[len(name) :].strip()


def named_in_short(line: str, snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """Iterate over the one player whose name begins like the first word of a line, with the rest of the line."""
    first, _, rest = line.partition(" ")
    found = [name for name in snapshot.players if first and name.lower().startswith(first.lower())]
    if len(found) == 1 and rest:
        yield found[0], rest.strip()


def tell_race(game: int, events: Sequence[GameEvent], race: Race, *, as_json: bool) -> None:
    """Tell the race of that number, from its first event on."""
    taken = _chips(events)
    totals = {player.name: total for player, total in zip(race.players, race.totals, strict=True)}
    if as_json:
        print_json({"game": game, "name": race.rules.name, "totals": totals, "chips": taken})
        return
    answers.print(f"Game {game}, {race.rules.name}.", markup=False)
    grid = Grid(box=SIMPLE_HEAD)
    for column in ("round", "player", "combination", "dice", "chip"):
        grid.add_column(column, justify="right" if column in ("round", "chip") else "left")
    for chip in taken:
        grid.add_row(*(str(chip[name] or "") for name in ("round", "player", "combination", "dice", "points")))
    table.print(grid)
    answers.print(", ".join(f"{name} {total}" for name, total in totals.items()), markup=False)


def _chips(events: Sequence[GameEvent]) -> list[dict[str, object]]:
    race: AnyGame | None = None
    chips: list[tuple[int, Finish, dict[str, object]]] = []
    for event in events:
        before, race = race, evolve(race, event)
        if not isinstance(before, Race) or not isinstance(race, Race):
            continue
        if isinstance(event, ChipTaken):
            taken = race.finishes[-len(event.players) :]
            for finish, dice in zip(taken, event.dice or ((),) * len(taken), strict=True):
                told = {
                    "round": before.round,
                    "player": before.players[finish.seat].name,
                    "combination": finish.combination,
                    "dice": Dice(tuple(dice)).tell(before.rules.card.joker),
                    "points": finish.points,
                }
                chips.append((before.round, finish, told))
        if isinstance(event, ChipReturned):
            chips = [each for each in chips if each[0] < race.round or each[1] in race.finishes]
    return [told for _round, _finish, told in chips]


_COUNTED = 3  # 1-2-3-GO
_TOLD_AT_S = frozenset({60, 30, 20, 10, 5, 3, 2, 1})  # of the last player's time: a line each second would be too many


def race_changes(before: Snapshot | None, after: Snapshot, names: Sequence[str], words: Words) -> Iterator[str]:
    """Iterate over the new lines for a terminal with the seats of `names`."""
    race, was = after.race, before.race if before is not None else None
    if before is None or race is None or was is None or before.game_id != after.game_id:
        return
    if after.phase == "counting" and after.countdown_s not in (None, before.countdown_s):
        yield f"{_COUNTED + 1 - (after.countdown_s or 0)} ..."
    people = [seat.name for seat in after.seats if seat.house is None and acts_for(after, names, seat.name)]
    for column in race.columns:
        old = column_of(before, column.player)
        if column.player in people and column.dice and (column.dice, column.kept) != (old.dice, old.kept):
            yield tell_dice(column, race, words)
    if race.left_s != was.left_s and race.left_s in _TOLD_AT_S and after.phase == "racing":
        yield tell_time_left(race.left_s, words)


def only_time_passed(before: Snapshot, after: Snapshot) -> bool:
    """Return whether nothing has changed in a race but the time of the last player."""
    if before.race is None or after.race is None or before.phase != after.phase or before.say != after.say:
        return False
    return before.race.left_s != after.race.left_s and before.news == after.news


def is_drawn(before: Snapshot | None, after: Snapshot) -> bool:
    """Return whether the sheet is drawn again: at the beginning of a round, and once its combinations are known."""
    if before is None:
        return True
    if before.phase == after.phase:
        return False
    # A player who names for all has the sheet in view already.
    return after.phase == "naming" or (after.phase == "ready" and after.options.get("challenge") != "in_turn")
