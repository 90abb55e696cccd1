"""The /OE line of the servo boards, and what any guard of it can do: no servo gets a pulse unless it is driven low."""

from typing import Protocol

from gpiozero import DigitalOutputDevice

from firmware.header import claim_line
from firmware.wire import PinFactory
from hardware.wires import GpioPin


class PulseGuard(Protocol):
    """A guard of the servos' pulses: lets them pass or stops them, here or in a process of its own; off at first.

    It is apart from the bus because /OE is the one way to stop a chip that no longer listens.
    """

    @property
    def enabled(self) -> bool:
        """True if pulses pass."""

    def enable(self) -> None:
        """Let pulses pass. Only after every channel of every board was written fully off. Raises `BusFault`."""

    def cut(self) -> None:
        """Stop all pulses at once; done when it returns."""

    def now(self) -> float:
        """Seconds of the clock that `allow_until` means."""

    def allow_until(self, at_s: float) -> None:
        """Let no drive that goes on now last beyond this time: all pulses are cut then; infinity: none goes on.

        It needs no bus and no loop, and never raises: a guard that cannot be told is found by `check`.
        """

    def check(self) -> None:
        """Raise `GuardGone` or `PulsesCut` if pulses were stopped by anybody but us since `enable`."""

    def close(self) -> None:
        """Stop all pulses and let go."""


class OutputEnableLine:
    """The owner of the output-enable line of all servo boards (PCA9685 data sheet 7.4: active low).

    A pull-up on the board holds the line high when the computer does not drive it.

    Lifetime: off from construction; `close` switches off and lets the line go.
    Concurrency: any thread; needs no bus, so pulses can be cut while the bus hangs.
    Raises: `DeviceMissing` if the line cannot be had.
    """

    def __init__(self, line: GpioPin, pin_factory: PinFactory) -> None:
        # The pins claim a line with the level it is given here: there is no moment at which stale pulses pass.
        with claim_line(line, "the line of /OE"):
            self._line = DigitalOutputDevice(
                line.number, active_high=False, initial_value=False, pin_factory=pin_factory
            )

    @property
    def enabled(self) -> bool:
        """True if pulses pass."""
        return bool(self._line.value)

    def enable(self) -> None:
        """Let pulses pass. Only after every channel of every board was written fully off."""
        self._line.on()

    def cut(self) -> None:
        """Stop all pulses at once."""
        self._line.off()

    def close(self) -> None:
        """Stop all pulses and let the line go to its pull-up."""
        self.cut()
        self._line.close()
