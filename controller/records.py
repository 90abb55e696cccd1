"""A single player's record of scores: nobody to beat but oneself. It is read out of the journal, which has it all."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields

from controller.events import GameStarted
from controller.journal import Journal
from controller.rules import GAMES, Terms, Value

# What the table agrees on does not change the turn of one who plays alone, but for how often he throws in a race.
_OF_THE_TABLE = {each.name for each in fields(Terms)} - {"race", "match"}


@dataclass(frozen=True, slots=True)
class Record:
    """All scores of one player alone at one game with the same options and marks, the first one first.

    options: those that change his turn and are not at their defaults.
    """

    player: str
    game: str
    options: Mapping[str, Value]
    scores: tuple[int, ...]

    @property
    def best(self) -> int:
        """The lowest score."""
        return min(self.scores)

    @property
    def mean(self) -> float:
        """The average score."""
        return sum(self.scores) / len(self.scores)

    @property
    def shut(self) -> int:
        """How often the box was shut."""
        return sum(score == 0 for score in self.scores)

    @property
    def sentence(self) -> str:
        """The last score beside those before it."""
        if len(self.scores) == 1:
            return f"The first {self.game} of {self.player} on record: {self.scores[0]}."
        before = self.scores[:-1]
        best = min(before)
        if self.scores[-1] < best:
            games = "one game" if len(before) == 1 else f"{len(before)} games"
            return f"A new best: {self.scores[-1]}, after {best} in {games}."
        return f"The best of {len(self.scores)} games is {self.best}, the average {self.mean:.1f}."


def records_of(journal: Journal) -> list[Record]:
    """Every player's record, in the order of their first game. Raises `JournalDamaged`."""
    found: dict[tuple[object, ...], list[int]] = {}
    kept: dict[tuple[object, ...], GameStarted] = {}
    for _, started, ended in journal.single_turns():
        key = _key(started)
        kept.setdefault(key, started)
        found.setdefault(key, []).append(ended.score)
    return [_record(kept[key], scores) for key, scores in found.items()]


def record_of(journal: Journal, game_id: int) -> Record | None:
    """The record that a game just finished belongs to. Raises `JournalDamaged`."""
    turns = list(journal.single_turns())
    mine = [started for number, started, _ in turns if number == game_id]
    if not mine:
        return None
    alike = [ended.score for _, started, ended in turns if _is_like(started, mine[0])]
    return _record(mine[0], alike)


def _is_like(one: GameStarted, other: GameStarted) -> bool:
    """Whether two games can be compared. Most are told apart at first sight."""
    same = one.game == other.game and one.players[0].name == other.players[0].name
    return same and _key(one) == _key(other)


def _record(started: GameStarted, scores: Iterable[int]) -> Record:
    defaults = _defaults(started.game)
    changed = {name: value for name, value in _rules_of_turn(started).items() if value != defaults.get(name)}
    return Record(started.players[0].name, started.game, changed, tuple(scores))


def _key(started: GameStarted) -> tuple[object, ...]:
    """Games that can be compared: the same player, tiles and rules of a turn."""
    told = tuple(sorted(_rules_of_turn(started).items()))
    return (started.players[0].name, started.game, told, started.marks)


def _rules_of_turn(started: GameStarted) -> dict[str, Value]:
    return {name: value for name, value in started.options.items() if name not in _OF_THE_TABLE}


def _defaults(game: str) -> dict[str, Value]:
    # A journal may hold games that only a later version knows.
    return {choice.name: choice.default for choice in GAMES[game].choices} if game in GAMES else {}
