"""The push-rod between a servo's horn and the crank of its tile: which angles of the tile each pulse allows.

A **slotted** rod leaves the tile free between two angles. At rest these lie beyond both its ends, so that neither hand
nor weight ever turns the servo's gears. Towards shut the slot's one end pushes the tile over, from where it falls;
towards open the other end lifts it. A **rigid** rod couples tile and horn at every angle.

The geometry is that of a column which was checked for collisions over its whole travel, in planes and as solids: crank
10 mm under the axle, horn of 14 mm (slot) or 10.5 mm (rigid), shaft 36 mm ahead of the axle.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from hardware.sim.mechanics import PLAY_DEG, TRAVEL_DEG, US_PER_DEG

_CRANK_MM, _CRANK_AHEAD_DEG = 10.0, 30.0
_SHAFT_AHEAD_MM, _SHAFT_BELOW_MM = 36.0, 14.0
_SLOT_HORN_MM, _RIGID_HORN_MM = 14.0, 10.5
_BESIDE = 0.85  # the rod's lane lies this part of the horn beside the shaft
# How far the slot is longer than the free travel needs, at each end: the horn may rest 6 degrees off either way.
_SPARE_MM = 1.5
_REST_HORN_DEG = -14.0
# Pulses are chosen for these angles: the open one lifts a tile to where its magnet takes over, short of the stop, so
# that no servo presses; the shut one pushes it to where it falls by itself. Both with the play of a typical tile.
LIFTS_TO_DEG, PUSHES_TO_DEG = 5.0, 36.0
_HALF_PLAY_DEG = sum(PLAY_DEG) / 4

_LEAST_US, _MOST_US, _STEP_US = 300.0, 2700.0, 8.0
_FARTHEST_DEG = 120.0  # an end of the slot that the tile cannot meet


def _length_mm(tile_deg: float, horn_deg: float, horn_mm: float) -> float:
    """Return the distance between crank pin and horn peg. A greater horn angle is farther from the tile."""
    crank, horn = math.radians(_CRANK_AHEAD_DEG - tile_deg), math.radians(horn_deg)
    along = _SHAFT_AHEAD_MM + horn_mm * math.sin(horn) - _CRANK_MM * math.sin(crank)
    across = horn_mm * (math.cos(horn) - _BESIDE)
    return math.hypot(along, across, _CRANK_MM * math.cos(crank) - _SHAFT_BELOW_MM)


def _solve(rises: Callable[[float], float], goal: float, low: float, high: float) -> float:
    """Return where a rising function reaches `goal`, or the nearer end."""
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if rises(middle) < goal else (low, middle)
    return (low + high) / 2


def _tile_deg(length_mm: float, horn_deg: float, horn_mm: float) -> float:
    return _solve(lambda tile: _length_mm(tile, horn_deg, horn_mm), length_mm, -_FARTHEST_DEG, _FARTHEST_DEG + 10)


def _horn_deg(length_mm: float, tile_deg: float, horn_mm: float) -> float:
    return _solve(lambda horn: _length_mm(tile_deg, horn, horn_mm), length_mm, -80.0, 80.0)


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
def slotted(open_us: float, rest_us: float, shut_us: float) -> Linkage:
    """Return the slotted rod of a box whose tiles stand, are free and lie at these pulses."""
    horn = _SLOT_HORN_MM
    pushes_mm = _length_mm(0.0, _REST_HORN_DEG, horn) - _SPARE_MM
    lifts_mm = _length_mm(TRAVEL_DEG, _REST_HORN_DEG, horn) + _SPARE_MM
    knots = (
        (open_us, _horn_deg(lifts_mm, LIFTS_TO_DEG - _HALF_PLAY_DEG, horn)),
        (rest_us, _REST_HORN_DEG),
        (shut_us, _horn_deg(pushes_mm, PUSHES_TO_DEG + _HALF_PLAY_DEG, horn)),
    )
    horns = _horns_deg(knots)
    return Linkage(
        tuple(_tile_deg(pushes_mm, each, horn) for each in horns),
        tuple(_tile_deg(lifts_mm, each, horn) for each in horns),
    )


@lru_cache
def rigid(open_us: float, shut_us: float) -> Linkage:
    """Return the rigid rod of a box whose tiles stand and lie at these pulses."""
    horn = _RIGID_HORN_MM
    # The length by which both ends lie equally far from the middle of the horn.
    length_mm = _solve(lambda mm: _horn_deg(mm, 0.0, horn) + _horn_deg(mm, TRAVEL_DEG, horn), 0.0, 30.0, 45.0)
    knots = ((open_us, _horn_deg(length_mm, 0.0, horn)), (shut_us, _horn_deg(length_mm, TRAVEL_DEG, horn)))
    angles = tuple(_tile_deg(length_mm, each, horn) for each in _horns_deg(knots))
    return Linkage(angles, angles)


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
