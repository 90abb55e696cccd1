"""Statistics of many games: of their players, tiles and dice, counted from the events and by the odds."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from controller.game.core.engine import AnyGame
from controller.game.core.events import GameEvent
from controller.game.core.phases import Ended
from controller.game.shutbox.events import DiceThrown, FirstRolled, ThrowCorrected, TurnEnded
from controller.game.shutbox.evolve import evolve_box_game
from controller.game.shutbox.state import Game
from controller.game.table.engines import replay
from controller.game.table.snapshot import winners_of
from controller.opponents.fairness import Fairness, fairness_of
from controller.opponents.lookback import LookBack, as_played, look_back
from controller.rules.board import Board
from controller.rules.fleet.cards import CARDS


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """One player at one game: finished games and wins, finished turns, and the mean and the best of their scores.

    The best is the lowest; in a race, where every game is one turn, the highest.

    luck, errors: points a turn that the dice, and the player's own choices, added to what was to be expected; luck
    below 0 is good luck. None where the game has no odds.
    """

    player: str
    game: str
    games: int
    wins: int
    turns: int
    mean: float | None
    best: int | None
    luck: float | None
    errors: float | None

    @property
    def has_played(self) -> bool:
        """True if there is anything to show: a player who wins before their turn comes has a game, but no turn."""
        return bool(self.games or self.turns)

    @property
    def is_race(self) -> bool:
        """True if a game is one turn of everybody, so that turns are not shown."""
        return self.game in CARDS


@dataclass(frozen=True, slots=True)
class TileStatistics:
    """One tile of one game: in how many turns it stood at the start, and in how many of these it was shut."""

    game: str
    tile: str
    turns: int
    shut: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of players, in order of appearance, and of dice, by the number of their sides."""

    players: tuple[PlayerStatistics, ...]
    dice: dict[int, Fairness]


def statistics_of(
    games: Iterable[Sequence[GameEvent]], folder: Path | None = None, most_boards: int | None = None
) -> Statistics:
    """Count games, each from its first event on, the oldest first.

    folder: where the odds of big games are kept.
    most_boards: games with more boards are counted without odds, as are unfinished games that tell none.
    """
    count = _Count()
    for events in games:
        game = replay(events)
        if isinstance(game, Game):
            back = look_back(events, folder, most_boards, wins=False) if game.tells_odds else LookBack()
            count.add(events, game, back)
        elif game is not None:
            count.add_whole(game)
    return Statistics(
        tuple(tally.summary(player, game) for (player, game), tally in count.players.items()),
        {sides: fairness_of(faces, sides) for sides, faces in sorted(count.faces.items())},
    )


def count_tiles(games: Iterable[Sequence[GameEvent]]) -> tuple[TileStatistics, ...]:
    """Return the tiles of each game that was played, in the order of their rows; `games` as for `statistics_of`."""
    counts: dict[tuple[str, str], tuple[int, int]] = {}
    for events in games:
        game = replay(events)
        if not isinstance(game, Game):
            continue
        name = game.rules.name
        for turn in _turns_of(as_played(events)):
            for tile in filter(turn.start.stands, turn.start.layout.by_name.values()):
                key = (name, tile.name)
                turns, shut = counts.get(key, (0, 0))
                counts[key] = turns + 1, shut + (not turn.end.stands(tile))
    return tuple(TileStatistics(*key, *count) for key, count in counts.items())


def faces_of(events: Iterable[GameEvent]) -> tuple[int, ...]:
    """Return every die thrown in a game, in the order of the throws and as corrected."""
    throws: list[tuple[int, ...]] = []
    for event in events:
        match event:
            case DiceThrown(dice) | FirstRolled(_, dice):
                throws.append(dice)
            case ThrowCorrected(_, dice):
                throws[-1] = dice
    return tuple(face for throw in throws for face in throw)


def faces_by_sides(games: Iterable[Sequence[GameEvent]]) -> dict[int, list[int]]:
    """Return every die thrown in these games, in order, by the number of its sides."""
    found: dict[int, list[int]] = {}
    for events in games:
        game, faces = replay(events), faces_of(events)
        if isinstance(game, Game) and faces:
            found.setdefault(game.rules.sides, []).extend(faces)
    return dict(sorted(found.items()))


@dataclass(slots=True)
class _Tally:
    """The sums of one player at one game. best_of: selects the best of several scores."""

    best_of: Callable[[Iterable[int]], int] = min
    games: int = 0
    wins: int = 0
    scores: list[int] = field(default_factory=list)
    accounts: int = 0
    luck: float = 0.0
    errors: float = 0.0

    def summary(self, player: str, game: str) -> PlayerStatistics:
        turns = len(self.scores)
        return PlayerStatistics(
            player,
            game,
            self.games,
            self.wins,
            turns,
            mean=sum(self.scores) / turns if turns else None,
            best=self.best_of(self.scores) if turns else None,
            luck=self.luck / self.accounts if self.accounts else None,
            errors=self.errors / self.accounts if self.accounts else None,
        )


@dataclass(slots=True)
class _Count:
    """The sums so far, by player and game, by sides."""

    players: dict[tuple[str, str], _Tally] = field(default_factory=dict)
    faces: dict[int, list[int]] = field(default_factory=dict)

    def add(self, events: Sequence[GameEvent], game: Game, back: LookBack) -> None:
        """Count one more game."""
        name = game.rules.preset.name
        self.faces.setdefault(game.rules.sides, []).extend(faces_of(events))
        tallies = [self.players.setdefault((player.name, name), _Tally()) for player in game.players]
        if isinstance(game.phase, Ended) and not game.phase.given_up:
            for seat, tally in enumerate(tallies):
                tally.games += 1
                tally.wins += seat in winners_of(game)
        for turn in _turns_of(as_played(events)):
            tallies[turn.player].scores.append(turn.score)
        for account in back.points:
            if account.result is not None:
                tally = tallies[account.player]
                tally.accounts, tally.luck = tally.accounts + 1, tally.luck + account.luck
                tally.errors += account.errors

    def add_whole(self, game: AnyGame) -> None:
        """Count a finished game of another family: one turn, in which the highest score is the best."""
        if not isinstance(game.phase, Ended) or game.phase.given_up:
            return
        for seat, player in enumerate(game.players):
            tally = self.players.setdefault((player.name, game.rules.name), _Tally(best_of=max))
            tally.games += 1
            tally.wins += seat in game.phase.winners
            tally.scores.append(game.standing[seat])


@dataclass(frozen=True, slots=True)
class _Turn:
    """A finished turn."""

    player: int
    score: int
    start: Board
    end: Board


def _turns_of(events: Iterable[GameEvent]) -> Iterator[_Turn]:
    """Yield the turns of a game; a score noted for a player who was beaten before playing is not a turn."""
    game: Game | None = None
    start: Board | None = None
    for event in events:
        if game is not None and start is None and isinstance(event, DiceThrown):
            start = game.board
        if game is not None and start is not None and isinstance(event, TurnEnded) and event.player == game.turn:
            yield _Turn(event.player, event.score, start, game.board)
            start = None
        game = evolve_box_game(game, event)
