"""Campaign `fairness`: how often dice are called unfair, fair ones and loaded ones, and how soon."""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from statistics import median
from typing import Any

import numpy as np
from rich.table import Table

from controller.opponents.fairness import fairness_of
from controller.runtime.output import Exit
from controller.runtime.terminal import answers
from tests.campaigns.campaign import Campaign, print_report

DICE = 3000  # of an evening
MOST_FALSE, LEAST_FOUND = 0.01, 0.9  # what is promised of fair dice, and of those that say so
_Z = 1.96  # standard errors: with a confidence of 95 %
_IN_PLACE = 24  # evenings: see `Campaign.in_place`
_CHUNK = 8


@dataclass(frozen=True, slots=True)
class Loaded:
    """The dice of a throw: the chances of the faces of each, from 1. promised: to be found in nine evenings of ten."""

    name: str
    dice: tuple[tuple[float, ...], ...]
    promised: bool = False

    @property
    def sides(self) -> int:
        """The number of sides, the same of each."""
        return len(self.dice[0])

    @property
    def is_fair(self) -> bool:
        """True if every face has the same chance."""
        return all(min(die) == max(die) for die in self.dice)


def _die(sides: int, face: int = 0, chance: float = 0.0) -> tuple[float, ...]:
    """The chances of a die, fair or with one face that comes with another chance, the others alike."""
    if not face:
        return (1 / sides,) * sides
    return tuple(chance if each == face else (1 - chance) / (sides - 1) for each in range(1, sides + 1))


KINDS = (
    Loaded("fair", (_die(6), _die(6))),
    Loaded("fair, of 20 sides", (_die(20),)),
    Loaded("six at 1 in 5", (_die(6, 6, 1 / 5),) * 2, promised=True),
    Loaded("one at 1 in 5", (_die(6, 1, 1 / 5),) * 2),
    Loaded("six at 1 in 8", (_die(6, 6, 1 / 8),) * 2),
    Loaded("one of two, six at 1 in 5", (_die(6, 6, 1 / 5), _die(6))),
    Loaded("one of two, six at 1 in 4", (_die(6, 6, 1 / 4), _die(6))),
    Loaded("twenty at 1 in 12, of 20 sides", (_die(20, 20, 1 / 12),)),
)


@dataclass(frozen=True, slots=True)
class Trial:
    """One evening with dice of one kind."""

    kind: Loaded
    seed: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """One evening: after how many dice these were called unfair, and the face that was named at its end; None and None
    if they were not.
    """

    kind: Loaded
    after: int | None = None
    face: int | None = None


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The verdicts on dice of one kind: evenings, those on which they were called unfair, between which shares (0..1)
    that lies with a confidence of 95 %, the faces that were named then, and the median of the dice it took.
    """

    kind: str
    evenings: int
    unfair: int
    least: float
    most: float
    faces: Mapping[int, int]
    dice: float | None

    @classmethod
    def of(cls, kind: Loaded, outcomes: Sequence[Outcome]) -> "Verdicts":
        """Of all evenings with these dice."""
        found = [(each.after, each.face) for each in outcomes if each.after and each.face]
        faces = Counter(face for _, face in found)
        middle = median(after for after, _ in found) if found else None
        return cls(kind.name, len(outcomes), len(found), *interval(len(found), len(outcomes)), dict(faces), middle)


@dataclass(frozen=True, slots=True)
class FairnessReport:
    """The verdicts on each kind of dice. It has passed if none of them contradicts what is promised."""

    outcomes: Sequence[Outcome]

    @property
    def verdicts(self) -> list[tuple[Loaded, Verdicts]]:
        """By kind, as far as there are evenings."""
        groups = ((kind, [each for each in self.outcomes if each.kind == kind]) for kind in KINDS)
        return [(kind, Verdicts.of(kind, evenings)) for kind, evenings in groups if evenings]

    @property
    def problems(self) -> list[str]:
        """The promises that are not kept."""
        return [
            f"{kind.name}: called unfair on {each.unfair} of {each.evenings} evenings"
            for kind, each in self.verdicts
            if (kind.is_fair and each.least > MOST_FALSE) or (kind.promised and each.most < LEAST_FOUND)
        ]

    @property
    def passed(self) -> bool:
        """True if all promises are kept."""
        return not self.problems

    def as_json(self) -> Mapping[str, Any]:
        """The verdicts by kind, and the problems."""
        return {"verdicts": [asdict(each) for _, each in self.verdicts], "problems": self.problems}

    def show(self) -> None:
        """The same as a table."""
        grid = Table("Dice", "Evenings", "Unfair", "Unfair %", "with 95 % confidence", "After dice", "Named")
        for _, each in self.verdicts:
            share = f"{100 * each.unfair / each.evenings:.2f}"
            between = f"{100 * each.least:.2f} to {100 * each.most:.2f}"
            named = ", ".join(f"{face}: {count}" for face, count in sorted(each.faces.items()))
            after = "" if each.dice is None else f"{each.dice:.0f}"
            grid.add_row(each.kind, str(each.evenings), str(each.unfair), share, between, after, named)
        answers.print(grid)
        answers.print(f"Evenings of {DICE} dice; the verdict is asked for after every throw.")
        for problem in self.problems:
            answers.print(problem, markup=False)
        answers.print(f"{len(self.problems)} problems.")


def bench_fairness(evenings: int, seed: int, *, as_json: bool) -> Exit:
    """Throw dice of each kind on so many evenings, and report how they are called; NO if a promise is not kept.

    A verdict once given stands: asked for after every game only, it is heard at the end of the game in which it came.
    """
    trials = [Trial(kind, seed + number) for number, kind in product(range(evenings), KINDS)]
    results = Campaign("evenings", trials, try_evening, in_place=_IN_PLACE, chunk=_CHUNK).run()
    return print_report(FairnessReport(results.outcomes), results, as_json=as_json)


def try_evening(trial: Trial) -> Outcome:
    """Throw for an evening, and ask after every throw."""
    faces = throw_dice(trial)
    fairness = fairness_of(faces, trial.kind.sides)
    if not fairness.is_unfair:
        return Outcome(trial.kind)
    dice = len(trial.kind.dice)
    throws = range(DICE // dice + 1)
    first = bisect_left(throws, 1, key=lambda throw: fairness_of(faces[: throw * dice], trial.kind.sides).is_unfair)
    return Outcome(trial.kind, first * dice, fairness.face)


def throw_dice(trial: Trial) -> list[int]:
    """The faces of an evening, those of each throw in ascending order, as a game has them."""
    chance = np.random.default_rng((trial.seed, KINDS.index(trial.kind)))
    dice, sides = trial.kind.dice, trial.kind.sides
    columns = [chance.choice(np.arange(1, sides + 1), DICE // len(dice), p=die) for die in dice]
    faces: list[int] = np.sort(np.stack(columns, axis=1), axis=1).ravel().tolist()
    return faces


def interval(count: int, of: int) -> tuple[float, float]:
    """Between which shares (0..1) lies the one of which so many were seen, with a confidence of 95 % (Wilson 1927)."""
    share, square = count / of, _Z * _Z / of
    middle, half = share + square / 2, math.sqrt(square * (share * (1 - share) + square / 4))
    return max(0.0, (middle - half) / (1 + square)), min(1.0, (middle + half) / (1 + square))
