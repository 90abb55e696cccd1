"""How well a player plays, as a number: the temper with which moves are chosen by what they cost.

A move that leaves `loss` points more than the best one is chosen exp(-loss / temper) times as often as that (R. D.
Luce, Individual Choice Behavior, 1959; the softmax of machine learning): small mistakes are common, great ones rare, as
with people. One definition for the opponent at the table, who looks at one throw, and for turns by chance, which look
at thousands of boards at once.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from controller.odds.turn import Floats
from controller.rules import Ruleset

# As parts of what all tiles of the start cost. Measured with `shutbox simulate --players`: in two-level and in pub each
# wins between 0.57 and 0.69 of its games against the one before it, and so does `perfect` against the last.
TEMPERS = {"careless": math.inf, "casual": 0.155, "steady": 0.078, "skilled": 0.0445}


def temper_of(strength: str, rules: Ruleset) -> float:
    """The temper of a strength in points as they are felt; 0 for all that are not in TEMPERS, who take but the best."""
    share = TEMPERS.get(strength, 0.0)
    return share if math.isinf(share) else share * float(felt(rules.score(rules.start()), rules))


def felt(points: ArrayLike, rules: Ruleset) -> Floats:
    """Points (0 and up) as a player feels them: where the score is read as a number, by how many digits it has."""
    found = np.asarray(points, np.float64)
    return np.log10(1 + found) if rules.options.score == "digits" else found


def weights_of(losses: ArrayLike, temper: float) -> Floats:
    """How often choices are made that leave so many points, as they are felt, more than the best, which has 1.

    losses: 0 and up, any shape, the result's too. temper: above 0; inf: each as often as any other.
    """
    weights: Floats = np.exp(-np.asarray(losses, np.float64) / temper)
    return weights
