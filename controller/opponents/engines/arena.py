"""The arena: engines and houses play one another, game after game, by the dice of one seed."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from math import sqrt
from typing import Any

from controller.errors import EngineError
from controller.game.core.commands import Command, ConfirmTiles, StartGame
from controller.game.core.engine import AnyGame
from controller.game.core.events import GameEvent
from controller.game.core.players import BY_THE_BOX, Origin, Player
from controller.game.shutbox.commands import AcceptLoss, Choose, TakeThrow
from controller.game.shutbox.state import Choosing, Game, TurnLost
from controller.game.stn.notation import dice_text, tiles_text
from controller.game.table.engines import decide, evolve
from controller.game.table.snapshot import scores_of, winners_of
from controller.opponents.engines.minds import Mind, Seating, names_apart
from controller.rules.shutbox.ruleset import Ruleset

_Z = 1.959963985  # of a confidence of 95 %, two-sided
_MOST_THROWS = 20_000  # a match comes to its end long before


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game of the arena: who sat where (by their place among the minds), the shares of the win, the scores.

    forfeited: the place of the one that lost its seat, and why. told: what happened, for a record.
    """

    seated: tuple[int, ...]
    shares: tuple[float, ...]
    scores: tuple[int | None, ...]
    forfeited: tuple[int, str] | None = None
    told: tuple[tuple[GameEvent, Origin], ...] = ()


@dataclass(slots=True)
class Standing:
    """What one of them has come to: games, wins (a shared one counts in part), the sum of its scores.

    out: why it lost its seat; empty while it plays.
    """

    name: str
    games: int = 0
    wins: float = 0.0
    total: int = 0
    scored: int = 0
    out: str = ""

    @property
    def share(self) -> float:
        """The share of games won, 0..1."""
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The interval in which the share lies with 95 %: Wilson, J. Am. Stat. Assoc. 22 (1927), 209-212.

        A shared win counts in part, which varies less than a whole one: the interval is then wider than it has to be.
        """
        if not self.games:
            return 0.0, 1.0
        n, p, z = self.games, self.share, _Z
        middle, half = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(0.0, (middle - half) / (1 + z * z / n)), min(1.0, (middle + half) / (1 + z * z / n))

    @property
    def mean(self) -> float | None:
        """The mean score; None without any."""
        return self.total / self.scored if self.scored else None


@dataclass
class Arena:
    """Lets minds play a game. Each begins equally often; one that fails is out, and the others play on without it."""

    rules: Ruleset
    minds: Sequence[Mind]
    seed: int
    standings: list[Standing] = field(init=False)

    def __post_init__(self) -> None:
        self.standings = [Standing(name) for name in names_apart([mind.name for mind in self.minds])]

    def play(self, games: int) -> Iterator[PlayedGame]:
        """Play games, and count them. Ends early once fewer than two are left, or none where one plays alone."""
        least = min(2, len(self.minds))
        for number in range(games):
            left = [place for place, standing in enumerate(self.standings) if not standing.out]
            if len(left) < least:
                return
            first = number % len(left)
            played = self._play((*left[first:], *left[:first]), number)
            self._count(played)
            yield played

    def _play(self, seated: tuple[int, ...], number: int) -> PlayedGame:
        chance = random.Random(f"{self.seed}/{number}")
        names = tuple(self.standings[place].name for place in seated)
        players = tuple(map(Player, names))
        told: list[tuple[GameEvent, Origin]] = []
        start: AnyGame | None = None
        begun = decide(None, StartGame(players, self.rules.name, self.rules.chosen, self.rules.marks))
        told += ((event, BY_THE_BOX) for event in begun)
        game = reduce(evolve, begun, start)
        assert isinstance(game, Game)  # noqa: S101  its rules are those of a game of tiles
        asked = -1
        try:
            for asked, place in enumerate(seated):
                self.minds[place].begin(Seating(self.rules, names, asked, chance.getrandbits(32)))
            while not game.is_over and game.throws < _MOST_THROWS:
                asked = game.turn
                command, token = self._next(game, self.minds[seated[asked]], chance)
                if token:
                    for place in seated:
                        self.minds[place].tell(asked, token)
                events = decide(game, command)
                told += ((event, BY_THE_BOX) for event in events)
                for event in events:
                    after = evolve(game, event)
                    assert isinstance(after, Game)  # noqa: S101  it stays in its family
                    game = after
        except EngineError as error:
            return _forfeit(seated, asked, str(error), tuple(told))
        winners = winners_of(game)
        shares = tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(len(seated)))
        return PlayedGame(seated, shares, scores_of(game), None, tuple(told))

    def _next(self, game: Game, mind: Mind, chance: random.Random) -> tuple[Command, str]:
        """Return what is done next, and how the minds are told of it; for tiles that arrive they are told nothing."""
        match game.phase:
            case Choosing():
                tiles = mind.choose(game)
                return Choose(tiles), f":{tiles_text(tiles, game.board.layout)}"
            case TurnLost():
                return AcceptLoss(), "!"
        if game.phase.word != "awaiting_throw":
            return ConfirmTiles(), ""
        allowed = sorted(game.dice_allowed)
        count = allowed[0] if len(allowed) == 1 or game.match.rolling else mind.choose_dice(game)
        dice = tuple(sorted(chance.randint(1, game.rules.sides) for _ in range(count)))
        first = "?" if game.match.rolling else ""
        return TakeThrow(dice), f"{first}{dice_text(dice, game.rules.sides)}"

    def _count(self, played: PlayedGame) -> None:
        for seat, place in enumerate(played.seated):
            standing, score = self.standings[place], played.scores[seat]
            standing.games += 1
            standing.wins += played.shares[seat]
            if score is not None and played.forfeited is None:
                standing.total += score
                standing.scored += 1
        if played.forfeited is not None:
            place, why = played.forfeited
            self.standings[place].out = why
            self.minds[place].close()


def _forfeit(seated: tuple[int, ...], seat: int, why: str, told: tuple[tuple[GameEvent, Origin], ...]) -> PlayedGame:
    """Return the game of one that failed: the others share the win."""
    others = len(seated) - 1
    shares = tuple(0.0 if at == seat or not others else 1 / others for at in range(len(seated)))
    return PlayedGame(seated, shares, (None,) * len(seated), (seated[seat], why), told)


def arena_json(arena: Arena, games: int) -> dict[str, Any]:
    """Return the standings as plain values."""
    return {
        "game": arena.rules.name,
        "seed": arena.seed,
        "games": games,
        "engines": [
            {
                "name": each.name,
                "games": each.games,
                "wins": each.share,
                "low": each.interval[0],
                "high": each.interval[1],
                "mean": each.mean,
                "out": each.out,
            }
            for each in arena.standings
        ],
    }
