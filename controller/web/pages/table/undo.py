"""The reason why nothing can be taken back now, shown in place of the undo button."""

from collections.abc import Mapping

from controller.game.core.actions import Action, ActionKind
from controller.game.table.snapshot import Snapshot
from controller.words.words import Words


def why_no_undo(snapshot: Snapshot, theirs: Mapping[ActionKind, Action], words: Words) -> str:
    """Return why this audience can take nothing back; empty if it can. theirs: its actions, by kind."""
    _ = words.gettext
    if "undo" in theirs:
        return ""
    others = next((each.by for each in snapshot.actions if each.kind == "undo"), ())
    if others:
        return _("%(names)s may take it back, and nobody else.") % {"names": words.one_of(others)}
    if snapshot.options.get("undo") == "nobody":
        return _("Nothing is taken back in this game, as agreed.")
    if snapshot.phase == "choosing":
        return _("The dice lie: what was chosen before them stays.")
    if snapshot.options.get("undo_limit"):
        return _("There is nothing to take back, or it was done as often as agreed.")
    return _("There is nothing to take back yet.")
