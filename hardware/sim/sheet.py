"""A flat sheet that somebody holds over the field."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SheetPose:
    """Where a sheet is held: its middle (x, y, height over the baize) in mm, and how.

    `turn_rad` turns it about the vertical, clockwise as seen from above; `rise` is how fast it then rises to the
    right and towards the player, in mm a mm.
    """

    middle_mm: tuple[float, float, float]
    turn_rad: float = 0.0
    rise: tuple[float, float] = (0.0, 0.0)
