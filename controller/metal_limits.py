"""What may never be exceeded in the metal, as the campaigns check it."""

from hardware.box import Box

UNMOVED_S = 0.8  # hardware/box.py, Motion.timeout_s: no servo is driven longer without its tile moving
TOLERANCE = 1e-6
_IDLE_A = 0.010  # hardware/sim/servo.py: what a servo without pulses draws at most


def budget_a(box: Box) -> float:
    """What the servos may draw, in ampere: as many stalling as may be driven, and the others at rest."""
    return box.supply.servos_at_once * box.supply.stalled_a + len(box.tile_ids) * _IDLE_A
