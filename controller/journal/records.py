"""The records shown to players: all scores of a player who plays alone, and the news after a game.

The scores are read from the events, the news only from the journal's tables of records.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from controller.game.core.events import GameStarted
from controller.game.core.message import Messages, compose
from controller.journal.record_table import changed_options, record_key
from controller.journal.store import Journal
from controller.rules.options import Value


@dataclass(frozen=True, slots=True)
class Record:
    """All solo scores of one player in one game with the same options and tile marks, oldest first.

    options: those that affect the turn and differ from their defaults.
    """

    player: str
    game: str
    options: Mapping[str, Value]
    scores: tuple[int, ...]

    @property
    def best(self) -> int:
        return min(self.scores)

    @property
    def mean(self) -> float:
        return sum(self.scores) / len(self.scores)

    @property
    def shut(self) -> int:
        """The number of games in which the box was shut."""
        return sum(score == 0 for score in self.scores)


def records_of(journal: Journal) -> list[Record]:
    """Return every player's records, in the order of their first game. Raises `JournalDamaged`."""
    scores: dict[str, list[int]] = {}
    first: dict[str, GameStarted] = {}
    for turn in journal.lone_turns():
        key = record_key(turn.started)
        first.setdefault(key, turn.started)
        scores.setdefault(key, []).append(turn.score)
    return [
        Record(first[key].players[0].name, first[key].game, changed_options(first[key]), tuple(found))
        for key, found in scores.items()
    ]


def record_news(journal: Journal, game_id: int) -> Messages:
    """Compare the score of a finished one-player game with its record; return nothing for other games.

    Raises `JournalError`.
    """
    found = journal.running_record(game_id)
    if found is None:
        return ()
    started, record = found
    if record.best_before is None:
        name, game = started.players[0].name, started.game
        return (compose("record.first", player=name, game=game, score=record.last),)
    if record.last < record.best_before:
        before = record.games - 1
        return (compose("record.beaten", score=record.last, before=record.best_before, games=before),)
    return (compose("record.standing", games=record.games, best=record.best, average=record.mean),)
