"""A simulated table for the tests of vision: dice where the test puts them, seen by the simulated camera."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from hardware.box import load_box
from hardware.sim.dice import LOOKS, DieLook, SimulatedDie, throw_dice
from hardware.sim.world import SheetPose
from vision.sim.camera import SimulatedCamera

BOX = load_box("two-level-9")
WHITE, RED = DieLook(16.0, *LOOKS[0]), DieLook(16.0, *LOOKS[2])


@dataclass(slots=True)
class Table:
    """What the simulated camera may know, set by the test."""

    lying: Sequence[SimulatedDie] = ()
    seed: int = 1
    camera_fault: str | None = None
    now_s: float = 0.0
    held: SheetPose | None = None
    seen: list[float] = field(default_factory=list)

    def now(self) -> float:
        return self.now_s

    def dice(self) -> Sequence[SimulatedDie]:
        return self.lying

    def sheet(self) -> SheetPose | None:
        return self.held


def die(value: int, x_mm: float, y_mm: float, look: DieLook = WHITE, angle_rad: float = 0.4) -> SimulatedDie:
    """A die with `value` on top; what faces near is any value beside it."""
    near = next(other for other in range(1, 7) if other not in (value, 7 - value))
    return SimulatedDie(value, near, x_mm, y_mm, angle_rad, look)


def thrown(seed: int, count: int, edges_mm: Sequence[float] = (16.0,)) -> tuple[SimulatedDie, ...]:
    """`count` dice of seeded looks and sizes, as they lie after a throw."""
    rng = random.Random(seed)
    looks = [DieLook(rng.choice(edges_mm), *rng.choice(LOOKS)) for _ in range(count)]
    throw = throw_dice(rng, looks, now_s=0.0, width_mm=280, depth_mm=200, margin_mm=32)
    return throw.at_rest


def camera(lying: Sequence[SimulatedDie] = (), seed: int = 1) -> SimulatedCamera:
    """A simulated camera over these dice."""
    return SimulatedCamera(Table(lying, seed), BOX)
