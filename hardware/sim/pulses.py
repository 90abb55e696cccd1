"""The pulses of a servo board: their places in the frame, and the rest of a pulse that is cut in its middle."""

import random
from dataclasses import dataclass

from hardware.wires import ServoChannel

FRAME_S = 0.02  # 50 pulses a second, even if the profile sets another frequency
# The widths that a servo accepts as a pulse; a constantly high line is none, and neither is a short remainder.
PULSE_US = (400.0, 2600.0)


@dataclass(frozen=True, slots=True)
class Pulse:
    """One pulse in every frame: `width_us` long, from `on_us` after the frame's beginning."""

    width_us: float
    on_us: float = 0.0

    def cut_at(self, at_us: float) -> float | None:
        """Return the width of the runt that is left when the pulses end `at_us` after the frame's beginning.

        None: no pulse was under way, or too little of it had passed for a servo to accept it.
        """
        passed_us = at_us - self.on_us
        return passed_us if PULSE_US[0] <= passed_us < self.width_us else None


class Cuts:
    """The moments within a frame at which pulses end, drawn evenly: nothing is synchronous with a board's frames.

    Pulses of one board that end at the same time end at the same moment of the frame: /OE and SLEEP cut all channels of
    a board together. Each board runs on its own clock.

    Lifetime: that of the world. Concurrency: guarded by the world's lock.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._drawn: dict[int, tuple[float, float]] = {}

    def runt_us(self, wire: ServoChannel, pulse: Pulse, now_s: float) -> float | None:
        """Return the runt, in microseconds, that a pulse of `wire` leaves when it ends now; None if it leaves none."""
        at_s, at_us = self._drawn.get(wire.board, (-1.0, 0.0))
        if at_s != now_s:
            at_us = self._rng.uniform(0.0, FRAME_S * 1e6)
            self._drawn[wire.board] = now_s, at_us
        return pulse.cut_at(at_us)
