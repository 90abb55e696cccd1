"""Simulation: many turns or rounds of players of some strength, and the results as plain values."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from controller.odds.fleet.order import CardOrder
from controller.odds.fleet.races import Races
from controller.odds.shutbox.advice import Odds, odds_of
from controller.odds.shutbox.aim import Aim
from controller.odds.shutbox.choosers import ByTheOdds, Chooser, Worths, chooser_of
from controller.odds.shutbox.model import Floats, Indices, Model
from controller.odds.shutbox.moves import Demands
from controller.odds.shutbox.playouts import TurnBatch, Turns
from controller.odds.shutbox.rounds import may_lose
from controller.odds.shutbox.seats import RoundState, Seats, check_players, seats_of
from controller.odds.work import Progress, silent, span
from controller.opponents.strength import CHOOSERS
from controller.rules.errors import InvalidOption
from controller.rules.fleet.ruleset import FleetRules
from controller.rules.shutbox.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Tally:
    """The results of `turns` turns.

    mean, standard_error: of the score, in points.
    shut_share: the share of shut boxes, 0..1.
    histogram: the number of turns that ended with each score, ascending.
    """

    turns: int
    mean: float
    standard_error: float
    shut_share: float
    throws_per_turn: float
    histogram: dict[int, int]


def simulate(
    rules: Ruleset, player: str, turns: int, seed: int, *, folder: Path | None = None, progress: Progress = silent
) -> Tally:
    """Play turns from the start of a game. The same seed gives the same tally, with the same version of NumPy.

    player: a name of CHOOSERS; all play for the least expected score, since nobody else is there to win against.
    folder: where tables of big games are kept.
    progress: called with the fraction done, 0..1, of the odds if they take long, then of the turns.
    Raises `TooManyBoards`, or `InvalidOption`, also for alternate throws.
    """
    if player not in CHOOSERS or turns < 1:
        raise InvalidOption(f"no turns of {player!r}: at least one, and say one of {', '.join(CHOOSERS)}")
    odds = odds_of(rules, folder=folder, progress=span(progress, 0, 1 / 2))
    progress(0.0)
    model = Model.of(rules)
    demands = Demands.of(model)

    def values() -> Floats:
        return odds.tables.of(rules.start(), Aim("score")).values

    chooser = chooser_of(CHOOSERS[player].noise, model, demands, values)
    batch = TurnBatch(model, demands, chooser, np.random.default_rng(seed))
    ended = batch.play(Turns.at(np.array([model.size - 1]), turns), span(progress, 1 / 2, 1))
    found = model.scores_at(ended.state)
    # Scores that do not fit an integer array are exact only as Python integers.
    fit = found.dtype.kind == "i"
    exact = found.tolist() if fit else [rules.score(model.board_at(state)) for state in ended.state.tolist()]
    scores = Counter[int]()
    for score, count in zip(exact, ended.count.tolist(), strict=True):
        scores[score] += count
    mean = sum(score * count for score, count in scores.items()) / turns
    squares = sum(count * (score - mean) ** 2 for score, count in scores.items())
    shut = 0 if model.idle else int(ended.count[ended.state == 0].sum())
    return Tally(
        turns=turns,
        mean=mean,
        standard_error=sqrt(squares / max(1, turns - 1) / turns),
        shut_share=shut / turns,
        throws_per_turn=batch.throws / turns,
        histogram=dict(sorted(scores.items())),
    )


_NOBODY = np.inf  # the lowest score of a round in which nobody has a score


@dataclass(frozen=True, slots=True)
class Wins:
    """For each player the share of `games` won (0..1; a shared win counts as a share), and its standard error."""

    games: int
    shares: tuple[float, ...]
    standard_errors: tuple[float, ...]


def play_rounds(
    rules: Ruleset,
    players: Sequence[str],
    games: int,
    seed: int,
    *,
    folder: Path | None = None,
    progress: Progress = silent,
) -> Wins:
    """Play rounds; every player begins equally often. The same seed gives the same wins.

    players: 2 to 12 names of CHOOSERS; `perfect` plays to win, the others for the least score.
    games: rounded up to a multiple of the players.
    progress: called with the fraction done, 0..1; with 0 once the arguments are found to be valid.
    Raises `InvalidOption`, also for games in which rounds do not consist of separate turns, and `TooManyBoards`.
    """
    check_players(len(players))
    for player in players:
        if player not in CHOOSERS:
            raise InvalidOption(f"no player {player!r}; say some of {', '.join(CHOOSERS)}")
    if rules.terms.race == "rotation":
        raise InvalidOption("in a race of single throws nobody chooses anything: every player is as good as any other")
    seats, odds = seats_of(rules, folder=folder), odds_of(rules, folder=folder)
    progress(0.0)
    tournament = _Tournament(rules, seats, odds, np.random.default_rng(seed))
    each, count = -(-games // len(players)), len(players)
    won = []
    for first in range(count):
        seated = [players[(first + seat) % count] for seat in range(count)]
        won.append(tournament.play(seated, each, span(progress, first / count, (first + 1) / count)))
    # Shares are by seat; rotate them back into the order of the players.
    shares = np.concatenate([np.roll(share, first, axis=0) for first, share in enumerate(won)], axis=1)
    errors = shares.std(axis=1) / sqrt(shares.shape[1])
    return Wins(shares.shape[1], tuple(shares.mean(axis=1).tolist()), tuple(errors.tolist()))


@dataclass
class _Rounds:
    """Rounds in progress, one entry each: the lowest score, who holds it (seats, rounds), and which are over."""

    lowest: Floats
    holds: NDArray[np.bool_]
    over: NDArray[np.bool_]

    @classmethod
    def of(cls, seats: int, rounds: int) -> "_Rounds":
        holds = np.zeros((seats, rounds), np.bool_)
        return cls(np.full(rounds, _NOBODY), holds, np.zeros(rounds, np.bool_))

    def groups(self) -> list[tuple[float, int, Indices]]:
        """Return the open rounds grouped by state: the lowest score, how many hold it, and which rounds."""
        on = np.flatnonzero(~self.over)
        holders = self.holds[:, on].sum(axis=0)
        kinds, kind = np.unique(np.stack([self.lowest[on], holders]), axis=1, return_inverse=True)
        return [(float(lowest), int(count), on[kind.ravel() == place]) for place, (lowest, count) in enumerate(kinds.T)]

    def shares(self) -> Floats:
        """Return the share of each round that each seat has won: (seats, rounds)."""
        found: Floats = self.holds / np.maximum(1, self.holds.sum(axis=0))
        return found


@dataclass(frozen=True)
class _Tournament:
    """Plays rounds of one game.

    Turns of one player with the same score to beat are played side by side, and their results are dealt to the rounds
    in random order: the outcome is distributed as if the rounds had been played one by one.
    """

    rules: Ruleset
    seats: Seats
    odds: Odds
    chance: "np.random.Generator"

    def play(self, players: Sequence[str], rounds: int, progress: Progress) -> Floats:
        """Return the share of each round that each seat wins: (seats, rounds)."""
        table = _Rounds.of(len(players), rounds)
        for seat, player in enumerate(players):
            to_win = CHOOSERS[player].plays_to_win
            groups = table.groups() if to_win else [(_NOBODY, 0, np.flatnonzero(~table.over))]
            for place, (lowest, holders, on) in enumerate(groups):
                chooser = self._chooser(player, lowest, holders, len(players) - seat - 1)
                if len(on):
                    batch = TurnBatch(self._model, Demands.of(self._model), chooser, self.chance)
                    ended = batch.play(Turns.at(np.array([self._model.size - 1]), len(on)), silent)
                    ends = self.chance.permutation(np.repeat(ended.state, ended.count))
                    self._settle(table, seat, on, ends)
                progress((seat + (place + 1) / len(groups)) / len(players))
        return table.shares()

    def _chooser(self, player: str, lowest: float, holders: int, to_come: int) -> Chooser:
        model, demands = self._model, Demands.of(self._model)
        if not CHOOSERS[player].plays_to_win:
            return chooser_of(CHOOSERS[player].noise, model, demands, lambda: self._values(Aim("score")))
        scores = (int(lowest),) * holders if lowest != _NOBODY else ()
        aim = self.seats.aim(RoundState(scores, to_come))
        return ByTheOdds(Worths(model, demands, aim, self._values(aim)))

    def _values(self, aim: Aim) -> Floats:
        return self.odds.tables.of(self.rules.start(), aim).values

    def _settle(self, table: _Rounds, seat: int, on: Indices, ends: Indices) -> None:
        """Enter the ends of a seat's turns in the rounds `on`."""
        scores = self._model.scores_at(ends).astype(np.float64)
        at_once = (ends == 0) & self.rules.terms.shut_wins & (not self._model.idle)
        if may_lose(self.rules):
            scores[ends == self._model.size - 1] = _NOBODY
        below = (scores < table.lowest[on]) | at_once
        same = (scores == table.lowest[on]) & (scores != _NOBODY) & self.rules.terms.shares_rounds & ~at_once
        table.holds[:, on[below]] = False
        table.holds[seat, on[below | same]] = True
        table.lowest[on[below]] = scores[below]
        table.over[on[at_once]] = True

    @cached_property
    def _model(self) -> Model:
        return Model.of(self.rules)


def tally_json(rules: Ruleset, player: str, seed: int, tally: Tally) -> dict[str, Any]:
    """Return a tally as plain values, with the scores of the histogram in ascending order."""
    return {
        "game": rules.preset.name,
        "player": player,
        "seed": seed,
        "turns": tally.turns,
        "mean": tally.mean,
        "standard_error": tally.standard_error,
        "shut": tally.shut_share,
        "throws_per_turn": tally.throws_per_turn,
        "histogram": {str(score): count for score, count in sorted(tally.histogram.items())},
    }


def wins_json(rules: Ruleset, players: Sequence[str], seed: int, wins: Wins) -> dict[str, Any]:
    """Return wins as plain values, in the order of the players."""
    return {
        "game": rules.preset.name,
        "players": list(players),
        "seed": seed,
        "games": wins.games,
        "wins": list(wins.shares),
        "standard_errors": list(wins.standard_errors),
    }


def races_json(rules: FleetRules, players: Sequence[str], seed: int, races: Races) -> dict[str, Any]:
    """Return games of Fleet! or Flash! as plain values, in the order of the players and of the sheet."""
    return {
        "game": rules.card.name,
        "players": list(players),
        "seed": seed,
        "games": races.games,
        "wins": list(races.wins),
        "standard_errors": list(races.standard_errors),
        "chips": list(races.chips),
        "throws": {name: list(throws) for name, throws in races.throws.items()},
        "rounds": dict(races.rounds),
    }


def order_json(order: CardOrder, players: int) -> dict[str, Any]:
    """Return the best order of a card as plain values; `value` and `in_order` are points."""
    return {
        "aim": "chips",
        "players": players,
        "order": list(order.names),
        "value": order.value,
        "in_order": order.in_order,
        "found_by": "by the expected chip of each round, against rivals who go through the sheet in its order; "
        "for points, not for wins; with chips 1, 2, 3 and so on every order is worth the same if nothing is known "
        "of them",
    }
