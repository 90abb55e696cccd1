"""The messages of a snapshot by what they are at a seat: its notice, and its news."""

from controller.game import Messages, Snapshot


def notice_in(snapshot: Snapshot) -> Messages:
    """The messages of a snapshot that are its notice."""
    return tuple(each for each in snapshot.messages[1:] if each.text in snapshot.notice)


def news_in(snapshot: Snapshot) -> Messages:
    """The messages of a snapshot that are its news."""
    return snapshot.messages[1 + len(notice_in(snapshot)) :]
