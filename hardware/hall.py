"""The types of a tile's Hall sensor and magnet, and the magnet's field at the sensor.

Sources: TI DRV5023 data sheet SLIS151G: 5 (pins), 6.3 (2.5 to 38 V), 6.7 (B_OP, B_RP of the version AJ), 7.3.1 (a south
pole near the marked side is a positive field) and 7.3.2 (AJ pulls its output low in it), package drawing LPG (4 x 1.52
mm). Magnets: IEC 60404-8-1 and the makers' tables of grades (N35: 1.17 T at least). The field on the axis of a disc is
that of its two charged faces: J. M. D. Coey, "Magnetism and Magnetic Materials", 2.2.
"""

import math
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class HallSensor:
    """A unipolar switch: its output goes low at `operate_mt` and is released at `release_mt` (least, typical, most).

    depth_mm: largest distance of its element behind the marked face.
    """

    kind: str
    order: str
    operate_mt: tuple[float, float, float]
    release_mt: tuple[float, float, float]
    depth_mm: float


@dataclass(frozen=True, slots=True)
class DiscMagnet:
    """A disc magnetised along its axis; `remanence_t` is the least of its grade, in tesla."""

    diameter_mm: float
    height_mm: float
    grade: str
    remanence_t: float

    @property
    def size(self) -> str:
        """The size for an order: 5 x 2 mm."""
        return f"{self.diameter_mm:g} x {self.height_mm:g} mm"

    def field_mt(self, distance_mm: float) -> float:
        """Return the field on the axis, in mT, at a distance (0 or more) from the face."""
        radius, far = self.diameter_mm / 2, distance_mm + self.height_mm
        faces = far / math.hypot(radius, far) - distance_mm / math.hypot(radius, distance_mm)
        return 1000 * self.remanence_t / 2 * faces


# The version FA may hold on down to 0.5 mT, close to the field of an open tile's magnet; BI may need 24 mT, more than
# the farthest magnet gives.
SENSOR = HallSensor("DRV5023AJ", "DRV5023AJQLPG", (3.0, 6.9, 12.0), (1.0, 3.2, 5.0), depth_mm=1.52)
MAGNET = DiscMagnet(5.0, 2.0, "N35", 1.17)

# Distance between magnet and marked face while the tile lies: closer the wood may touch, farther there is no margin.
GAP_MM = (2.0, 4.0)
# From the axle to the magnet's middle: at the middle distance the sensor closes 11 to 27 degrees before the tile lies.
AXLE_MM = 18.0
_RINGS, _PATCHES = 4, 12  # of a face, in `field_mt`


def field_mt(magnet: DiscMagnet, gap_mm: float, turn_deg: float) -> float:
    """Return the field along the sensor's axis, in mT, of a tile that is turned up from its ledge by `turn_deg`.

    Both faces of the disc are summed up, in patches. The axle lies beside the sensor, as high as its element, `gap_mm`
    from the magnet of a lying tile.
    """
    turn, total = math.radians(turn_deg), 0.0
    radius = magnet.diameter_mm / 2
    for height, charge in ((gap_mm, 1.0), (gap_mm + magnet.height_mm, -1.0)):
        for ring in range(_RINGS):
            out = radius * (ring + 0.5) / _RINGS
            patch = out * (radius / _RINGS) * (2 * math.pi / _PATCHES)
            for step in range(_PATCHES):
                along = out * math.cos(2 * math.pi * step / _PATCHES) + AXLE_MM
                across = out * math.sin(2 * math.pi * step / _PATCHES)
                x = along * math.cos(turn) - height * math.sin(turn) - AXLE_MM
                z = along * math.sin(turn) + height * math.cos(turn)
                total += charge * patch * z / math.hypot(x, across, z) ** 3
    return 1000 * magnet.remanence_t / (4 * math.pi) * total


def turn_deg(level_mt: float, gap_mm: float) -> float:
    """Return how far a tile is turned up from its ledge when the field of `MAGNET` falls below a level."""
    fields = _fields_mt(round(gap_mm * 8))
    turn = next(turn for turn in range(len(fields)) if fields[turn + 1] < level_mt)
    return turn + (fields[turn] - level_mt) / (fields[turn] - fields[turn + 1])


@lru_cache
def _fields_mt(eighths_mm: int) -> tuple[float, ...]:
    return tuple(field_mt(MAGNET, eighths_mm / 8, turn) for turn in range(91))


def least_field_mt() -> float:
    """Return the worst-case field of a lying tile at the sensor's element, in mT."""
    return MAGNET.field_mt(GAP_MM[1] + SENSOR.depth_mm)
