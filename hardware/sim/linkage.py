"""Which angles of its tile each pulse of a servo allows, through horn and push-rod."""

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from hardware.column import Row
from hardware.linkage import horn_angles, rod_of
from hardware.sim.mechanics import PLAY_DEG, US_PER_DEG

_LEAST_US, _MOST_US, _STEP_US = 300.0, 2700.0, 8.0


@dataclass(frozen=True, slots=True)
class Linkage:
    """The angles that a rod allows the tile, by the pulse that its horn follows, in steps of 8 us.

    Made by `slotted` or `rigid` for a profile's pulses.
    """

    lowest: tuple[float, ...]
    highest: tuple[float, ...]

    def low_deg(self, pulse_us: float) -> float:
        """Return the angle to which the rod pushes the tile at least."""
        return _between(self.lowest, pulse_us)

    def high_deg(self, pulse_us: float) -> float:
        """Return the angle to which the rod lifts the tile at most."""
        return _between(self.highest, pulse_us)


def _between(table: tuple[float, ...], pulse_us: float) -> float:
    place = (min(_MOST_US, max(_LEAST_US, pulse_us)) - _LEAST_US) / _STEP_US
    before = min(int(place), len(table) - 2)
    return table[before] + (table[before + 1] - table[before]) * (place - before)


@lru_cache
def slotted(row: Row, open_us: float, rest_us: float, shut_us: float) -> Linkage:
    """Return the slotted rod of a box whose tiles stand, are free and lie at these pulses."""
    rod = rod_of(row, "slot")
    # The pulses of a profile lead a tile of typical play to the angles of the drawing.
    angles = horn_angles(rod, sum(PLAY_DEG) / 4)
    knots = ((open_us, angles.open_deg), (rest_us, row.rest_horn_deg), (shut_us, angles.shut_deg))
    horns = _horns_deg(knots)
    return Linkage(tuple(map(rod.lowest_deg, horns)), tuple(map(rod.highest_deg, horns)))


@lru_cache
def rigid(row: Row, open_us: float, shut_us: float) -> Linkage:
    """Return the rigid rod of a box whose tiles stand and lie at these pulses."""
    rod = rod_of(row, "rigid")
    angles = horn_angles(rod)
    tiles = tuple(map(rod.lowest_deg, _horns_deg(((open_us, angles.open_deg), (shut_us, angles.shut_deg)))))
    return Linkage(tiles, tiles)


def _horns_deg(knots: tuple[tuple[float, float], ...]) -> list[float]:
    """Return the horn's angle for every pulse of the table: straight between the knots, a servo's own beyond them."""
    ordered = sorted(knots)
    way = math.copysign(1.0, ordered[-1][1] - ordered[0][1])
    pulses = [_LEAST_US + _STEP_US * step for step in range(round((_MOST_US - _LEAST_US) / _STEP_US) + 1)]
    found = []
    for pulse_us in pulses:
        if pulse_us <= ordered[0][0] or pulse_us >= ordered[-1][0]:
            nearest_us, deg = ordered[0] if pulse_us <= ordered[0][0] else ordered[-1]
            found.append(deg + way * (pulse_us - nearest_us) / US_PER_DEG)
            continue
        (from_us, from_deg), (to_us, to_deg) = next(pair for pair in pairwise(ordered) if pulse_us <= pair[1][0])
        found.append(from_deg + (to_deg - from_deg) * (pulse_us - from_us) / (to_us - from_us))
    return [max(-85.0, min(85.0, deg)) for deg in found]
