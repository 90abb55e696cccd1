"""The reliability of a reader, from counts: how often it is right at each confidence, and the most it may be wrong."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from vision.scoring import Tally

_EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 1.0)
_SURE = 0.95  # confidence of the bound on wrong readings
_HALVINGS = 60


@dataclass(frozen=True, slots=True)
class Bin:
    """The readings with a confidence from `low` up to `high` (0..1): how many, and how many of them were right."""

    low: float
    high: float
    told: int
    right: int


def reliability_of(readings: Iterable[tuple[float, bool]]) -> list[Bin]:
    """Sort readings, each with its confidence (0..1) and whether it was right, into bins; empty ones are left out."""
    counted = list(readings)
    bins = []
    for low, high in pairwise(_EDGES):
        is_last = high == _EDGES[-1]
        rights = [right for told, right in counted if low <= told and (told < high or is_last)]
        if rights:
            bins.append(Bin(low, high, len(rights), sum(rights)))
    return bins


def most_wrong(tally: Tally) -> float:
    """Return the upper bound of the part of wrong readings (0..1), with a confidence of 95 %.

    The upper bound of a Poisson count: the mean at which so few wrong readings or fewer occur in one of twenty runs. Of
    n pictures without a wrong one it is 3 / n (Hanley and Lippman-Hand 1983).
    """
    low, high = 0.0, tally.wrong + 10 * math.sqrt(tally.wrong + 1)
    for _ in range(_HALVINGS):
        mean = (low + high) / 2
        # The chance of at most this many wrong ones where `mean` are expected.
        chance = sum(math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(tally.wrong + 1))
        low, high = (mean, high) if chance > 1 - _SURE else (low, mean)
    return min(1.0, high / max(1, tally.pictures))
