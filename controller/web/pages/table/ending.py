"""The end of a game as a page shows it: the winner's lead, and the state of the box."""

from dataclasses import dataclass

from controller.game.table.snapshot import Snapshot
from controller.messages.words import Words
from controller.web.pages.phrases import say_tiles


@dataclass(frozen=True, slots=True)
class EndingView:
    """The end of a game."""

    title: str  # the winner and the lead, or a draw
    left: str  # the state in which the last player left the box, which stays until the next game; empty after a race
    has_luck: bool  # its luck can be computed


def ending_of(snapshot: Snapshot, words: Words) -> EndingView | None:
    """Return the end of the game; None before it, and for a game that was given up."""
    _, winners = words.gettext, snapshot.winners
    is_given_up = any(message.key == "game.given_up" for message in snapshot.messages)
    if snapshot.phase != "ended" or is_given_up:
        return None
    if not winners:
        title = _("Nobody has won.")
    elif len(snapshot.seats) == 1:
        title = _("Well played, {player}.").format(player=winners[0])
    elif len(winners) > 1:
        title = _("A draw for {players}.").format(players=words.all_of(winners))
    else:
        # In points, or in rounds if the match counts these. In a race the most points win, otherwise the fewest.
        counted = snapshot.standing or {name: score for name, score in snapshot.scores.items() if score is not None}
        others, lead = [number for name, number in counted.items() if name != winners[0]], 0
        if others and winners[0] in counted and snapshot.match != "drop-out":
            most_win = snapshot.match == "points" or snapshot.race is not None
            lead = counted[winners[0]] - max(others) if most_win else min(others) - counted[winners[0]]
        title = words.ngettext("{player} wins by {lead} point.", "{player} wins by {lead} points.", lead)
        if snapshot.match == "points":
            title = words.ngettext("{player} is {lead} round ahead.", "{player} is {lead} rounds ahead.", lead)
        if lead <= 0:
            title = _("{player} has won.")
        title = title.format(player=winners[0], lead=lead)
    if snapshot.race is not None:
        return EndingView(title, left="", has_luck=False)
    showing = [tile for tile in snapshot.tiles if tile.state == "showing"]
    left = _("The box as {player} left it, open: {tiles}.") if showing else _("The box as {player} left it: shut.")
    return EndingView(title, left.format(player=snapshot.turn or "", tiles=say_tiles(showing, words)), has_luck=True)
