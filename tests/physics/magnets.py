"""The torque of a tile's stop magnet on its tail: two discs of 5 x 2 mm as charged faces, summed up point by point.

The charge model of a uniformly magnetised disc: J. M. D. Coey, "Magnetism and Magnetic Materials", 2.2.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hardware import hall
from hardware.column import TAIL_AHEAD_DEG, TRAVEL_DEG

Points = NDArray[np.float64]

_RADIUS_MM, _HEIGHT_MM = hall.MAGNET.diameter_mm / 2, hall.MAGNET.height_mm
_REMANENCE_T = 1.2  # N35: 1.17 to 1.22
_MU0 = 4e-7 * np.pi
_POINTS = 80  # of a face, on a spiral that covers it evenly

FROM_DEG, TO_DEG = -3, 70  # of `torques_nm`; farther away it is nothing


def _faces(middle: Points, axis: Points) -> tuple[Points, Points]:
    """Return the points of the face ahead (north) and of the face behind, in mm."""
    across, beside = np.cross(axis, [1.0, 0.0, 0.0]), np.array([1.0, 0.0, 0.0])
    step = np.arange(_POINTS) + 0.5
    out, turn = _RADIUS_MM * np.sqrt(step / _POINTS), np.pi * (1 + 5**0.5) * step
    disc = np.outer(out * np.cos(turn), across) + np.outer(out * np.sin(turn), beside) + middle
    return disc + axis * _HEIGHT_MM / 2, disc - axis * _HEIGHT_MM / 2


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
    fixed = _faces(arm * hall.AXLE_MM + way * (_HEIGHT_MM + tenths_mm / 10), way)
    charge_a_m = _REMANENCE_T / _MU0 * np.pi * (_RADIUS_MM / 1000) ** 2 / _POINTS
    torques = []
    for tile_deg in range(FROM_DEG, TO_DEG + 1):
        arm, way = _tail(tile_deg)
        total = np.zeros(3)
        for sign, face in zip((1, -1), _faces(arm * hall.AXLE_MM, way), strict=True):
            for other, stuck in zip((1, -1), fixed, strict=True):
                apart = (face[:, None] - stuck[None]) / 1000
                pulls = apart / np.linalg.norm(apart, axis=2, keepdims=True) ** 3
                forces = sign * other * _MU0 / (4 * np.pi) * charge_a_m**2 * pulls.sum(axis=1)
                total += np.cross(face / 1000, forces).sum(axis=0)
        torques.append(-float(total[0]))
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

    The sensor lies opposite the magnet of a tile that lies at 95 degrees, `gap_mm` from its face.
    """
    arm, way = _tail(TRAVEL_DEG)
    sensor = arm * hall.AXLE_MM - way * (_HEIGHT_MM / 2 + gap_mm)
    arm, ahead = _tail(tile_deg)
    patch_mm2 = np.pi * _RADIUS_MM**2 / _POINTS
    total = np.zeros(3)
    for sign, face in zip((1, -1), _faces(arm * hall.AXLE_MM, ahead), strict=True):
        apart = sensor - face
        total += sign * (apart / np.linalg.norm(apart, axis=1, keepdims=True) ** 3).sum(axis=0)
    return float(1000 * remanence_t / (4 * np.pi) * patch_mm2 * abs(total @ way))
