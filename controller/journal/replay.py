"""Replay stored games: one game, checked against the digest stored with each event, or whole journals.

`shutbox replay` shows each game of a journal, or the reason why it does not replay.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.errors import JournalError
from controller.game.core.engine import AnyGame
from controller.journal.checked import replay_checked
from controller.journal.journal import Journal
from controller.settings import Home


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
