"""The hardware seam: protocols for I2C bus, header pins, alarm clock and computer, each real or simulated."""

from collections.abc import Callable
from typing import Protocol


class I2CBus(Protocol):
    """The methods of `busio.I2C` that the chip libraries call."""

    def try_lock(self) -> bool:
        """Lock the bus; return False if it is already locked."""

    def unlock(self) -> None: ...

    def scan(self) -> list[int]:
        """Return the addresses that acknowledge."""

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

    def deinit(self) -> None: ...


class Computer(Protocol):
    """A computer that reports its own supply and temperature."""

    def throttled(self) -> int | None:
        """Return the word of `vcgencmd get_throttled` (bit 0: under-voltage now, bit 16: since the start), if known."""

    def temperature_c(self) -> float | None:
        """Return the temperature of the processor in degrees Celsius, if known."""


class PinFactory(Protocol):
    """A gpiozero pin factory for gpiozero's devices.

    Its pins claim an output with its first level, so that no other level appears on the line in between. They raise
    `OSError` for an unavailable line (EBUSY names the holder in its text; EACCES, ENODEV), and gpiozero's
    `PinEdgeDetectUnsupported` for one that does not report edges.
    """

    def close(self) -> None:
        """Release every line."""


class Alarm(Protocol):
    """An alarm clock that depends on neither loop nor bus: it rings on time, even while they hang."""

    def now(self) -> float:
        """Return the seconds on the clock of `set_to`."""

    def set_to(self, at_s: float) -> None:
        """Ring only at this time; infinity: never."""

    def close(self) -> None:
        """Never ring again."""


OpenAlarm = Callable[[Callable[[], None]], Alarm]
"""Opens an alarm clock that calls the given function when it rings."""
