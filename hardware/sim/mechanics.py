"""The physical figures of the simulated box: tile, stop magnet, servo, and how a back tile meets its front tile.

Sources: the planar model and the solids of a column that can be built (tile of 21 x 54 x 6 mm printed in PLA, tail of
22 mm, steel axle of 3 mm), its magnets by the field of charged faces, its motion in MuJoCo (checked again by
tests/physics); SG90 and MG90S data sheets and vendors' measurements for the servo. What nobody has measured on a part
yet is marked (A).

Angles of a tile are degrees from its stop: it stands at 0, leaning back by 5, and lies level on the ledge at 95.
"""

import math

from hardware.column import LEAN_DEG, TAIL_AHEAD_DEG, TILE_MM, TRAVEL_DEG

# Mass and middle of the tile and of its tail, from the axle.
_TILE_KG, _TILE_M = 8.5e-3, TILE_MM[2] / 2000
_TAIL_KG, _TAIL_M = 1.5e-3, 0.012
_G = 9.81
INERTIA_KG_M2 = _TILE_KG * (2 * _TILE_M) ** 2 / 3 + _TAIL_KG * (2 * _TAIL_M) ** 2 / 3
AXLE_FRICTION_NM = 5e-5  # (A)

# The stop magnet, 4 mm from the tail's own when the tile stands: the torque at the stop and its decrease with the
# angle, fitted to the force between two discs of 5 x 2 mm (within 1 % up to 30 degrees). A tile comes back to its stop
# from 20 degrees; other gaps give 16 to 21.
_MAGNET_NM, _MAGNET_DEG, _MAGNET_POWER = 6.61e-3, 28.0, 4.6
STANDS_BELOW_DEG = 20.0
# The same in boxes that differ, as a factor of the torque: the balance is then between 18 and 21 degrees.
MAGNET_SPREAD = (0.8, 1.2)

# A back tile, tipped forward, meets its standing front tile at 17 degrees (16 to 18 in MuJoCo) and takes it along from
# there; a front tile that comes up takes the back tile along in the same way. A front tile within 10 degrees of its
# ledge is out of the way: a lying back tile is 1.8 mm above its axle.
MEETS_DEG = 17.0
ALONG = (TRAVEL_DEG - MEETS_DEG) / (TRAVEL_DEG - 10.0)
# A die of 16 mm on the ledge, its middle 30 mm from the axle, keeps the tile at this angle.
ON_DIE_DEG = 58.0

# The servo: 60 degrees in 0.11 s at 4.8 to 5 V, +- 15 % from servo to servo, 1000 us for 90 degrees.
US_PER_DEG = 1000.0 / 90.0
US_PER_S = 60.0 * US_PER_DEG / 0.11
SPEED_SPREAD = (0.85, 1.15)
DEAD_BAND_US = (5.0, 10.0)
# Near its goal a servo slows down in proportion to the rest of its way: the whole speed from 5.5 degrees on (A).
SLOWS_S = 0.01
OVERSHOOT_DEG = (3.0, 6.0)  # of the horn, beyond its goal, before it comes back (A)
PLAY_DEG = (2.0, 5.0)  # of the tile, in gears, horn and rod together (A)
IDLE_A = (0.005, 0.010)
MOVING_A = (0.2, 0.4)
# A motor gets up speed with this time constant, and draws the current of a stalled one for as long (A).
STARTS_S = 0.010
COASTS_S = 0.02  # one that is released while it turns runs out with this one: 11 degrees from its whole speed (A)
# Grease and windings get warm: a servo that works without a pause loses this part of its speed within minutes (A).
WARM_LOSS, WARMS_S, COOLS_S = 0.1, 60.0, 180.0


def gravity_nm(angle_deg: float) -> float:
    """Return the torque by which its weight turns a tile down, in N m; below about 3 degrees it is negative."""
    tile = _TILE_KG * _TILE_M * math.sin(math.radians(angle_deg - LEAN_DEG))
    return _G * (tile + _TAIL_KG * _TAIL_M * math.sin(math.radians(TAIL_AHEAD_DEG - angle_deg)))


def magnet_nm(angle_deg: float) -> float:
    """Return the torque by which the stop magnet holds a tile back, in N m: 0 or less."""
    return -_MAGNET_NM * math.pow(1.0 + max(0.0, angle_deg) / _MAGNET_DEG, -_MAGNET_POWER)
