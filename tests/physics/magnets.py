"""The torque of a tile's stop magnet on its tail, and the field of the tail's magnet at its Hall sensor."""

from functools import lru_cache

import numpy as np

from hardware import hall
from hardware.cad.fields import Disc, Points
from hardware.column import TAIL_AHEAD_DEG, TRAVEL_DEG

_REMANENCE_T = 1.2  # N35: 1.17 to 1.22

FROM_DEG, TO_DEG = -3, 70  # of `torques_nm`; farther away it is nothing


def _tail(tile_deg: float) -> tuple[Points, Points]:
    """Return the direction from the axle to the tail's magnet, and that of its way towards the stop."""
    ahead = np.radians(TAIL_AHEAD_DEG - tile_deg)
    return np.array([0.0, np.sin(ahead), -np.cos(ahead)]), np.array([0.0, np.cos(ahead), np.sin(ahead)])


@lru_cache
def torques_nm(tenths_mm: int) -> tuple[float, ...]:
    """Return the torque in N m at each degree of the tile from `FROM_DEG` to `TO_DEG`; negative: towards the stop.

    tenths_mm: the gap between both magnets of a standing tile.
    """
    arm, way = _tail(0.0)
    fixed = Disc(arm * hall.AXLE_MM + way * (hall.MAGNET.height_mm + tenths_mm / 10), way)
    torques = []
    for tile_deg in range(FROM_DEG, TO_DEG + 1):
        arm, way = _tail(tile_deg)
        torques.append(-Disc(arm * hall.AXLE_MM, way).torque_nm(fixed, np.zeros(3), _REMANENCE_T))
    return tuple(torques)


def torque_nm(tile_deg: float, tenths_mm: int) -> float:
    """Return the torque at `tile_deg` from the stop, between the degrees of the table; 0 beyond it."""
    place = tile_deg - FROM_DEG
    if place >= TO_DEG - FROM_DEG:
        return 0.0
    table, before = torques_nm(tenths_mm), max(0, int(place))
    return table[before] + (table[before + 1] - table[before]) * (place - before)


def field_mt(tile_deg: float, gap_mm: float, remanence_t: float) -> float:
    """Return the field of the tail's magnet along the axis of its Hall sensor.

    The sensor lies opposite the magnet of a tile that lies, `gap_mm` from its face.
    """
    arm, way = _tail(TRAVEL_DEG)
    sensor = arm * hall.AXLE_MM - way * (hall.MAGNET.height_mm / 2 + gap_mm)
    arm, ahead = _tail(tile_deg)
    return abs(float(Disc(arm * hall.AXLE_MM, ahead).field_mt(sensor, remanence_t) @ way))
