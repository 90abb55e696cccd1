"""What is missing at the end of a journal, by an event that is known to have been acknowledged.

The box itself knows one: its mark. A device that watched knows another, which lies on no memory card of this box: a
card that has gone back to an earlier moment altogether is found out by nothing else.
"""

from controller.game import Messages, compose
from controller.journal.journal import Journal
from controller.journal.mark import NOTHING, Mark


def describe_loss(journal: Journal, mark: Mark) -> Messages:
    """What is missing of what led to the marked event, in words; nothing where that event is here."""
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
    """The same of an event that a device has seen. One of a game before the last tells nothing: what is lost is lost
    from the end, and old games are packed.
    """
    return describe_loss(journal, seen) if seen.game_id >= journal.next_game_id() - 1 else ()
