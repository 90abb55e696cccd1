"""Many turns by chance: a check of the odds, and what they are for players who do not play by them.

tally = simulate(rules_of("pub"), "best", turns=10_000_000, seed=1)
tally.mean, tally.standard_error
"""

from collections import Counter
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import numpy as np

from controller.odds.advice import odds_of
from controller.odds.aim import Aim
from controller.odds.choices import Asks
from controller.odds.columns import Indices
from controller.odds.crowd import Crowd, Turns
from controller.odds.model import Model
from controller.odds.progress import Progress, silent, span
from controller.odds.strengths import CHOOSERS, chooser_of
from controller.odds.turn import Floats
from controller.rules import InvalidOption, Ruleset

__all__ = ["CHOOSERS", "Tally", "simulate"]


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
        raise InvalidOption(f"no turns of {player!r}: at least one, and say one of {', '.join(CHOOSERS)}")
    odds = odds_of(rules, folder=folder, progress=span(progress, 0, 1 / 2))
    progress(0.0)
    model = Model.of(rules)
    asks = Asks.of(model)

    def values() -> Floats:
        return odds.tables.of(rules.start(), Aim("score")).values

    crowd = Crowd(model, asks, chooser_of(player, model, asks, values), np.random.default_rng(seed))
    ended = crowd.play(Turns.at(np.array([model.size - 1]), turns), span(progress, 1 / 2, 1))
    return _tally(model, ended, crowd.throws)


def _tally(model: Model, ended: Turns, throws: int) -> Tally:
    scores = Counter[int]()
    for score, count in zip(_exact_scores(model, ended.state), ended.count.tolist(), strict=True):
        scores[score] += count
    turns = scores.total()
    mean = sum(score * count for score, count in scores.items()) / turns
    squares = sum(count * (score - mean) ** 2 for score, count in scores.items())
    shut = 0 if model.idle else int(ended.count[ended.state == 0].sum())
    return Tally(
        turns=turns,
        mean=mean,
        standard_error=sqrt(squares / max(1, turns - 1) / turns),
        shut_share=shut / turns,
        throws_per_turn=throws / turns,
        histogram=dict(sorted(scores.items())),
    )


def _exact_scores(model: Model, states: Indices) -> list[int]:
    """The scores as whole numbers, also where they do not fit an array of them."""
    scores = model.scores_at(states)
    if scores.dtype.kind == "i":
        found: list[int] = scores.tolist()
        return found
    return [model.rules.score(model.board_at(state)) for state in states.tolist()]
