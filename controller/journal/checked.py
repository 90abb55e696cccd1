"""The check of a game's events: each must lead to the state that was noted beside it."""

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress

from controller.errors import JournalDiffers
from controller.game import AnyGame, digest_of, evolve
from controller.journal.journal import Entry


def replay_checked(entries: Sequence[Entry]) -> AnyGame | None:
    """Replay a game; raises `JournalDiffers` at the first event that leads elsewhere than was noted."""
    return deque(_states(entries), maxlen=1).pop() if entries else None


def count_good(entries: Sequence[Entry]) -> int:
    """How many events, from the first one on, lead where was noted."""
    count = 0
    with suppress(JournalDiffers):
        for _ in _states(entries):
            count += 1
    return count


def _states(entries: Sequence[Entry]) -> Iterator[AnyGame]:
    """The game after each of its events. Raises `JournalDiffers`."""
    game: AnyGame | None = None
    for expected, entry in enumerate(entries, 1):
        if entry.number != expected:
            raise JournalDiffers(f"event {expected} is missing; the next one is {entry.number}")
        try:
            game = evolve(game, entry.event)
        except Exception as error:  # an event that a flaw of the disk has changed may do anything to a game
            raise JournalDiffers(f"event {entry.number} ({entry.event.kind}): {error}") from error
        if digest_of(game) != entry.digest:
            raise JournalDiffers(f"event {entry.number} ({entry.event.kind}) leads to another state than was noted")
        yield game
