"""Limits of the metal (stall, current, stack rule): find those that a trial exceeded, report how near it came."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.runtime.terminal import answers
from hardware.box import LONGEST_DRIVE_S, Box
from hardware.sim.world import World
from tests.support.true_box import breaks_stack_rule, driven_tiles, longest_s, stress_of

_TOLERANCE = 1e-6  # sums of floating-point seconds and ampere are off by less
# A servo that is kicked by a pulse cut in its middle draws what nobody has asked for, for 0.08 s at most. Supplies bear
# a tenth more than their rating (Mean Well LRS-35, data sheet: overload protection at 110 to 150 %).
_WHILE_KICKED = 1.1


@dataclass(frozen=True, slots=True)
class Load:
    """The worst for the metal in a trial.

    unmoved_s: how long a servo was driven at a stretch without its tile moving. of_budget: the highest current of all
    servos together, as a part of what they may draw; 1 is the limit. kicking: the highest while one of them was kicked
    by a pulse that was cut, as a part of what the supply feeds; the limit is 1.1.
    """

    unmoved_s: float = 0.0
    of_budget: float = 0.0
    kicking: float = 0.0


@dataclass(frozen=True, slots=True)
class MetalReport:
    """The report of a campaign whose trials may not harm the metal.

    `facts` are what else it counted, and `lines` the same in words. It has passed if there are no `problems`.
    """

    facts: Mapping[str, Any]
    lines: Sequence[str]
    loads: Sequence[Load]
    problems: Sequence[str]

    @property
    def passed(self) -> bool:
        """True if nothing went wrong."""
        return not self.problems

    def as_json(self) -> Mapping[str, Any]:
        """The facts, then the worst load, then the problems."""
        worst = worst_load(self.loads)
        parts = {"most_of_budget": worst.of_budget, "most_of_supply_while_kicked": worst.kicking}
        return {**self.facts, "longest_unmoved_s": worst.unmoved_s, **parts, "problems": list(self.problems)}

    def show(self) -> None:
        """The same, a line each."""
        worst = worst_load(self.loads)
        for line in self.lines:
            answers.print(line)
        longest = f"{worst.unmoved_s:.3f} s (limit {LONGEST_DRIVE_S})"
        answers.print(f"Longest that a servo was driven without its tile moving: {longest}.")
        kicking = (
            f"{100 * worst.kicking:.0f} % of the supply while a servo was kicked (limit {100 * _WHILE_KICKED:.0f})"
        )
        answers.print(f"Highest current: {100 * worst.of_budget:.0f} % of the budget, {kicking}.")
        for problem in self.problems:
            answers.print(problem, markup=False)
        answers.print(f"{len(self.problems)} problems.")


def measure_load(world: World) -> Load:
    """The worst load since the simulated box was made, or since its stress was last cleared."""
    stress, most_a = stress_of(world), budget_a(world.box)
    return Load(longest_s(stress), stress.most_a / most_a, stress.most_kicking_a / world.box.supply.limit_a)


def worst_load(loads: Iterable[Load]) -> Load:
    """The worst of each kind; nothing at all where there were no trials."""
    every = [Load(), *loads]
    return Load(
        max(load.unmoved_s for load in every),
        max(load.of_budget for load in every),
        max(load.kicking for load in every),
    )


def violations(world: World, *, shorted: bool) -> Iterator[str]:
    """The limits that a simulated box exceeded by the end of a trial, a line each.

    With /OE `shorted` nothing can be switched off: that servos are driven still is then nobody's mistake.
    """
    stress, most_a, supply_a = stress_of(world), budget_a(world.box), world.box.supply.limit_a
    if longest_s(stress) > LONGEST_DRIVE_S + _TOLERANCE:
        tile = max(stress.unmoved_s, key=lambda tile: stress.unmoved_s[tile])
        yield f"{tile} was driven {longest_s(stress):.3f} s without moving"
    for drawn_a, limit_a in ((stress.most_a, most_a), (stress.most_kicking_a, _WHILE_KICKED * supply_a)):
        if drawn_a > limit_a + _TOLERANCE:
            yield f"{drawn_a:.2f} A of {limit_a:.2f} A"
    if breaks_stack_rule(world):
        yield "a tile lies behind one that stands"
    if driven_tiles(world) and not shorted:
        yield f"{', '.join(map(str, driven_tiles(world)))} still driven at the end"


def budget_a(box: Box) -> float:
    """The current that the servos may draw, in ampere: as many stalling as may be driven, and the others at rest."""
    driven = min(box.servos_at_once, len(box.tile_ids))
    return driven * box.supply.stalling_a + (len(box.tile_ids) - driven) * box.supply.idle_a
