"""The parts of a box as closed bodies in its frame: what meets what, and how near."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from build123d import Location
from manifold3d import Manifold
from numpy.typing import NDArray

from hardware.cad.assembly import Kit, Placement
from hardware.cad.meshes import manifold_of, matrix_of

# Two bodies that share less than this, in mm3, only touch: facets of round parts are that coarse.
TOUCH_MM3 = 0.02
FAR_MM = 1.0  # clearances beyond this one are not measured


@dataclass(frozen=True)
class Body:
    """One placed part. kind: its name without its column."""

    label: str
    kind: str
    solid: Manifold

    @cached_property
    def bounds(self) -> NDArray[np.float64]:
        return np.array(self.solid.bounding_box())

    def moved(self, x: float) -> "Body":
        return Body(self.label, self.kind, self.solid.translate((x, 0.0, 0.0)))


@dataclass
class Bodies:
    """The bodies of a kit, as it is drawn, or with parts that are wrong or inexact.

    moved: by part or by its name in the box, how it is shifted in the frame of the box.
    turned: the same in its own frame.
    """

    kit: Kit
    moved: Mapping[str, Location] = field(default_factory=dict)
    turned: Mapping[str, Location] = field(default_factory=dict)

    @cached_property
    def solids(self) -> dict[str, Manifold]:
        return {name: manifold_of(self.kit.mesh(name)) for name in self.kit.solids}

    def wrong(
        self,
        *,
        moved: Mapping[str, Location] | None = None,
        turned: Mapping[str, Location] | None = None,
        solids: Mapping[str, Manifold] | None = None,
    ) -> "Bodies":
        """Return the same bodies, some of them elsewhere or of another shape."""
        other = Bodies(self.kit, moved or {}, turned or {})
        other.solids = self.solids | dict(solids or {})
        return other

    def matrix(self, placement: Placement) -> NDArray[np.float64]:
        """Return where a part is, as a 4 x 4 matrix."""
        matrix = matrix_of(placement.at)
        names = (placement.label, placement.part)
        shift = next((self.moved[name] for name in names if name in self.moved), None)
        turn = next((self.turned[name] for name in names if name in self.turned), None)
        if shift is not None:
            matrix = matrix_of(shift) @ matrix
        return matrix if turn is None else matrix @ matrix_of(turn)

    def at(self, placement: Placement, kind: str = "") -> Body:
        """Return the body of a placement."""
        solid = self.solids[placement.part].transform(self.matrix(placement)[:3])
        return Body(placement.label, kind or placement.part, solid)


def near(one: Body, others: Sequence[Body], within_mm: float) -> list[Body]:
    """Return those bodies whose bounding boxes come so near."""
    if not others:
        return []
    low, high = one.bounds[:3] - within_mm, one.bounds[3:] + within_mm
    bounds = np.array([other.bounds for other in others])
    close = np.all((bounds[:, 3:] >= low) & (bounds[:, :3] <= high), axis=1)
    return [others[int(place)] for place in np.nonzero(close)[0]]


def shared_mm3(one: Body, other: Body) -> float:
    """Return the volume that two bodies share."""
    return float((one.solid ^ other.solid).volume())


def gap_mm(one: Body, other: Body, far_mm: float = FAR_MM) -> float:
    """Return the distance of two bodies, at most `far_mm`; below 0 the depth of a cube as large as what they share."""
    shared = shared_mm3(one, other)
    if shared > TOUCH_MM3:
        return -float(shared ** (1 / 3))
    return float(one.solid.min_gap(other.solid, far_mm))
