"""From edges and times to end points: least squares over four known facts of a tile.

The end points of a tile are where it rests, against its stop and on its ledge; no sensor shows these places. But a tile
that starts there meets its first edge after a measured time, and goes from the first edge to the second at a known
speed, since the pulses of both are known. Speed and time lead back to the start. The wait for the servo's next pulse,
up to one frame, blurs that by some degrees; several starts reduce the error. The sensors' makers also specify the angle
at which they answer, to 2 or 3 degrees. Both sources together are better than either.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, sqrt

from firmware.calibration.edges import Edges
from firmware.calibration.ends import SPAN_DEG
from firmware.calibration.strokes import LOOK_S
from firmware.calibration.travels import Travels

# Hall sensors under the ledge answer at 66 to 72 degrees, switches behind the tile up to 12 to 16 degrees (makers'
# drawings): the middle, and the standard deviation of an even spread (its width over the root of 12).
SHUT_ON_DEG, _SHUT_SIGMA_DEG = 69.0, 6.0 / sqrt(12)
OPEN_ON_DEG, _OPEN_SIGMA_DEG = 14.0, 4.0 / sqrt(12)
# The largest play of a sensor itself, in degrees: 9 to 10 for Hall sensor and magnet of the parts list, 19.5 for the
# most sensitive one (from their field, see `tests/hardware/wiring/test_hall.py`), 1 to 3 for a switch.
SHUT_PLAY_DEG, OPEN_PLAY_DEG = 20.0, 3.0
_EDGE_SIGMA_DEG = 0.4  # one count of the board, half the dead band


@dataclass(frozen=True, slots=True)
class Fit:
    """End points in microseconds, times the servo's sign.

    doubt_deg: how much sensors and times disagree about the ends.
    play_deg: the difference between the ways down and up, less the largest play of the sensors themselves.
    """

    open: float
    shut: float
    doubt_deg: float
    play_deg: float

    @property
    def us_per_deg(self) -> float:
        return (self.shut - self.open) / SPAN_DEG


def fit(edges: Edges, down: Travels, up: Travels, frame_s: float) -> Fit:
    """Return the end points of a tile with both sensors, from its edges and at least one move each way.

    frame_s: the time from pulse to pulse; a servo starts at any moment of it.
    """
    per_deg = (edges.shut_on - edges.open_on) / (SHUT_ON_DEG - OPEN_ON_DEG)
    speed_down = (edges.shut_on - edges.open_off) / down.between_s
    speed_up = (edges.shut_off - edges.open_on) / up.between_s
    from_open, from_open_sigma = _start(edges.open_off, -speed_down, down.starts_s, frame_s)
    from_shut, from_shut_sigma = _start(edges.shut_off, speed_up, up.starts_s, frame_s)
    least_sigma = _EDGE_SIGMA_DEG * per_deg
    rows = (
        # (part, seen, sigma): seen = (1 - part) * open + part * shut, with the standard deviation sigma.
        (0.0, from_open, hypot(from_open_sigma, least_sigma)),
        (1.0, from_shut, hypot(from_shut_sigma, least_sigma)),
        (OPEN_ON_DEG / SPAN_DEG, edges.open_on, _OPEN_SIGMA_DEG * per_deg),
        (SHUT_ON_DEG / SPAN_DEG, edges.shut_on, _SHUT_SIGMA_DEG * per_deg),
    )
    # The best fit to all rows: normal equations of two unknowns, solved by Cramer's rule.
    aa = ab = bb = ay = by = 0.0
    for part, seen, sigma in rows:
        weight = sigma**-2
        a, b = 1.0 - part, part
        aa, ab, bb = aa + weight * a * a, ab + weight * a * b, bb + weight * b * b
        ay, by = ay + weight * a * seen, by + weight * b * seen
    determinant = aa * bb - ab * ab
    opened, shut = (ay * bb - by * ab) / determinant, (aa * by - ab * ay) / determinant
    us_per_deg = (shut - opened) / SPAN_DEG
    doubt_deg = max(abs(from_open - opened), abs(from_shut - shut)) / us_per_deg
    return Fit(opened, shut, doubt_deg, play_of(edges, us_per_deg))


def play_of(edges: Edges, us_per_deg: float) -> float:
    """Return the least play of a tile's linkage in degrees: the part that its sensors' own play cannot explain."""
    at_shut = (edges.shut_on - edges.shut_off) / us_per_deg - SHUT_PLAY_DEG
    at_open = (edges.open_off - edges.open_on) / us_per_deg - OPEN_PLAY_DEG
    return max(0.0, at_shut, at_open)


def _start(edge: float, speed: float, left_s: Sequence[float], frame_s: float) -> tuple[float, float]:
    """Return the pulse at which the tile started, going back from its first edge, and its standard deviation.

    The waits are spread evenly over a frame. The common part of all starts lies anywhere between the last less a frame
    and the first, so the further these are apart, the more certain it is (posterior of a uniform distribution's place).
    """
    free_s = max(LOOK_S, frame_s - (max(left_s) - min(left_s)))
    way_s = (min(left_s) + max(left_s)) / 2 - frame_s / 2
    return edge + speed * way_s, abs(speed) * free_s / sqrt(12)
