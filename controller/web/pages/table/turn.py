"""Whose turn it is: for who taps on a tile that is not his to shut, and for who plays in the place of another."""

from collections.abc import Collection

from controller.game import ActionKind, Caller, Snapshot
from controller.words import Words

_OF_PLAYER: frozenset[ActionKind] = frozenset({"roll", "dice", "choose", "accept"})


def why_not_now(snapshot: Snapshot, theirs: Collection[ActionKind], words: Words) -> str:
    """Why nobody here shuts a tile just now; empty where somebody does. theirs: what this audience can do."""
    _ = words.gettext
    if snapshot.turn is None or snapshot.phase not in ("awaiting_throw", "choosing", "turn_lost"):
        return ""
    if _OF_PLAYER.intersection(theirs):
        return _("The dice come first.") if snapshot.phase == "awaiting_throw" else ""
    if snapshot.house:
        return _("%(name)s is played by the box.") % {"name": snapshot.turn}
    held = next((seat.held for seat in snapshot.seats if seat.name == snapshot.turn), None)
    told = (
        _("%(name)s plays now, at the terminal.") if held == "terminal" else _("%(name)s plays now, on another device.")
    )
    return told % {"name": snapshot.turn}


def played_for(snapshot: Snapshot, caller: Caller, theirs: Collection[ActionKind]) -> str:
    """The player in whose place somebody plays just now who has a chair of his own; empty where nobody does."""
    is_other_s = bool(caller.seats) and snapshot.turn not in caller.seats and not snapshot.house
    return snapshot.turn or "" if is_other_s and _OF_PLAYER.intersection(theirs) else ""
