"""The shapes of custom dice, cube and icosahedron: heights, outlines and reach, as a camera sees them on the baize."""

import math
from dataclasses import dataclass

import numpy as np

from vision.capture.arrays import Places
from vision.field.pose import project_to_plane
from vision.reading import Sides

# Heights and radii for edge 1. An icosahedron on one of its faces has its corners on four levels: three, then
# three and three on the widest, then three (circumradius of a face 1/sqrt(3), inradius phi^2 / (2 sqrt(3))).
_PHI = (1 + math.sqrt(5)) / 2
_TALL = _PHI**2 / math.sqrt(3)
_FACE, _WIDE = 1 / math.sqrt(3), _PHI / math.sqrt(3)
_ROUNDED = 0.95  # corners of an icosahedron are rounded, most of them this far
_LEVELS = {
    6: ((0.0, math.sqrt(0.5)), (1.0, math.sqrt(0.5))),
    20: ((0.0, _FACE), (_FACE, _ROUNDED * _WIDE), (_WIDE, _ROUNDED * _WIDE), (_TALL, _FACE)),
}
_CORNERS = {6: 4, 20: 12}  # the twenty-sided outline is taken as a ring: its turn is unknown
_DRAWN = {6: 0.44, 20: 0.325}  # radius around the middle of a face that holds all of its drawing, no other


@dataclass(frozen=True, slots=True)
class Shape:
    """A die of `sides` faces whose edges are `edge_mm` long.

    The camera looks from one place above: a tall die hides baize next to its foot, so its outline depends on its place.
    """

    sides: Sides
    edge_mm: float

    @property
    def height_mm(self) -> float:
        """Return the height from the baize to the top face."""
        return self.edge_mm * _LEVELS[self.sides][-1][0]

    @property
    def drawn_mm(self) -> float:
        """Return the radius of the disc around the middle of the top face that is compared."""
        return self.edge_mm * _DRAWN[self.sides]

    @property
    def least_apart_mm(self) -> float:
        """Return the least distance of the middles of two dice."""
        return self.edge_mm * (0.96 if self.sides == 6 else 1.45)

    @property
    def widest(self) -> tuple[float, float]:
        """Return height over the baize and radius in mm of the disc that the die fills wherever it turns."""
        if self.sides == 6:
            return self.height_mm, self.edge_mm / 2
        return self.height_mm / 2, self.edge_mm * _WIDE * math.cos(math.pi / 6)

    def outline_mm(self, middle_mm: Places, turn_rad: float, camera_mm: Places) -> Places:
        """Return the convex outline (n, 2) on the baize in mm that the die hides from the camera (3,)."""
        count = _CORNERS[self.sides]
        turns = turn_rad + math.pi / 4 + np.arange(count) * (2 * math.pi / count)
        ring = np.column_stack((np.cos(turns), np.sin(turns)))
        return np.concatenate(
            [
                project_to_plane(middle_mm + self.edge_mm * radius * ring, self.edge_mm * height, 0.0, camera_mm)
                for height, radius in _LEVELS[self.sides]
            ]
        )
