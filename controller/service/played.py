"""How much was played in a journal, as a restore compares it."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Played:
    """The amount of play in a journal.

    games: the number of games; None if the journal cannot be read.
    last: when the last game was played, if known. Only a hint: the clock of a computer without a network is wrong
    after a start.
    """

    games: int | None = 0
    last: datetime | None = None
