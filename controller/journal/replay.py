"""The replay of whole journals, for `shutbox replay`: each game as its events lead to it, or why they do not."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.errors import JournalError
from controller.game import AnyGame
from controller.journal.checked import replay_checked
from controller.journal.journal import Journal
from controller.settings import Home


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """One game out of a journal: the number of its events, the game they lead to, or why it cannot be replayed.

    A game that does not check is a result and no error: the others of its journal are replayed all the same.
    """

    file: Path
    game_id: int
    events: int
    game: AnyGame | None
    problem: str = ""


def journals_of(home: Home) -> list[Path]:
    """The journals that exist in a home folder: the box's own and the last demonstration's."""
    return [path for path in (home.journal, home.demo_journal) if path.exists()]


def replay_all(path: Path) -> Iterator[ReplayedGame]:
    """Replay every game of one journal. Raises `JournalError` if the file itself cannot be read."""
    with Journal(path, read_only=True) as journal:
        for game_id in journal.game_ids():
            yield _replay(journal, game_id)


def _replay(journal: Journal, game_id: int) -> ReplayedGame:
    try:
        entries = journal.entries(game_id)
        return ReplayedGame(journal.path, game_id, len(entries), replay_checked(entries))
    except JournalError as error:
        return ReplayedGame(journal.path, game_id, 0, None, str(error))
