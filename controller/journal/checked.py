"""The replay of what was kept; checked, each event must lead to the state that was noted beside it."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from controller.errors import JournalDiffers
from controller.game import AnyGame, GameEvent, digest_of, evolve
from controller.journal.journal import Entry, Journal


def replay_checked(entries: Sequence[Entry]) -> AnyGame | None:
    """Replay a game; raises `JournalDiffers` at the first event that leads elsewhere than was noted."""
    return deque(_states(entries), maxlen=1).pop() if entries else None


def replay_game(game_id: int, entries: Iterable[Entry]) -> AnyGame | None:
    """The game that its events lead to, unchecked. Raises `JournalDiffers` at an event that fits none before it."""
    game: AnyGame | None = None
    for entry in entries:
        game = _after(game, entry, f"game {game_id}, ")
    return game


def games_of(journal: Journal, last: int | None = None) -> Iterator[list[GameEvent]]:
    """The events of every game, or of so many of the last ones, the oldest first.

    Raises `JournalDamaged`, and `JournalDiffers` at an event that fits none before it.
    """
    ids = journal.game_ids()
    for game_id in ids if last is None else ids[-last:]:
        entries = journal.entries(game_id)
        replay_game(game_id, entries)
        yield [entry.event for entry in entries]


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
        game = _after(game, entry)
        if digest_of(game) != entry.digest:
            raise JournalDiffers(f"event {entry.number} ({entry.event.kind}) leads to another state than was noted")
        yield game


def _after(game: AnyGame | None, entry: Entry, where: str = "") -> AnyGame:
    """The game after one more of its events. Raises `JournalDiffers` for one that does not fit, with its place."""
    try:
        return evolve(game, entry.event)
    except Exception as error:  # an event that a flaw of the disk has changed may do anything to a game
        raise JournalDiffers(f"{where}event {entry.number} ({entry.event.kind}): {error}") from error
