"""The strengths of house players: one value each, with all that sets a strength apart from the others."""

import math
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Strength:
    """How well a house player plays.

    name: the name that players write (`House:perfect`); `controller.game` accepts the same names.
    noise: how far its choices fall short of the best (see `noise_in_points`), as a share of the cost of all tiles at
        the start; 0: it always makes the best choice; inf: it makes any choice.
    plays_to_win: whether it plays to win against others, given their scores, instead of for few points.
    races_by_odds: whether it keeps dice in a race by the exact odds, instead of by the heuristic.
    throw_pace: the time that it takes for a throw in a race, as a multiple of the time in the settings.
    """

    name: str
    noise: float
    plays_to_win: bool = False
    races_by_odds: bool = False
    throw_pace: float = 1.0


# The noises were measured with `shutbox simulate --players`: in two-level and in pub each strength wins between 0.57
# and 0.69 of its games against the strength before it.
STRENGTHS: Mapping[str, Strength] = {
    strength.name: strength
    for strength in (
        Strength("careless", math.inf, throw_pace=1.6),
        Strength("casual", 0.155, throw_pace=1.3),
        Strength("steady", 0.078, throw_pace=1.15),
        Strength("skilled", 0.0445, races_by_odds=True),
        Strength("perfect", 0.0, plays_to_win=True, races_by_odds=True, throw_pace=0.85),
    )
}

# The players of a simulation: `best` always makes the choice with the least expected score.
CHOOSERS: Mapping[str, Strength] = {"best": Strength("best", 0.0), **STRENGTHS}
