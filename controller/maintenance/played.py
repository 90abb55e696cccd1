"""How much was played in a journal: by that people tell which of two is the one they want."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from controller.errors import JournalError
from controller.journal import Journal


@dataclass(frozen=True, slots=True)
class Played:
    """The games of a journal. games: None where it cannot be read. last: when the last one was played, as far as known.

    The time is a hint: a computer without a network wakes in the past.
    """

    games: int | None = 0
    last: datetime | None = None


def count_played(journal: Path) -> Played:
    """How much was played in the journal at this place; nothing where there is none."""
    if not journal.exists():
        return Played()
    try:
        with Journal(journal, read_only=True) as opened:
            games = opened.game_ids()
            ends = [entry.at for game_id in games[-1:] for entry in opened.entries(game_id)[-1:]]
    except JournalError:
        return Played(games=None)
    return Played(len(games), next(map(_time_of, ends), None))


def _time_of(at: str) -> datetime | None:
    """A time as a journal has it; None for what is none: a file of a stranger's may say anything."""
    try:
        return datetime.fromisoformat(at).astimezone()
    except (ValueError, OverflowError):
        return None
