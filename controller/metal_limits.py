"""What may never be exceeded in the metal, as the campaigns check it."""

from collections.abc import Sequence

from controller.output import answers
from hardware.box import Box

UNMOVED_S = 0.8  # hardware/box.py, Motion.timeout_s: no servo is driven longer without its tile moving
TOLERANCE = 1e-6
_IDLE_A = 0.010  # hardware/sim/servo.py: what a servo without pulses draws at most


def tell_limits(longest_s: float, most: float, problems: Sequence[str]) -> None:
    """Say how near to the limits a campaign came (`most` as a part of the budget), and what went wrong."""
    answers.print(f"Longest that a servo was driven without its tile moving: {longest_s:.3f} s (limit {UNMOVED_S}).")
    answers.print(f"Highest current: {100 * most:.0f} % of the budget.")
    for problem in problems:
        answers.print(problem, markup=False)
    answers.print(f"{len(problems)} problems.")


def budget_a(box: Box) -> float:
    """What the servos may draw, in ampere: as many stalling as may be driven, and the others at rest."""
    return box.supply.servos_at_once * box.supply.stalled_a + len(box.tile_ids) * _IDLE_A
