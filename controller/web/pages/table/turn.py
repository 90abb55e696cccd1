"""Whose turn it is, for clients that tap a tile out of turn, and for those that play for another player."""

from collections.abc import Collection

from controller.game.core.actions import ActionKind
from controller.game.table.caller import Caller
from controller.game.table.snapshot import Snapshot
from controller.words.words import Words

_OF_PLAYER: frozenset[ActionKind] = frozenset({"roll", "dice", "choose", "accept"})


def why_not_now(snapshot: Snapshot, theirs: Collection[ActionKind], words: Words) -> str:
    """Return why this audience cannot shut a tile now; empty if it can. theirs: the actions of this audience."""
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
    """Return the other player for whom this client, which has a chair of its own, plays now; empty if for none."""
    is_other_s = bool(caller.seats) and snapshot.turn not in caller.seats and not snapshot.house
    return snapshot.turn or "" if is_other_s and _OF_PLAYER.intersection(theirs) else ""
