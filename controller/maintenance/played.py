"""Count how much was played in a journal, which helps people to tell two journals apart."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from controller.errors import JournalError
from controller.journal.journal import Journal


@dataclass(frozen=True, slots=True)
class Played:
    """The amount of play in a journal.

    games: the number of games; None if the journal cannot be read.
    last: when the last game was played, if known. Only a hint: the clock of a computer without a network is wrong
    after a start.
    """

    games: int | None = 0
    last: datetime | None = None


def count_played(journal: Path) -> Played:
    """Count the games of the journal at this path; zero if there is none."""
    if not journal.exists():
        return Played()
    try:
        with Journal(journal, read_only=True) as opened:
            games = opened.game_ids()
            ends = [entry.at for game_id in games[-1:] for entry in opened.entries(game_id)[-1:]]
    except JournalError:
        return Played(games=None)
    last = None
    for at in ends:
        # An untrusted journal may hold anything instead of a time.
        with suppress(ValueError, OverflowError):
            last = datetime.fromisoformat(at).astimezone()
    return Played(len(games), last)
