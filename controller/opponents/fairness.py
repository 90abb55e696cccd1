"""Fairness of dice: a test whose verdict may be checked after every throw.

An ordinary test is valid for one check after a fixed number of throws; repeated checks eventually call any die unfair.
Here a bet against fair dice is kept instead (Lindon and Malek 2022, "Anytime-valid inference for multinomial count
data"): the mean of its stake is 1 at every moment as long as the dice are fair, so it ever grows to 100 or more in at
most one evening of a hundred (Ville's inequality), however often it is checked.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from controller.rules.errors import InvalidNotation
from hardware.on_demand import LibraryOnDemand

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
else:
    np = LibraryOnDemand("numpy")
    Floats = Any

# With fewer dice a verdict of fair says little: half of the dice that show one face 1.38 times too often are called
# unfair by the 450th to 530th (200 simulated evenings each).
TELLING = 500
_UNFAIR = 0.01  # the greatest share of evenings on which fair dice may be called unfair

# The distribution of the stake before the first throw. Any distribution is valid; this one detects the likely case
# early: one face comes too often, by these factors of its fair chance (each with its part of the stake), and the others
# equally often. Half of that is on the highest face, whose hollows make it the lightest (Weldon's dice: 0.3377 instead
# of 0.3333 for a 5 or 6; Labby 2009).
_FACTORS = ((1.12, 0.15), (1.2, 0.6), (1.38, 0.15), (1.68, 0.1))
_ON_HIGHEST = 0.5
_ON_ANY_CHANCES = 0.1  # on all possible chances, by a Dirichlet distribution around the fair ones
_AS_SURE_AS = 1000.0  # the weight of this distribution in throws: it detects differences of some hundredths


@dataclass(frozen=True, slots=True)
class Fairness:
    """The verdict on dice after some throws.

    counts: the number of times that each face came, from 1.
    p: an upper bound, valid at any moment, of the chance that fair dice ever look as unfair as these (0..1).
    face: the face that differs the most from its fair share; None without throws.
    """

    counts: tuple[int, ...]
    p: float
    face: int | None

    @property
    def dice(self) -> int:
        """The number of dice that were thrown."""
        return sum(self.counts)

    @property
    def is_unfair(self) -> bool:
        """True if fair dice would look so on at most one evening of a hundred."""
        return self.p <= _UNFAIR


def fairness_of(faces: Sequence[int], sides: int = 6) -> Fairness:
    """Return the verdict on dice that showed these faces (1 to `sides`), in the order of the throws.

    The order matters: p never rises again, so that a verdict stands once given. Raises `InvalidNotation` for other
    faces.
    """
    stakes = stakes_of(faces, sides)
    counts = np.bincount(np.asarray(faces, np.intp), minlength=sides + 1)[1:]
    face = int(np.abs(counts - counts.mean()).argmax()) + 1 if len(faces) else None
    return Fairness(tuple(counts.tolist()), math.exp(-max(0.0, stakes.max(initial=0.0))), face)


def stakes_of(faces: Sequence[int], sides: int) -> Floats:
    """Return the logarithm of the stake after each throw, (n); it is 0 before the first. Raises `InvalidNotation`."""
    shown = np.asarray(faces, np.intp)
    if len(shown) and (shown.min() < 1 or shown.max() > sides):
        raise InvalidNotation(f"a die of {sides} sides shows 1 to {sides}, not {shown.min()} to {shown.max()}")
    came = shown[:, None] == np.arange(1, sides + 1)
    counts = came.cumsum(axis=0)
    stakes = [_on_any_chances(came, counts), *_on_one_face(counts)]
    return np.asarray(np.logaddexp.reduce(stakes, axis=0), np.float64)


def _on_any_chances(came: "NDArray[np.bool_]", counts: "NDArray[np.intp]") -> Floats:
    """Return the logarithm of this part of the stake after each throw: each face by its chance after those before."""
    throws, sides = came.shape
    before = (counts - came)[came]
    chance = (_AS_SURE_AS / sides + before) / (_AS_SURE_AS + np.arange(throws))
    return np.asarray(math.log(_ON_ANY_CHANCES) + np.log(sides * chance).cumsum(), np.float64)


def _on_one_face(counts: "NDArray[np.intp]") -> list[Floats]:
    """Return the same for each bet that one face comes too often by one of the factors."""
    throws, sides = counts.shape
    others = np.arange(1, throws + 1)[:, None] - counts
    share = np.full(sides, (1 - _ON_HIGHEST) / (sides - 1))
    share[-1] = _ON_HIGHEST
    return [
        bet
        for factor, part in _FACTORS
        for bet in (
            np.log((1 - _ON_ANY_CHANCES) * share * part)
            + counts * math.log(factor)
            + others * math.log((sides - factor) / (sides - 1))
        ).T
    ]
