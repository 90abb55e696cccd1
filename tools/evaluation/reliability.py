"""The reliability of a reader, from counts: how often it is right at each confidence."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

_EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 1.0)


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
