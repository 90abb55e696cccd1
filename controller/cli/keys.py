"""The keys of a game, as its help shows them."""

from controller.cli.race.hints import keys_of_race, other_keys_of_race
from controller.game.table.snapshot import Snapshot
from controller.words.words import Words


def keys_of_turn(words: Words, snapshot: Snapshot | None = None) -> dict[str, str]:
    """Return what can be typed in a turn, and what it does: no more than fits a terminal of 60 by 24.

    snapshot: of the present game; other families have other keys.
    """
    _ = words.gettext
    if snapshot is not None and snapshot.race is not None:
        return keys_of_race(words)
    return {
        "Enter": _("go on: throw (a real box: have the camera look now), take the only move, have the box try again"),
        "t 1": _("throw one die, where one is allowed"),
        _("a number"): _("take the move with that number"),
        "f7 b2": _("shut front-7 and back-2; tipping the tiles by hand does the same"),
        "d 5 3": _("tell the box that the dice show 5 and 3, where the camera is wrong or cannot read them"),
        "c, c 2": _("where the camera offers other readings: take the first, or the second"),
        "u": _("take back the last choice, as long as nobody has thrown since"),
        "h": _("a hint: the best moves by the odds"),
        "p": _("pause: nothing moves until somebody presses Enter"),
        "q": _("leave; the game is kept, and goes on when you start as you did now"),
        "??": _("what else can be typed: the board, after a fault, about seats, another game"),
    }


def other_keys(words: Words, snapshot: Snapshot | None = None) -> dict[str, str]:
    """Return what else can be typed, and what it does; it fits, too."""
    _ = words.gettext
    if snapshot is not None and snapshot.race is not None:
        return other_keys_of_race(words)
    return {
        "b": _("the board: [9] is up, (9) is hidden behind another, _9_ is shut, !9! is not where it should be"),
        "s": _("after a fault: the tile is where it should be, go on"),
        "e": _("after a fault: end this turn; all tiles that were chosen in it count as shut"),
        "i": _("after a fault: what is wrong, for whoever repairs the box"),
        "k": _("after a power cut: leave the tiles as they are, and count them so"),
        "new": _("start another game, once this one is over"),
        "give up": _("end this game for everybody; it asks once more"),
        "sit Ann": _("only Ann plays at this terminal from now on; other players need another"),
        "stand": _("undo that: whoever has no terminal of their own plays here"),
    }
