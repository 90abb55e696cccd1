"""A simulated box that records events on its wires, and since when no servo receives a pulse."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hardware.box import Box
from hardware.sim.servo import CAREFUL, Tolerances
from hardware.sim.world import World
from hardware.wires import ExpanderPin, GpioPin, ServoChannel

_REMEMBERED = 2000
_SAME_LOOK_S = 0.1


@dataclass(frozen=True, slots=True)
class WireEvent:
    """An event on a wire at `at_s` of the world's clock.

    what: `look` (a line was read; consecutive reads within a tenth of a second count as one moment, the first),
    `enable` or `cut` (/OE went low or high), `drive` or `release` (a board's output changed, whatever /OE was).
    """

    at_s: float
    what: str
    wire: str


class RecordingWorld(World):
    """A world with the last two thousand moments of its wires.

    enabled: /OE lets pulses pass.
    quiet_since_s: when the last pulse arrived; None while pulses arrive.
    """

    def __init__(
        self,
        box: Box,
        clock: Callable[[], float],
        seed: int,
        store: Path | None = None,
        tolerances: Tolerances = CAREFUL,
    ) -> None:
        self.moments: deque[WireEvent] = deque(maxlen=_REMEMBERED)
        self._outputs: dict[ServoChannel, float] = {}
        self.enabled = False
        self.quiet_since_s: float | None = clock()
        super().__init__(box, clock, seed, store, tolerances)

    @property
    def pulses(self) -> dict[ServoChannel, float]:
        return dict(self._outputs) if self.enabled else {}

    def drive(self, wire: ServoChannel, pulse_us: float | None, on_us: float = 0.0) -> None:
        super().drive(wire, pulse_us, on_us)
        if pulse_us is None:
            self._outputs.pop(wire, None)
        else:
            self._outputs[wire] = pulse_us
        self._record("release" if pulse_us is None else "drive", str(wire))

    def level(self, wire: GpioPin | ExpanderPin) -> bool:
        last = self.moments[-1] if self.moments else None
        if last is None or last.what != "look" or self.now() - last.at_s > _SAME_LOOK_S:
            self._record("look", str(wire))
        return super().level(wire)

    def set_line(self, wire: GpioPin, high: bool | None) -> None:
        super().set_line(wire, high)
        if wire == self.box.panel.output_enable and self.enabled is not (high is False):
            self.enabled = high is False
            self._record("enable" if self.enabled else "cut", str(wire))

    def _record(self, what: str, wire: str) -> None:
        now_s = self.now()
        self.moments.append(WireEvent(now_s, what, wire))
        if self.enabled and self._outputs:
            self.quiet_since_s = None
        elif self.quiet_since_s is None:
            self.quiet_since_s = now_s
