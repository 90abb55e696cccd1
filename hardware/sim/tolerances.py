"""The tolerances of a simulated box: how much its servos, horns and linkages differ from its profile.

Everything is drawn from the seed of the box, tile by tile, so that the same seed builds the same box.
"""

import random
from dataclasses import dataclass

from hardware.tiles import TileId


@dataclass(frozen=True, slots=True)
class Mounting:
    """The mounting of one servo in its box.

    off_us: the error of its horn, as a pulse width.
    travel: its pulse difference for 90 degrees, relative to the profile's.
    mirrored: a longer pulse raises the tile instead of laying it down.
    play_deg: the play between horn and tile.
    digital: it holds its place when its pulses end.
    kick_s: how long it acts on the runt of a cut pulse (least, most, in seconds).
    """

    off_us: float
    travel: float = 1.0
    mirrored: bool = False
    play_deg: float = 0.0
    digital: bool = False
    kick_s: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Tolerances:
    """The spread of a box's servos, drawn from the seed tile by tile, so that the same seed builds the same box.

    off_us: largest error of a horn either way. One of the 21 to 25 splines of a micro servo's shaft is 14 to 17
    degrees, so no horn is off by more than half of that, 100 us; the rod adds its own error.
    travel: largest relative error of the pulse difference for 90 degrees, either way.
    mirrored: fraction of servos mounted the other way round.
    loose: fraction of linkages with a play of `play_deg` (least, most).
    digital: fraction of servos that hold when their pulses end.
    kick_s: how long the other servos kick when a pulse is cut: half a frame to four frames, which gives the reported 20
    degrees.
    """

    off_us: float = 20.0
    travel: float = 0.0
    mirrored: float = 0.0
    loose: float = 0.0
    play_deg: tuple[float, float] = (5.0, 10.0)
    digital: float = 0.0
    kick_s: tuple[float, float] = (0.010, 0.080)

    def mounting(self, rng: random.Random, seed: int, tile: TileId) -> Mounting:
        """Draw the mounting of `tile`'s servo. Takes exactly one number from `rng`, the servo's own generator."""
        off_us = rng.uniform(-self.off_us, self.off_us)
        # A separate generator: the servo's later draws from its own do not depend on how the box was built.
        apart = random.Random(f"{seed}/build/{tile}")
        travel = 1.0 + apart.uniform(-self.travel, self.travel)
        mirrored = apart.random() < self.mirrored
        loose = apart.random() < self.loose
        play_deg = apart.uniform(*self.play_deg)
        digital = apart.random() < self.digital
        return Mounting(off_us, travel, mirrored, play_deg if loose else 0.0, digital, self.kick_s)


# A box that follows its profile: horns mounted with a gauge.
CAREFUL = Tolerances()
# A newly assembled box: horns mounted by eye, a third of the servos the other way round, some linkages loose.
JUST_BUILT = Tolerances(off_us=150.0, travel=0.05, mirrored=0.33, loose=0.05)
