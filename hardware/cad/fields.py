"""The fields and forces of disc magnets, as charged faces that are summed up point by point. Plain NumPy.

The charge model of a uniformly magnetised disc: J. M. D. Coey, "Magnetism and Magnetic Materials", 2.2. Lengths in mm.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardware import hall

Points = NDArray[np.float64]

MOST_REMANENCE_T = 1.22  # of N35: IEC 60404-8-1 and makers' tables give 1.17 to 1.22
_MU0 = 4e-7 * math.pi
_POINTS = 80  # of a face, on a spiral that covers it evenly
_RADIUS_MM, _HEIGHT_MM = hall.MAGNET.diameter_mm / 2, hall.MAGNET.height_mm


@dataclass(frozen=True)
class Disc:
    """A disc magnet of the parts list. middle, north: its place, and the unit vector of its magnetisation."""

    middle: Points
    north: Points

    def faces(self) -> tuple[Points, Points]:
        """Return the points of its north face and of its south face."""
        helper = np.array([1.0, 0.0, 0.0]) if abs(self.north[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
        across = np.cross(self.north, helper)
        across /= np.linalg.norm(across)
        step = np.arange(_POINTS) + 0.5
        out, turn = _RADIUS_MM * np.sqrt(step / _POINTS), math.pi * (1 + 5**0.5) * step
        disc = np.outer(out * np.cos(turn), across) + np.outer(out * np.sin(turn), np.cross(self.north, across))
        half = self.north * _HEIGHT_MM / 2
        return self.middle + disc + half, self.middle + disc - half

    def field_mt(self, at: Points, remanence_t: float) -> Points:
        """Return the field in mT at a point, as a vector."""
        patch_mm2 = math.pi * _RADIUS_MM**2 / _POINTS
        total = np.zeros(3)
        for sign, face in zip((1, -1), self.faces(), strict=True):
            apart = at - face
            total += sign * (apart / np.linalg.norm(apart, axis=1, keepdims=True) ** 3).sum(axis=0)
        return total * 1000 * remanence_t / (4 * math.pi) * patch_mm2

    def torque_nm(self, other: "Disc", about: Points, remanence_t: float) -> float:
        """Return the torque on this disc in the field of another one, about an axle along x, in N m."""
        charge_a_m = remanence_t / _MU0 * math.pi * (_RADIUS_MM / 1000) ** 2 / _POINTS
        total = 0.0
        for sign, face in zip((1, -1), self.faces(), strict=True):
            for other_sign, stuck in zip((1, -1), other.faces(), strict=True):
                apart = (face[:, None] - stuck[None]) / 1000
                pulls = apart / np.linalg.norm(apart, axis=2, keepdims=True) ** 3
                forces = sign * other_sign * _MU0 / (4 * math.pi) * charge_a_m**2 * pulls.sum(axis=1)
                total += float(np.cross((face - about) / 1000, forces).sum(axis=0)[0])
        return total
