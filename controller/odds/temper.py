"""How well a player plays, as a number: the noise in the choice among moves by their cost."""

import math

import numpy as np
from numpy.typing import ArrayLike

from controller.odds.columns import Floats
from controller.rules.ruleset import Ruleset


def noise_in_points(share: float, rules: Ruleset) -> float:
    """Return a noise in perceived points. share: of the cost of all tiles at the start; 0: none; inf: pure chance."""
    return share if math.isinf(share) else share * float(perceived(rules.score(rules.start()), rules))


def perceived(points: ArrayLike, rules: Ruleset) -> Floats:
    """Return points (0 and up) as a player perceives them: by the number of digits if the score is read as digits."""
    found = np.asarray(points, np.float64)
    return np.log10(1 + found) if rules.options.score == "digits" else found


def weights_of(losses: ArrayLike, noise: float) -> Floats:
    """Return how often choices are made, relative to the best choice (1).

    A choice that leaves `loss` points more than the best one is made exp(-loss / noise) times as often (R. D. Luce,
    Individual Choice Behavior, 1959; the softmax of machine learning): small mistakes are common and great ones rare,
    as with people. The opponent at the table, who evaluates one throw, and simulated turns, which evaluate thousands of
    boards at once, share this definition.

    losses: perceived points beyond those of the best choice, 0 and up, any shape; the result has the same shape.
    noise: in perceived points, above 0; inf: every choice is equally frequent.
    """
    weights: Floats = np.exp(-np.asarray(losses, np.float64) / noise)
    return weights
