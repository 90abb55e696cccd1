"""The pulses of a servo board: where in its frame each stands, and what is left of one that is cut in its middle."""

import random
from dataclasses import dataclass

from hardware.wires import ServoChannel

FRAME_S = 0.02  # 50 pulses a second, also on a box whose profile has its boards send more or fewer
# What a servo takes for a pulse at all; a line that is constantly high is none, and neither is a short stump of one.
PULSE_US = (400.0, 2600.0)


@dataclass(frozen=True, slots=True)
class Pulse:
    """One pulse in every frame: `width_us` long, from `on_us` after the frame's beginning."""

    width_us: float
    on_us: float = 0.0

    def cut_at(self, at_us: float) -> float | None:
        """The width of the runt that is left when the pulses end `at_us` after the frame's beginning.

        None: no pulse was under way, or so little of it had passed that no servo takes it for one.
        """
        passed_us = at_us - self.on_us
        return passed_us if PULSE_US[0] <= passed_us < self.width_us else None


class Cuts:
    """The moments of a frame at which pulses end, drawn evenly: the frames of a board run free of whoever ends them.

    What ends on one board at one time ends at one moment: /OE and SLEEP cut all channels of a board together, while
    the boards run each on a clock of its own.

    Lifetime: as the world. Concurrency: the world's lock guards it.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._drawn: dict[int, tuple[float, float]] = {}

    def runt_us(self, wire: ServoChannel, pulse: Pulse, now_s: float) -> float | None:
        """The runt that a pulse of `wire` leaves when it ends now, in microseconds; None if it leaves none."""
        at_s, at_us = self._drawn.get(wire.board, (-1.0, 0.0))
        if at_s != now_s:
            at_us = self._rng.uniform(0.0, FRAME_S * 1e6)
            self._drawn[wire.board] = now_s, at_us
        return pulse.cut_at(at_us)
