"""The seam: protocols of the I2C bus, the header's pins, an alarm clock and the computer, each real and simulated."""

from collections.abc import Callable
from typing import Protocol


class I2CBus(Protocol):
    """The methods of `busio.I2C` that the chip libraries call."""

    def try_lock(self) -> bool:
        """Take the bus; False if somebody has it."""

    def unlock(self) -> None:
        """Give the bus back."""

    def scan(self) -> list[int]:
        """The addresses that acknowledge."""

    def writeto(self, address: int, buffer: bytes, *, start: int = 0, end: int | None = None) -> None:
        """Write `buffer[start:end]`. Raises `OSError` without an acknowledge."""

    def readfrom_into(self, address: int, buffer: bytearray, *, start: int = 0, end: int | None = None) -> None:
        """Fill `buffer[start:end]`. Raises `OSError` without an acknowledge."""

    def writeto_then_readfrom(
        self,
        address: int,
        out_buffer: bytes,
        in_buffer: bytearray,
        *,
        out_start: int = 0,
        out_end: int | None = None,
        in_start: int = 0,
        in_end: int | None = None,
    ) -> None:
        """Write, then read in one transaction. Raises `OSError` without an acknowledge."""

    def deinit(self) -> None:
        """Let go of the bus."""


class Computer(Protocol):
    """A computer that reports its own supply and temperature."""

    def throttled(self) -> int | None:
        """The word of `vcgencmd get_throttled`: bit 0 under-voltage now, bit 16 since the start; None: not known."""

    def temperature_c(self) -> float | None:
        """Temperature of the processor in degrees Celsius; None: not known."""


class PinFactory(Protocol):
    """A gpiozero pin factory: handed to gpiozero's devices, and closed at the end.

    Its pins claim an output with its first level: what was there before is followed by that level and no other. For a
    line that cannot be had they raise `OSError` (EBUSY says in its text who has it; EACCES, ENODEV), for one that does
    not tell of its edges gpiozero's `PinEdgeDetectUnsupported`.
    """

    def close(self) -> None:
        """Let every line go."""


class Alarm(Protocol):
    """An alarm clock that waits for no loop and no bus: it rings on time, whatever they are doing."""

    def now(self) -> float:
        """Seconds of the clock that `set_to` means."""

    def set_to(self, at_s: float) -> None:
        """Ring at this time, and at no other; infinity: not at all."""

    def close(self) -> None:
        """Never ring again."""


OpenAlarm = Callable[[Callable[[], None]], Alarm]
"""Opens an alarm clock that calls what it is given when it rings."""
