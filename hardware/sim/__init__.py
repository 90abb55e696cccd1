"""The simulated world below the wire: tiles, servos, sensors, supply and dice, with injectable faults."""

from hardware.sim.claim_set import CLAIM_COLOURS, JOKER_VALUE, JOKERS, claim_look
from hardware.sim.dice import COLOURS, D20, LOOKS, Colour, DieLook, SimulatedDie
from hardware.sim.faults import FAULTS, FaultKind, apply_fault
from hardware.sim.hands import DEEDS, look_at
from hardware.sim.servo import IDLE_A
from hardware.sim.tolerances import CAREFUL, JUST_BUILT, Tolerances
from hardware.sim.world import SheetPose, World

__all__ = [
    "CAREFUL",
    "CLAIM_COLOURS",
    "COLOURS",
    "D20",
    "DEEDS",
    "FAULTS",
    "IDLE_A",
    "JOKERS",
    "JOKER_VALUE",
    "JUST_BUILT",
    "LOOKS",
    "Colour",
    "DieLook",
    "FaultKind",
    "SheetPose",
    "SimulatedDie",
    "Tolerances",
    "World",
    "apply_fault",
    "claim_look",
    "look_at",
]
