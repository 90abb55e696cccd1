"""The contacts of the tile sensors: Hall sensors with hysteresis, limit switches that bounce.

Angles are degrees of the tile: 0 stands against the stop, 95 lies on the ledge.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass

from hardware import hall
from hardware.column import TRAVEL_DEG

# Edges of a Hall sensor may chatter.
HALL_EDGES, HALL_CHATTER_S = (1, 3), (0.0002, 0.003)
# Small limit switches bounce with 3-10 edges in 0.2-20 ms (switch makers' application notes).
SWITCH_HYSTERESIS_DEG = (1.0, 3.0)
SWITCH_EDGES, SWITCH_BOUNCE_S = (3, 10), (0.0002, 0.02)


@dataclass(frozen=True, slots=True)
class Reach:
    """The angles in degrees at which a contact closes and opens again.

    closes_below: True for a switch that a standing tile presses, False for a magnet near a lying tile.
    """

    on_deg: float
    off_deg: float
    closes_below: bool

    def closed(self, angle_deg: float, was_closed: bool) -> bool:
        """Return True if the contact is closed at `angle_deg`; between the two angles it stays as it was."""
        edge = self.off_deg if was_closed else self.on_deg
        return angle_deg <= edge if self.closes_below else angle_deg >= edge


class Contact:
    """One contact: closed or open, with a burst of edges after every change."""

    def __init__(
        self, rng: random.Random, reach: Reach, angle_deg: float, *, edges: tuple[int, int], over_s: tuple[float, float]
    ) -> None:
        self._rng = rng
        self._reach = reach
        self._edges = edges
        self._over_s = over_s
        self._pending: tuple[float, ...] = ()
        self.closed = reach.closed(angle_deg, was_closed=False)

    def follow(self, angle_deg: float, now_s: float) -> bool:
        """Follow the tile to `angle_deg`; return True if the contact changes, which starts a burst of edges."""
        closed = self._reach.closed(angle_deg, self.closed)
        changes = closed != self.closed
        if changes:
            self.closed = closed
            # An even number of edges follows the first one, so that the last edge leaves the true state.
            after_first = (self._rng.randint(*self._edges) - 1) // 2 * 2
            lasts_s = self._rng.uniform(*self._over_s)
            self._pending = tuple(sorted(now_s + self._rng.uniform(0.0, lasts_s) for _ in range(after_first)))
        return changes

    def shows_closed(self, now_s: float) -> bool:
        """Return True if the line shows a closed contact at `now_s`, bounces included."""
        if not self._pending or now_s >= self._pending[-1]:
            return self.closed
        passed = sum(1 for edge_s in self._pending if edge_s <= now_s)
        return self.closed if passed % 2 == 0 else not self.closed


# Sensors and gaps of the parts list: the operate and release levels in mT (as fractions of the range from least to
# most), and the gap in mm, of a typical sensor and of the extremes that still are as their data sheets say.
_HALLS: Mapping[str, tuple[tuple[float, float], tuple[float, float]]] = {
    "typical": ((0.35, 0.55), (2.5, 3.5)),
    "dull": ((1.0, 1.0), (3.5, 4.0)),
    "keen": ((0.0, 0.0), (2.0, 2.5)),
}


def hall_sensor(rng: random.Random, angle_deg: float, kind: str = "typical") -> Contact:
    """Return a Hall sensor under the ledge: closed while the tile's magnet is near enough.

    A typical one closes 13 to 19 degrees before the tile lies, a `dull` one 8 to 9, a `keen` one 29 to 30.
    """
    levels, gaps_mm = _HALLS[kind]
    part, gap_mm = rng.uniform(*levels), rng.uniform(*gaps_mm) + hall.SENSOR.depth_mm / 2
    least, _, most = hall.SENSOR.operate_mt
    frees, _, frees_most = hall.SENSOR.release_mt
    on_deg = TRAVEL_DEG - hall.turn_deg(least + part * (most - least), gap_mm)
    off_deg = TRAVEL_DEG - hall.turn_deg(frees + part * (frees_most - frees), gap_mm)
    return Contact(rng, Reach(on_deg, off_deg, False), angle_deg, edges=HALL_EDGES, over_s=HALL_CHATTER_S)


def limit_switch(rng: random.Random, angle_deg: float) -> Contact:
    """Return a limit switch behind the tile: closed while the tile stands (up to 12 to 16 degrees)."""
    on_deg = rng.uniform(12.0, 16.0)
    reach = Reach(on_deg, on_deg + rng.uniform(*SWITCH_HYSTERESIS_DEG), closes_below=True)
    return Contact(rng, reach, angle_deg, edges=SWITCH_EDGES, over_s=SWITCH_BOUNCE_S)
