"""Find out which events are missing at the end of a journal, given one that is known to have been acknowledged.

The box itself knows such an event: its high-water mark. A client that watched the game knows another, which is not
stored on this memory card: only this reveals a card that has gone back to an earlier state as a whole.
"""

from controller.game.core.message import Messages, compose
from controller.journal.journal import Journal
from controller.journal.mark import BEFORE_FIRST_EVENT, HighWaterMark


def describe_lost_events(journal: Journal, mark: HighWaterMark) -> Messages:
    """Describe the events that are missing up to the marked one; return nothing if that event is in the journal."""
    if mark == BEFORE_FIRST_EVENT or journal.knows(mark):
        return ()
    lost = mark.number - journal.count_events(mark.game_id)
    if lost == mark.number:
        what = "game"
    elif lost > 0:
        what = "steps"
    else:
        what = "other"
    return (compose("journal.lost", game_id=mark.game_id, events=max(0, lost), lost=what),)


def describe_lost_for_client(journal: Journal, seen: HighWaterMark) -> Messages:
    """Do the same for an event that a client has seen, which reveals a memory card that has gone back as a whole.

    Return nothing for an event before the last game: events are lost from the end only, and old games are packed.
    """
    return describe_lost_events(journal, seen) if seen.game_id >= journal.next_game_id() - 1 else ()
