"""Many turns by chance: a check of the odds, and what they are for players who do not play by them.

tally = simulate(rules_of("pub"), "best", turns=10_000_000, seed=1)
tally.mean, tally.standard_error

Turns that stand at the same board are alike, so only their number is kept: how often they throw each thing is one
draw from the multinomial distribution. This is the very distribution of turns played one by one, not an
approximation of it, and ten million turns ask no more about moves than the boards that occur.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path

import numpy as np

from controller.odds.advice import odds_of
from controller.odds.aim import Aim
from controller.odds.choices import Asks, Choices, choices_of, first_of_each
from controller.odds.columns import Indices
from controller.odds.model import Model
from controller.odds.solve import silent
from controller.odds.strengths import CHOOSERS, Chooser, chooser_of
from controller.odds.sweep import Progress
from controller.odds.turn import Floats
from controller.rules import InvalidOption, Ruleset

__all__ = ["CHOOSERS", "Tally", "simulate"]

# Boards whose moves are listed at once: for The 300 some hundred megabytes.
_AT_ONCE = 1 << 12


@dataclass(frozen=True, slots=True)
class Tally:
    """The results of `turns` turns: the mean score and its standard error in points, the share of shut boxes (0..1),
    throws per turn, and how many turns ended with each score, ascending."""

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

    player: of CHOOSERS; `best`, `skilled` and `perfect` (who sits alone here) play for the least expected score.
    folder: where tables of big games are kept. progress: told the fraction done, 0..1, of the odds if they take
    long, then of the turns. Raises `TooManyBoards`, or `InvalidOption`, also for alternate throws.
    """
    if player not in CHOOSERS or turns < 1:
        raise InvalidOption(f"{turns} turns of {player!r}: at least one turn, and a player of {', '.join(CHOOSERS)}")
    odds = odds_of(rules, folder=folder, progress=progress)
    model = Model.of(rules)
    asks = Asks.of(model)

    def values() -> Floats:
        return odds.tables.of(rules.start(), Aim("score")).values

    crowd = _Crowd(model, asks, chooser_of(player, model, asks, values), np.random.default_rng(seed))
    crowd.play(turns, progress)
    return crowd.tally(turns)


@dataclass
class _Crowd:
    """Turns that are played side by side, from the boards with the most standing tiles down.

    waiting: by number of standing tiles, boards and how many turns stand there. shut, throws: how many so far.
    """

    model: Model
    asks: Asks
    chooser: Chooser
    chance: np.random.Generator
    waiting: defaultdict[int, list[tuple[Indices, Indices]]] = field(default_factory=lambda: defaultdict(list))
    scores: Counter[int] = field(default_factory=Counter)
    shut: int = 0
    throws: int = 0

    def play(self, turns: int, progress: Progress) -> None:
        """Play that many turns to their end."""
        most = sum(self.model.columns.bases) - len(self.model.columns)
        self.waiting[most] = [(np.array([self.model.size - 1]), np.array([turns]))]
        for level in range(most, -1, -1):
            for states, turns_ in _merged(self.waiting.pop(level, [])):
                self._step(states, turns_)
            progress((most + 1 - level) / (most + 1))

    def tally(self, turns: int) -> Tally:
        """The results of them all."""
        mean = sum(score * count for score, count in self.scores.items()) / turns
        squares = sum(count * (score - mean) ** 2 for score, count in self.scores.items())
        return Tally(
            turns=turns,
            mean=mean,
            standard_error=sqrt(squares / max(1, turns - 1) / turns),
            shut_share=self.shut / turns,
            throws_per_turn=self.throws / turns,
            histogram=dict(sorted(self.scores.items())),
        )

    def _step(self, states: Indices, turns: Indices) -> None:
        """One throw and one move of turns that stand at these boards, each board once."""
        if states[0] == 0 and not self.model.idle:
            self._end(states, turns)
            return
        self.throws += int(turns.sum())
        thrown = self._throw(states, turns)
        choices = choices_of(self.model, self.asks, states, wanted=thrown > 0)
        if len(choices):
            self._move(*self.chooser.moves(choices), thrown)
        self._end(states, thrown.sum(axis=1))

    def _throw(self, states: Indices, turns: Indices) -> Indices:
        """The number of turns that each ask is put to: (boards, asks)."""
        by_dice = self.chance.multinomial(turns, self.chooser.dice(states))
        thrown = np.zeros((len(states), len(self.asks)), np.int64)
        for turns_, chances in zip(by_dice.T, self.asks.chances, strict=True):
            thrown += self.chance.multinomial(turns_, chances)
        return thrown

    def _move(self, choices: Choices, weights: Floats, thrown: Indices) -> None:
        """Those who can, move; they are taken out of `thrown`."""
        cells, starts = thrown.reshape(-1), first_of_each(choices.cell)
        turns = _shared_out(cells[choices.cell[starts]], weights, starts, self.chance)
        cells[choices.cell[starts]] = 0
        ends = self.asks.ends_turn[choices.cell % len(self.asks)]
        self._end(choices.target[ends], turns[ends])
        self._wait(choices.target[~ends], turns[~ends])

    def _wait(self, states: Indices, turns: Indices) -> None:
        levels = self.model.columns.digits(states).sum(axis=0)
        for level in np.unique(levels).tolist():
            self.waiting[level].append((states[levels == level], turns[levels == level]))

    def _end(self, states: Indices, turns: Indices) -> None:
        states, turns = states[turns > 0], turns[turns > 0]
        if not self.model.idle:
            self.shut += int(turns[states == 0].sum())
        for score, count in zip(self._scores(states), turns.tolist(), strict=True):
            self.scores[score] += count

    def _scores(self, states: Indices) -> list[int]:
        """The scores as whole numbers, also where they do not fit an array of them."""
        if self.model.scores.dtype.kind == "i":
            found: list[int] = self.model.scores[states].tolist()
            return found
        return [self.model.rules.score(self.model.board_at(state)) for state in states.tolist()]


def _merged(groups: list[tuple[Indices, Indices]]) -> Iterator[tuple[Indices, Indices]]:
    """Each board once, ascending, with its turns; a part of them at a time."""
    if not groups:
        return
    states, place = np.unique(np.concatenate([group[0] for group in groups]), return_inverse=True)
    turns = np.zeros(len(states), np.int64)
    np.add.at(turns, place, np.concatenate([group[1] for group in groups]))
    for low in range(0, len(states), _AT_ONCE):
        yield states[low : low + _AT_ONCE], turns[low : low + _AT_ONCE]


def _shared_out(turns: Indices, weights: Floats, starts: Indices, chance: np.random.Generator) -> Indices:
    """The turns of each run of `weights` by chance in their proportion: shape (weights,).

    A multinomial draw as binomial draws: each takes its part of what those before it have left.
    """
    shares, lengths = np.zeros(len(weights), np.int64), np.diff(starts, append=len(weights))
    left, weight = turns.copy(), np.add.reduceat(weights, starts)
    for rank in range(lengths.max()):
        runs = np.flatnonzero((lengths > rank) & (left > 0))
        places = starts[runs] + rank
        part = np.where(lengths[runs] == rank + 1, 1.0, np.minimum(weights[places] / weight[runs], 1.0))
        shares[places] = chance.binomial(left[runs], part)
        left[runs] -= shares[places]
        weight[runs] -= weights[places]
    return shares
