"""Replay stored games: one game, checked against the digest stored with each event, or whole journals.

`shutbox replay` shows each game of a journal, or the reason why it does not replay.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from controller.errors import JournalDiffers, JournalError
from controller.game.core.engine import AnyGame
from controller.game.core.events import GameEvent
from controller.game.table.engines import digest_of, evolve
from controller.journal.store import Entry, Journal
from controller.runtime.home import Home


def replay_checked(entries: Sequence[Entry]) -> AnyGame | None:
    """Replay a game. Raises `JournalDiffers` at the first event after which the game does not match its digest."""
    return deque(_states(entries), maxlen=1).pop() if entries else None


def replay_game(game_id: int, entries: Iterable[Entry]) -> AnyGame | None:
    """Replay a game without comparing digests. Raises `JournalDiffers` at an event that does not fit the game."""
    game: AnyGame | None = None
    for entry in entries:
        game = _after(game, entry, f"game {game_id}, ")
    return game


def games_of(journal: Journal, last: int | None = None) -> Iterator[list[GameEvent]]:
    """Yield the events of every game, or of the `last` games only, oldest first.

    Raises `JournalDamaged`, and `JournalDiffers` at an event that does not fit its game.
    """
    ids = journal.game_ids()
    for game_id in ids if last is None else ids[-last:]:
        entries = journal.entries(game_id)
        replay_game(game_id, entries)
        yield [entry.event for entry in entries]


def count_replayable(entries: Sequence[Entry]) -> int:
    """Return how many events, counted from the first, replay to their stored digest."""
    count = 0
    with suppress(JournalDiffers):
        for _ in _states(entries):
            count += 1
    return count


def _states(entries: Sequence[Entry]) -> Iterator[AnyGame]:
    """Yield the game after each event, checked against its digest. Raises `JournalDiffers`."""
    game: AnyGame | None = None
    for expected, entry in enumerate(entries, 1):
        if entry.number != expected:
            raise JournalDiffers(f"event {expected} is missing; the next one is {entry.number}")
        game = _after(game, entry)
        if digest_of(game) != entry.digest:
            raise JournalDiffers(f"event {entry.number} ({entry.event.kind}) leads to another state than was noted")
        yield game


def _after(game: AnyGame | None, entry: Entry, where: str = "") -> AnyGame:
    """Apply one event. Raises `JournalDiffers`, prefixed with `where`, if the event does not fit the game."""
    try:
        return evolve(game, entry.event)
    except Exception as error:  # an event that a disk error has changed may raise anything
        raise JournalDiffers(f"{where}event {entry.number} ({entry.event.kind}): {error}") from error


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """One game of a journal: the number of its events, and the game they lead to or the problem that prevents it.

    A game that does not replay is a result, not an error: the other games of its journal are still replayed.
    """

    file: Path
    game_id: int
    events: int
    game: AnyGame | None
    problem: str = ""


def journals_of(home: Home) -> list[Path]:
    """Return the journals that exist in a home folder: the box's own and the last demonstration's."""
    return [path for path in (home.journal, home.demo_journal) if path.exists()]


def replay_all(path: Path) -> Iterator[ReplayedGame]:
    """Replay every game of one journal. Raises `JournalError` if the file itself cannot be read."""
    with Journal(path, read_only=True) as journal:
        for game_id in journal.game_ids():
            try:
                entries = journal.entries(game_id)
                game = ReplayedGame(path, game_id, len(entries), replay_checked(entries))
            except JournalError as error:
                game = ReplayedGame(path, game_id, 0, None, str(error))
            yield game
