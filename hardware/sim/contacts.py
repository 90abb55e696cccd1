"""The contacts of the tile sensors: Hall sensors with hysteresis, limit switches that bounce.

Angles are degrees of the tile: 0 stands against the stop, 90 lies on the ledge.
"""

import random
from dataclasses import dataclass

# Hall sensors (unipolar, e.g. A3144 or SS441A) differ by 2-5 degrees between on and off; edges may chatter.
HALL_HYSTERESIS_DEG = (2.0, 5.0)
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


def hall_sensor(rng: random.Random, angle_deg: float) -> Contact:
    """Return a Hall sensor under the ledge: closed while the tile lies within its reach (66 to 72 degrees)."""
    on_deg = rng.uniform(66.0, 72.0)
    reach = Reach(on_deg, on_deg - rng.uniform(*HALL_HYSTERESIS_DEG), closes_below=False)
    return Contact(rng, reach, angle_deg, edges=HALL_EDGES, over_s=HALL_CHATTER_S)


def limit_switch(rng: random.Random, angle_deg: float) -> Contact:
    """Return a limit switch behind the tile: closed while the tile stands (up to 12 to 16 degrees)."""
    on_deg = rng.uniform(12.0, 16.0)
    reach = Reach(on_deg, on_deg + rng.uniform(*SWITCH_HYSTERESIS_DEG), closes_below=True)
    return Contact(rng, reach, angle_deg, edges=SWITCH_EDGES, over_s=SWITCH_BOUNCE_S)
