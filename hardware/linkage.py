"""The push-rod between a servo's horn and the crank of its tile: which angle of one allows which of the other.

A **slotted** rod leaves the tile free between two lengths. While the horn rests these lie beyond both ends of the
tile's travel, so that neither hand nor weight ever turns the servo's gears. Towards shut, one end of the slot pushes
the tile over, from where it falls; towards open, the other end lifts it. A **rigid** rod couples tile and horn at every
angle.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from hardware.column import (
    CRANK_MM,
    HORN_MM,
    LIFTS_TO_DEG,
    PUSHES_TO_DEG,
    RIGID_HORN_MM,
    SPARE_MM,
    TAIL_AHEAD_DEG,
    TRAVEL_DEG,
    Row,
)

Link = Literal["slot", "rigid"]

_FARTHEST_DEG = 120.0  # an end of the slot that the tile cannot meet
_HORN_DEG = 85.0  # farther a servo does not turn


@dataclass(frozen=True, slots=True)
class Rod:
    """The push-rod of a row: the least and the greatest distance in mm between crank pin and horn peg.

    horn_mm: the radius of the peg for which it is made.
    """

    row: Row
    least_mm: float
    most_mm: float
    horn_mm: float

    @property
    def _pushing_mm(self) -> float:
        return self.least_mm if self.row.towards < 0 else self.most_mm

    @property
    def _lifting_mm(self) -> float:
        return self.most_mm if self.row.towards < 0 else self.least_mm

    def lowest_deg(self, horn_deg: float) -> float:
        """Return the angle to which the horn pushes the tile at least; -120 if it does not."""
        return self._tile_deg(self._pushing_mm, horn_deg)

    def highest_deg(self, horn_deg: float) -> float:
        """Return the angle to which the horn lifts the tile at most; 130 if it does not."""
        return self._tile_deg(self._lifting_mm, horn_deg)

    def pushing_horn_deg(self, tile_deg: float) -> float:
        """Return the horn's angle at which the rod begins to push a tile at this angle."""
        return self._horn_deg(self._pushing_mm, tile_deg)

    def lifting_horn_deg(self, tile_deg: float) -> float:
        """Return the horn's angle at which the rod begins to lift a tile at this angle."""
        return self._horn_deg(self._lifting_mm, tile_deg)

    def allows(self, tile_deg: float, horn_deg: float, *, play_mm: float = 0.05) -> bool:
        """Return True if tile and horn can have these angles together."""
        length_mm = distance_mm(self.row, tile_deg, horn_deg, self.horn_mm)
        return self.least_mm - play_mm <= length_mm <= self.most_mm + play_mm

    def _tile_deg(self, length_mm: float, horn_deg: float) -> float:
        way = -self.row.towards
        return _solve(
            lambda tile: way * distance_mm(self.row, tile, horn_deg, self.horn_mm),
            way * length_mm,
            -_FARTHEST_DEG,
            _FARTHEST_DEG + 10,
        )

    def _horn_deg(self, length_mm: float, tile_deg: float) -> float:
        way = -self.row.towards
        return _solve(
            lambda horn: way * distance_mm(self.row, tile_deg, horn, self.horn_mm),
            way * length_mm,
            -_HORN_DEG,
            _HORN_DEG,
        )


def crank_mm(tile_deg: float) -> tuple[float, float]:
    """Return y and z of the crank pin, from its axle."""
    ahead = math.radians(TAIL_AHEAD_DEG - tile_deg)
    return -CRANK_MM * math.sin(ahead), -CRANK_MM * math.cos(ahead)


def peg_mm(row: Row, horn_deg: float, horn_mm: float) -> tuple[float, float, float]:
    """Return x, y and z of the peg's middle where the rod meets it, from the middle of the column's front axle."""
    x, y, z = row.shaft_mm(horn_mm)
    horn = math.radians(horn_deg)
    return x + row.turn * horn_mm * math.cos(horn), y - horn_mm * math.sin(horn), z


def distance_mm(row: Row, tile_deg: float, horn_deg: float, horn_mm: float) -> float:
    """Return the distance between crank pin and horn peg."""
    y, z = crank_mm(tile_deg)
    peg_x, peg_y, peg_z = peg_mm(row, horn_deg, horn_mm)
    axle_y, axle_z = row.axle_mm
    return math.hypot(peg_x - row.lane_mm, peg_y - axle_y - y, peg_z - axle_z - z)


@lru_cache
def slotted(row: Row) -> Rod:
    """Return the rod of a row that leaves its tiles free over their whole travel while the horn rests, with a spare."""
    ends = [distance_mm(row, tile_deg, row.rest_horn_deg, HORN_MM) for tile_deg in (0.0, TRAVEL_DEG)]
    return Rod(row, min(ends) - SPARE_MM, max(ends) + SPARE_MM, HORN_MM)


@lru_cache
def rigid(row: Row) -> Rod:
    """Return the rod whose length brings both ends of the travel equally far from the middle of the horn."""

    def off_deg(length_mm: float) -> float:
        rod = Rod(row, length_mm, length_mm, RIGID_HORN_MM)
        return -row.towards * (rod.lifting_horn_deg(0.0) + rod.lifting_horn_deg(TRAVEL_DEG))

    length_mm = _solve(off_deg, 0.0, 30.0, 50.0)
    return Rod(row, length_mm, length_mm, RIGID_HORN_MM)


def rod_of(row: Row, link: Link) -> Rod:
    return slotted(row) if link == "slot" else rigid(row)


@dataclass(frozen=True, slots=True)
class HornAngles:
    """The horn's angles at the three pulses of a profile; a rigid rod has no rest."""

    open_deg: float
    rest_deg: float | None
    shut_deg: float


def horn_angles(rod: Rod, half_play_deg: float = 0.0) -> HornAngles:
    """Return where the pulses lead the horn. half_play_deg: half of the play of gears, horn and rod, of the tile."""
    if rod.least_mm == rod.most_mm:
        return HornAngles(rod.lifting_horn_deg(0.0), None, rod.pushing_horn_deg(TRAVEL_DEG))
    return HornAngles(
        rod.lifting_horn_deg(LIFTS_TO_DEG - half_play_deg),
        rod.row.rest_horn_deg,
        rod.pushing_horn_deg(PUSHES_TO_DEG + half_play_deg),
    )


def _solve(rises: Callable[[float], float], goal: float, low: float, high: float) -> float:
    """Return where a rising function reaches `goal`, or the nearer end."""
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if rises(middle) < goal else (low, middle)
    return (low + high) / 2
