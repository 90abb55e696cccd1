"""The measures of a column that can be built, and how much each may be off: drawn from a seed, box by box.

Lengths in mm, angles in degrees. A tile's are counted from its stop, a horn's from where it points across
the column, towards the player. (A): nobody has measured it on a part yet.
"""

import math
import random
from dataclasses import dataclass
from typing import Self

from hardware.column import CRANK_MM
from hardware.linkage import Link

STALL_NM = 0.12  # SG90 and MG90S data sheets: 1.2 to 1.8 kg cm at 4.8 V, less in use
SPEED_RAD_S = math.radians(60.0) / 0.11
_PROPORTIONAL_NM = 2.0  # per radian: the motor gets all it can from 3.4 degrees off (A)
_LATEST = 0.8  # the part of the back-EMF that a late drive undoes; one that is later still hunts (A)
_STEP_S = 0.0005


@dataclass(frozen=True, slots=True)
class TileMeasures:
    """One tile with rod and servo. The defaults are those of the drawing.

    rod_mm: how much the rod is too long. loose_mm: the play of gears, horn and rod together, at the crank.
    stop_deg: where the tile stands. magnet_gap_tenths_mm: the gap of the stop magnets.
    weight: its density, as a factor.
    gear_friction_nm, inertia_kg_m2: of the servo, at its horn (A).
    speed: its speed, as a factor. overshoot_deg: how far its horn turns beyond a goal that is far away; 0: not at all.
    """

    rod_mm: float = 0.0
    loose_mm: float = 0.0
    stop_deg: float = 0.0
    magnet_gap_tenths_mm: int = 40
    weight: float = 1.0
    axle_friction_nm: float = 5e-5
    gear_friction_nm: float = 0.02
    inertia_kg_m2: float = 1e-4
    speed: float = 1.0
    overshoot_deg: float = 0.0

    @property
    def proportional_nm(self) -> float:
        """The torque that the servo has for each radian of error."""
        return _PROPORTIONAL_NM

    @property
    def back_emf_nm_s(self) -> float:
        """The torque that a motor under voltage loses for each radian a second: at its speed only friction is left."""
        return (STALL_NM - self.gear_friction_nm) / (SPEED_RAD_S * self.speed)

    def derivative_nm_s(self) -> float:
        """Return the derivative part of the servo's drive by which a free horn overshoots as it should.

        It may be negative: a drive that knows its horn's place late. Without overshoot it brakes well.
        """
        least, most = -_LATEST * self.back_emf_nm_s, 0.01
        if not self.overshoot_deg:
            return most
        for _ in range(9):
            middle = (least + most) / 2
            least, most = (least, middle) if self._overshoots_deg(middle) < self.overshoot_deg else (middle, most)
        return least

    def _overshoots_deg(self, derivative_nm_s: float) -> float:
        """Return how far the free horn turns beyond a goal of 60 degrees."""
        goal, at, speed, farthest = math.radians(60.0), 0.0, 0.0, 0.0
        lost = _STEP_S * self.gear_friction_nm / self.inertia_kg_m2
        while speed >= 0.0:
            wanted = _PROPORTIONAL_NM * (goal - at) - derivative_nm_s * speed
            torque_nm = max(-STALL_NM, min(STALL_NM, wanted)) - self.back_emf_nm_s * speed
            speed += _STEP_S * torque_nm / self.inertia_kg_m2
            speed = speed - lost if speed > lost else min(0.0, speed + lost) or -1.0
            at += max(0.0, speed) * _STEP_S
            farthest = max(farthest, at)
        return math.degrees(farthest - goal)

    @classmethod
    def draw(cls, rng: random.Random) -> Self:
        """Draw one tile: printed parts within 0.2 mm, servos as vendors' measurements spread them.

        The inertia is that of a motor whose servo can overshoot by its own, without being late.
        """
        play_deg = rng.uniform(2.0, 5.0)
        return cls(
            rod_mm=rng.uniform(-0.2, 0.2),
            loose_mm=CRANK_MM * math.radians(play_deg),
            stop_deg=rng.uniform(-1.0, 1.0),
            magnet_gap_tenths_mm=round(rng.uniform(36, 46)),
            weight=rng.uniform(0.95, 1.05),
            axle_friction_nm=rng.uniform(2e-5, 2e-4),
            gear_friction_nm=rng.uniform(0.01, 0.04),
            inertia_kg_m2=rng.uniform(1.5e-4, 3e-4),
            speed=rng.uniform(0.85, 1.15),
            overshoot_deg=rng.uniform(3.0, 6.0),
        )


@dataclass(frozen=True, slots=True)
class ColumnMeasures:
    """One column: front and back tile, and how many degrees too low its ledge lets them lie."""

    front: TileMeasures = TileMeasures()
    back: TileMeasures = TileMeasures()
    ledge_deg: float = 0.0
    rod: Link = "slot"

    def __getitem__(self, row: int) -> TileMeasures:
        """Return the measures of the front tile (0) or of the back tile (1)."""
        return (self.front, self.back)[row]

    @classmethod
    def of(cls, tile: TileMeasures, rod: Link) -> Self:
        """Return a column of two such tiles."""
        return cls(tile, tile, rod=rod)

    @classmethod
    def draw(cls, seed: int, column: int) -> Self:
        rng = random.Random(f"{seed}/measures/{column}")
        return cls(TileMeasures.draw(rng), TileMeasures.draw(rng), rng.uniform(-1.0, 1.0))
