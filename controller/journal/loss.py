"""Find out which events are missing at the end of a journal, given one that is known to have been acknowledged.

The box itself knows such an event: its high-water mark. A client that watched the game knows another, which is not
stored on this memory card: only this reveals a card that has gone back to an earlier state as a whole.
"""

from controller.game.core.message import Messages, compose
from controller.journal.journal import Journal
from controller.journal.mark import NOTHING, Mark


def describe_loss(journal: Journal, mark: Mark) -> Messages:
    """Describe the events that are missing up to the marked one; return nothing if that event is in the journal."""
    if mark == NOTHING or journal.knows(mark):
        return ()
    lost = mark.number - journal.count_events(mark.game_id)
    if lost == mark.number:
        what = "game"
    elif lost > 0:
        what = "steps"
    else:
        what = "other"
    return (compose("journal.lost", game_id=mark.game_id, events=max(0, lost), lost=what),)


def describe_unkept(journal: Journal, seen: Mark) -> Messages:
    """Do the same for an event that a client has seen, which reveals a memory card that has gone back as a whole.

    Return nothing for an event before the last game: events are lost from the end only, and old games are packed.
    """
    return describe_loss(journal, seen) if seen.game_id >= journal.next_game_id() - 1 else ()
