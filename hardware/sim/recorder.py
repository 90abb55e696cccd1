"""A simulated box that records the pulses on its wires, and since when no servo receives one."""

from collections.abc import Callable
from pathlib import Path

from hardware.box import Box
from hardware.sim.servo import CAREFUL, Tolerances
from hardware.sim.world import World
from hardware.wires import GpioPin, ServoChannel


class RecordingWorld(World):
    """A world that knows its pulses.

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
        self._note_quiet()

    def set_line(self, wire: GpioPin, high: bool | None) -> None:
        super().set_line(wire, high)
        if wire == self.box.panel.output_enable:
            self.enabled = high is False
            self._note_quiet()

    def _note_quiet(self) -> None:
        if self.pulses:
            self.quiet_since_s = None
        elif self.quiet_since_s is None:
            self.quiet_since_s = self.now()
