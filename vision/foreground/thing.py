"""Describe something on the baize that nothing explains."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.field.view import PX_PER_MM, Box
from vision.reading import Point


@dataclass(frozen=True, slots=True)
class UnexplainedThing:
    """Something on the baize that no die, marker or shadow explains: nothing is read while it lies there.

    `middle` and `box` are in view pixels. It may reach in `from_outside`, and be `washed_out` by light, so that
    anything may lie there.
    """

    area_mm2: float
    middle: Point
    box: Box
    from_outside: bool
    washed_out: bool = False


def thing_of(
    row: NDArray[np.int32], middle: NDArray[np.float64], from_outside: bool, washed_out: bool = False
) -> UnexplainedThing:
    """Convert a component of a survey, given by its row of the table (5) and its middle (2), to a thing of the view."""
    x, y, width, height, area = row.tolist()
    across, down = middle.tolist()
    box = (x * PX_PER_MM, y * PX_PER_MM, (x + width) * PX_PER_MM, (y + height) * PX_PER_MM)
    return UnexplainedThing(float(area), (across * PX_PER_MM, down * PX_PER_MM), box, bool(from_outside), washed_out)
