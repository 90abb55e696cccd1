"""Many simulated turns: a check of the odds, and the results of players who do not play by them.

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
from controller.odds.choices import Demands
from controller.odds.columns import Floats
from controller.odds.crowd import TurnBatch, Turns
from controller.odds.model import Model
from controller.odds.progress import Progress, silent, span
from controller.odds.strength import CHOOSERS
from controller.odds.strengths import chooser_of
from controller.rules.errors import InvalidOption
from controller.rules.ruleset import Ruleset


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
