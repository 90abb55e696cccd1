"""The end of a game as a page shows it: by how much it was won, and how the box was left."""

from dataclasses import dataclass

from controller.game import Snapshot
from controller.web.pages.phrases import say_tiles
from controller.words import Words


@dataclass(frozen=True, slots=True)
class EndingView:
    """How a game ended. title: by how much it was won, or that it was shared. left: how the box stands, and by whom;
    empty after a race. has_luck: what was luck in it can be worked out.
    """

    title: str
    left: str
    has_luck: bool


def ending_of(snapshot: Snapshot, words: Words) -> EndingView | None:
    """The end of the game; None before it, and of one that was given up."""
    is_given_up = any(message.key == "game.given_up" for message in snapshot.messages)
    if snapshot.phase != "ended" or is_given_up:
        return None
    is_race = snapshot.race is not None
    left = "" if is_race else _say_left(snapshot, words)
    return EndingView(_say_result(snapshot, words), left, has_luck=not is_race)


def _say_result(snapshot: Snapshot, words: Words) -> str:
    _, winners = words.gettext, snapshot.winners
    if not winners:
        return _("Nobody has won.")
    if len(snapshot.seats) == 1:
        return _("Well played, {player}.").format(player=winners[0])
    if len(winners) > 1:
        return _("A draw for {players}.").format(players=words.all_of(winners))
    return _say_lead(winners[0], snapshot, words)


def _say_lead(winner: str, snapshot: Snapshot, words: Words) -> str:
    """By how much somebody won: in points, or in rounds where these are counted."""
    counted = snapshot.standing or {name: score for name, score in snapshot.scores.items() if score is not None}
    others = [number for name, number in counted.items() if name != winner]
    if not others or winner not in counted or snapshot.match == "drop-out":
        return words.gettext("{player} has won.").format(player=winner)
    if snapshot.match == "points":
        lead = counted[winner] - max(others)
        told = words.ngettext("{player} is {lead} round ahead.", "{player} is {lead} rounds ahead.", lead)
    else:
        # In a race the most points win, elsewhere the fewest.
        lead = counted[winner] - max(others) if snapshot.race else min(others) - counted[winner]
        told = words.ngettext("{player} wins by {lead} point.", "{player} wins by {lead} points.", lead)
    if lead <= 0:
        told = words.gettext("{player} has won.")
    return told.format(player=winner, lead=lead)


def _say_left(snapshot: Snapshot, words: Words) -> str:
    """How the last player left the box, which stands so until the next game begins."""
    _, given = words.gettext, {"player": snapshot.turn or ""}
    showing = [tile for tile in snapshot.tiles if tile.state == "showing"]
    if not showing:
        return _("The box as {player} left it: shut.").format(**given)
    return _("The box as {player} left it, open: {tiles}.").format(**given, tiles=say_tiles(showing, words))
