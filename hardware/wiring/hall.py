"""The types of a tile's Hall sensor and magnet, and the magnet's field at the sensor.

Sources: TI DRV5023 data sheet SLIS151G: 5 (pins), 6.3 (2.5 to 38 V), 6.7 (B_OP, B_RP of the version AJ), 7.3.1 (a south
pole near the marked side is a positive field) and 7.3.2 (AJ pulls its output low in it), package drawing LPG (4 x 1.52
mm). Magnets: IEC 60404-8-1 and the makers' tables of grades (N35: 1.17 T at least). The field on the axis of a disc is
that of its two charged faces: J. M. D. Coey, "Magnetism and Magnetic Materials", 2.2.
"""

import math
from dataclasses import dataclass


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


def least_field_mt() -> float:
    """Return the worst-case field of a lying tile at the sensor's element, in mT."""
    return MAGNET.field_mt(GAP_MM[1] + SENSOR.depth_mm)
