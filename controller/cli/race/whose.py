"""Whose a line is that is typed in a race: each gives commands for himself, and several may share one terminal.

Pure functions of a snapshot, as in `controller.cli.typed`.
"""

from collections.abc import Iterator, Sequence

from controller.cli.not_understood import NotUnderstood
from controller.cli.places import acts_for
from controller.game import ActionKind, ColumnView, Snapshot
from controller.words import Words


def mine(snapshot: Snapshot, names: Sequence[str], kind: ActionKind) -> tuple[str, ...]:
    """The players who can do something now, and for whom a terminal with the seats of `names` acts: its own first."""
    by = next((action.by for action in snapshot.actions if action.kind == kind), ())
    return tuple(name for name in by if name in names) or tuple(name for name in by if acts_for(snapshot, names, name))


def mine_due(snapshot: Snapshot, names: Sequence[str], kind: ActionKind) -> tuple[str, ...]:
    """The same, but for those who have done it already and may do it otherwise."""
    may = mine(snapshot, names, kind)
    if kind != "name":
        return may
    return tuple(name for name in may if not column_of(snapshot, name).has_named)


def whose(snapshot: Snapshot, names: Sequence[str], kind: ActionKind, line: str, words: Words) -> str | None:
    """The one player of this terminal whose it can be; None: the box knows it, or refuses it.

    Raises `NotUnderstood` where it can be several players'.
    """
    may = mine(snapshot, names, kind)
    due = mine_due(snapshot, names, kind) or may
    if len(due) > 1:
        text = words.gettext("Say whose it is first, such as: {typed}")
        raise NotUnderstood(text.format(typed=f"{due[0]} {line}"))
    return due[0] if due else None


def column_of(snapshot: Snapshot, player: str) -> ColumnView:
    """The column of a player on the sheet."""
    columns = snapshot.race.columns if snapshot.race is not None else ()
    return next((column for column in columns if column.player == player), ColumnView(player, {}, 0))


def named_first(line: str, snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """The players whose whole name a line begins with, and what follows it."""
    for name in sorted(snapshot.players, key=len, reverse=True):
        if line.lower().startswith(f"{name.lower()} "):
            yield name, line[len(name) :].strip()


def named_in_short(line: str, snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """The player whose name alone begins as the first word of a line does, and what follows it."""
    first, _, rest = line.partition(" ")
    found = [name for name in snapshot.players if first and name.lower().startswith(first.lower())]
    if len(found) == 1 and rest:
        yield found[0], rest.strip()
