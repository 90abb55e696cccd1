"""The player that a line typed in a race is for: everybody gives their own commands, and several may share a terminal.

Pure functions of a snapshot.
"""

from collections.abc import Iterator, Sequence

from controller.cli.not_understood import NotUnderstood
from controller.cli.places import acts_for
from controller.game.core.actions import ActionKind
from controller.game.fleet.engine import ColumnView
from controller.game.table.snapshot import Snapshot
from controller.words.words import Words


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
        text = words.gettext("Say whose it is first, such as: {typed}")
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
