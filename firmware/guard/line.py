"""The /OE line of the servo boards, and the protocol of its guards: no servo gets a pulse unless it is driven low."""

from typing import Protocol

from gpiozero import DigitalOutputDevice

from firmware.header import claim_line
from firmware.wire import PinFactory
from hardware.wires import GpioPin


class PulseGuard(Protocol):
    """A guard of the servos' pulses, in this process or its own: lets them pass or stops them; off at first.

    It is independent of the bus, because /OE is the only way to stop a chip that no longer listens.
    """

    @property
    def enabled(self) -> bool:
        """True if pulses pass."""

    def enable(self) -> None:
        """Let pulses pass. Call only after every channel of every board was written fully off. Raises `BusFault`."""

    def cut(self) -> None:
        """Stop all pulses at once; done when it returns."""

    def now(self) -> float:
        """Return the seconds on the clock of `allow_until`."""

    def allow_until(self, at_s: float) -> None:
        """Let no running drive last beyond this time: all pulses are cut then; infinity: none is running.

        It needs no bus and no loop, and never raises: `check` reports a guard that cannot be told.
        """

    def check(self) -> None:
        """Raise `GuardGone` or `PulsesCut` if pulses were stopped without our request since `enable`."""

    def close(self) -> None:
        """Stop all pulses and release the guard."""


class OutputEnableLine:
    """The owner of the output-enable line of all servo boards (PCA9685 data sheet 7.4: active low).

    A pull-up on the board holds the line high when the computer does not drive it.

    Lifetime: off from construction; `close` switches off and releases the line.
    Concurrency: any thread; needs no bus, so pulses can be cut while the bus hangs.
    Raises: `DeviceMissing` if the line is not available.
    """

    def __init__(self, line: GpioPin, pin_factory: PinFactory) -> None:
        # The line is claimed with this level, so that stale pulses pass at no moment.
        with claim_line(line, "the line of /OE"):
            self._line = DigitalOutputDevice(
                line.number, active_high=False, initial_value=False, pin_factory=pin_factory
            )

    @property
    def enabled(self) -> bool:
        return bool(self._line.value)

    def enable(self) -> None:
        """Let pulses pass. Call only after every channel of every board was written fully off."""
        self._line.on()

    def cut(self) -> None:
        self._line.off()

    def close(self) -> None:
        """Stop all pulses and release the line to its pull-up."""
        self.cut()
        self._line.close()
