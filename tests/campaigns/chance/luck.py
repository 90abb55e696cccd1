"""Campaign `luck`: does every game add up by the exact odds, and is luck nobody's on average?"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from controller.runtime.output import Exit
from controller.runtime.terminal import answers
from tests.campaigns.campaign import Campaign, print_report
from tests.campaigns.chance.lucky_play import Outcome, Sums, Trial, try_luck
from tests.campaigns.pool import silence

MOST_GAP = 1e-9  # between a result and what it is made of: so much is rounding
MOST_ERRORS = 4.0  # standard errors: luck with the mean 0 is farther from it in one campaign of 16,000
_THROWS_PER_TRIAL = 2500
_IN_PLACE = 4  # trials: see `Campaign.in_place`


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean luck of a throw, in points as a part of what all tiles cost, or as a chance to win."""

    throws: int
    mean: float
    standard_error: float

    @classmethod
    def of(cls, sums: Iterable[Sums]) -> "Mean":
        """Of all these together. One throw says nothing of the next, so their squares add up."""
        every = list(sums)
        throws = sum(each.throws for each in every)
        total, squares = sum(each.total for each in every), sum(each.squares for each in every)
        return cls(throws, total / max(1, throws), math.sqrt(squares) / max(1, throws))

    @property
    def off(self) -> float:
        """By how many standard errors it is off 0."""
        return abs(self.mean) / self.standard_error if self.standard_error else 0.0

    def as_json(self) -> Mapping[str, Any]:
        """All of it."""
        return {"throws": self.throws, "mean": self.mean, "standard_error": self.standard_error, "off": self.off}


@dataclass(frozen=True, slots=True)
class LuckReport:
    """The outcomes of all trials. It has passed if every game adds up, the perfect house made no errors, and luck has
    the mean 0 in points and in chances to win.
    """

    outcomes: Sequence[Outcome]

    @property
    def passed(self) -> bool:
        """True if there is nothing to tell."""
        return not self.problems

    @property
    def points(self) -> Mean:
        """The mean luck of all throws in points."""
        return Mean.of(each.points for each in self.outcomes)

    @property
    def wins(self) -> Mean:
        """The mean luck of the same throws in chances to win, where players play for that."""
        return Mean.of(each.wins for each in self.outcomes)

    @property
    def problems(self) -> list[str]:
        """What is not as it must be, each with its trial."""
        found = []
        for each in self.outcomes:
            name = f"python -m tests.campaigns luck --throws {each.trial.throws} --seed {each.trial.seed}"
            found += [f"{name}: {problem}" for problem in each.problems]
            if each.gap > MOST_GAP:
                found.append(f"{name}: a result is {each.gap:.1e} off what it is made of")
            if each.errors > 0:
                found.append(f"{name}: the perfect house made an error of {each.errors:.1e}")
        means = (("points", self.points), ("chances to win", self.wins))
        off = [(name, mean.off) for name, mean in means if mean.off > MOST_ERRORS]
        return found + [f"luck in {name} is {by:.1f} standard errors off 0" for name, by in off]

    def by_game(self) -> dict[str, Mean]:
        """The mean luck in points of each game."""
        groups = defaultdict[str, list[Sums]](list)
        for each in self.outcomes:
            groups[each.trial.game].append(each.points)
        return {game: Mean.of(sums) for game, sums in groups.items()}

    def as_json(self) -> Mapping[str, Any]:
        """The counts, the worst gap and error, the means, and the problems."""
        return {
            "games": sum(each.games for each in self.outcomes),
            "turns": sum(each.turns for each in self.outcomes),
            "gap": max((each.gap for each in self.outcomes), default=0.0),
            "errors_of_the_perfect": max((each.errors for each in self.outcomes), default=0.0),
            "points": self.points.as_json(),
            "wins": self.wins.as_json(),
            "by_game": {game: mean.as_json() for game, mean in self.by_game().items()},
            "problems": self.problems,
        }

    def show(self) -> None:
        """The same as a table and some lines."""
        found = self.as_json()
        grid = Table("Game", "Throws", "Mean luck", "Standard error", "Off 0 by")
        means = {**self.by_game(), "all, in points": self.points, "all, in chances to win": self.wins}
        for name, mean in means.items():
            grid.add_row(
                name, str(mean.throws), f"{mean.mean:+.6f}", f"{mean.standard_error:.6f}", f"{mean.off:.1f} errors"
            )
        answers.print(grid)
        answers.print("Luck in points is told as a part of what all tiles cost.")
        answers.print(f"{found['games']} games, {found['turns']} turns.")
        answers.print(f"Greatest gap of a result and what it is made of: {found['gap']:.1e} (limit {MOST_GAP}).")
        answers.print(f"Greatest error of the perfect house: {found['errors_of_the_perfect']:.1e}.")
        for problem in found["problems"]:
            answers.print(problem, markup=False)
        answers.print(f"{len(found['problems'])} problems.")


def bench_luck(throws: int, seed: int, *, as_json: bool) -> Exit:
    """Play so many throws of all games that have exact odds, by chance and perfectly; NO if one does not add up.

    The first game is drawn from `seed`, each further one from the next number.
    """
    results = Campaign("games", _trials(throws, seed), try_luck, in_place=_IN_PLACE, begin=silence).run()
    return print_report(LuckReport(results.outcomes), results, as_json=as_json)


def _trials(throws: int, seed: int) -> list[Trial]:
    full, rest = divmod(throws, _THROWS_PER_TRIAL)
    sizes = [_THROWS_PER_TRIAL] * full + ([rest] if rest else [])
    return [Trial(seed + number, size) for number, size in enumerate(sizes)]
