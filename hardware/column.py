"""The measures of one column: tiles, axles, tails, push-rods, horns and shafts, whatever moves.

The simulated box, the model in wood and the tests in MuJoCo all read this file. Lengths in mm, angles in degrees.
x points to the right as the player sees it, y to the back, z up; the origin lies in the axle of the front tile, in the
middle of its column. A tile's angle counts from its stop: it stands at 0, leaning back, and lies level at `TRAVEL_DEG`.
A horn's angle is 0 where it points across the columns and grows towards the player.

Both rows turn their horns the same way when they lay a tile, because all servos of a batch turn the same way when their
pulse gets longer. So both shafts lie on the same side of their rods, although one row's servos stand in front and the
other's behind.
"""

from dataclasses import dataclass, replace

LEAN_DEG = 5.0
TRAVEL_DEG = 90.0 + LEAN_DEG

TILE_MM = (21.0, 6.0, 54.0)  # wide, thick, and from its axle to its upper edge
AXLE_MM = 3.0  # diameter of the steel rod

# The tail hangs from the hub, ahead of straight down while the tile stands, behind it while the tile lies.
TAIL_AHEAD_DEG = 30.0
TAIL_MM = (7.5, 5.0, 22.0)  # wide, thick, and from the axle to its end
CRANK_MM = 10.0  # from the axle to the screw on which the rod turns

HORN_MM = 14.0  # from the shaft to the peg: the outmost hole of a common micro servo's arm (A: not measured yet)
RIGID_HORN_MM = 10.5  # the same for a rod without a slot
SPARE_MM = 1.5  # how far the slot is longer than the free travel needs, at each end: the horn may rest 6 degrees off

# Where the pulses of a slotted rod take the tile: the open one lifts it to where its magnet takes over, short of the
# stop, so that no servo presses; the shut one pushes it to where it falls by itself.
LIFTS_TO_DEG, PUSHES_TO_DEG = 5.0, 36.0

STOP_MAGNET_GAP_MM = 4.0  # between the faces of both magnets while the tile stands

PLA_KG_M3, NEODYMIUM_KG_M3 = 1240.0, 7500.0  # densities: makers' data sheets


@dataclass(frozen=True, slots=True)
class Row:
    """How one row of tiles is driven.

    axle_mm: its axle, as y and z. towards: where its servos stand, -1 in front of it and +1 behind it.
    away_mm: from the axle to the servos' shafts. below_mm: from the axle down to the middle of the rod at the peg.
    beside: how far the rod's lane lies beside the shaft, as a part of the horn.
    lane_mm: x of that lane. tail_side: the side of the middle on which the tail hangs, -1 or +1.
    rest_horn_deg: the horn's angle at rest.
    turn: which way a longer pulse turns the servos, seen from above: 1 to the left, -1 to the right.
    """

    axle_mm: tuple[float, float]
    towards: int
    away_mm: float
    below_mm: float
    beside: float
    lane_mm: float
    tail_side: int
    rest_horn_deg: float
    turn: int = 1

    @property
    def mirrored(self) -> "Row":
        """The same row for servos that turn the other way: left and right change places."""
        return replace(self, lane_mm=-self.lane_mm, tail_side=-self.tail_side, turn=-self.turn)

    def shaft_mm(self, horn_mm: float) -> tuple[float, float, float]:
        """Return the shaft's x and y, and z of the rod's middle at the peg, for a horn of this length."""
        y, z = self.axle_mm
        return self.lane_mm - self.turn * self.beside * horn_mm, y + self.towards * self.away_mm, z - self.below_mm


# Slot and rest of both rows fit the same pulses, so a profile needs one set of them.
FRONT = Row((0.0, 0.0), -1, 42.0, 15.0, 0.93, 1.35, 1, -13.0)
BACK = Row((20.0, 6.3), 1, 42.0, 2.0, 0.6, -1.3, -1, -13.0)
ROWS = (FRONT, BACK)


def row_of(row: int) -> Row:
    """Return how a tile's row is driven. Rows behind the second one exist in the simulated box only."""
    return FRONT if row == 1 else BACK
