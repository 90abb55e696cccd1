"""The tolerances of a simulated box: by how much its servos, horns and linkages differ from its profile.

Everything is drawn from the seed of the box, tile by tile, so that the same seed builds the same box.
"""

import random
from dataclasses import dataclass

from hardware.tiles import TileId


@dataclass(frozen=True, slots=True)
class Mounting:
    """The mounting of one servo in its box.

    `off_us`: pulses by which its horn is off. `travel`: pulses it takes for 90 degrees, as a part of the
    profile's. `mirrored`: a larger pulse stands the tile up instead of laying it down. `play_deg`: what horn and
    tile have between them before the one moves the other. `digital`: it holds its place when its pulses end. `kick_s`:
    how long it acts on the runt of a cut pulse (least, most, in seconds).
    """

    off_us: float
    travel: float = 1.0
    mirrored: bool = False
    play_deg: float = 0.0
    digital: bool = False
    kick_s: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Tolerances:
    """The spread of a box's servos.

    Horns are off by up to `off_us` either way (one of the 21 to 25 splines of a micro servo's shaft is 14 to 17
    degrees, so that no horn sits further off than half of that, 100 us; beside it the rod has its own error), the
    pulses for 90 degrees differ by the part `travel` either way, and of all tiles the part `mirrored` has its
    servo mounted the other way round and the part `loose` has a linkage with a play of `play_deg` (least, most). The
    part `digital` has servos that hold when their pulses end. The others kick for `kick_s` when a pulse is cut: from
    half a frame to four frames, which gives the 20 degrees that people tell of.
    """

    off_us: float = 20.0
    travel: float = 0.0
    mirrored: float = 0.0
    loose: float = 0.0
    play_deg: tuple[float, float] = (5.0, 10.0)
    digital: float = 0.0
    kick_s: tuple[float, float] = (0.010, 0.080)

    def mounting(self, rng: random.Random, seed: int, tile: TileId) -> Mounting:
        """Draw the mounting of `tile`'s servo. `rng` is the servo's own chance, of which one number is drawn."""
        off_us = rng.uniform(-self.off_us, self.off_us)
        # A chance apart: what else a servo draws from its own stays as it is, however the box was built.
        apart = random.Random(f"{seed}/build/{tile}")
        travel = 1.0 + apart.uniform(-self.travel, self.travel)
        mirrored = apart.random() < self.mirrored
        loose = apart.random() < self.loose
        play_deg = apart.uniform(*self.play_deg)
        digital = apart.random() < self.digital
        return Mounting(off_us, travel, mirrored, play_deg if loose else 0.0, digital, self.kick_s)


# A box that follows its profile: horns set on with a gauge.
CAREFUL = Tolerances()
# A box just put together: horns as they came to sit, a third of the servos the other way round, some linkages loose.
JUST_BUILT = Tolerances(off_us=150.0, travel=0.05, mirrored=0.33, loose=0.05)
