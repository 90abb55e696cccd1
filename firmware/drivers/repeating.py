"""An I2C bus that repeats a failed transfer."""

import errno
import logging
from collections.abc import Callable
from typing import TypeVar

from firmware.drivers.accidents import ErrorBudget
from firmware.drivers.bus import NO_ACKNOWLEDGE, chip_name
from firmware.wire import I2CBus

_log = logging.getLogger(__name__)

T = TypeVar("T")

# Linux's errors for a disturbed transfer besides a missing acknowledge: EIO, and EAGAIN for a lost arbitration
# (Documentation/i2c/fault-codes.rst). A timeout is not among them: it means that the bus hangs.
_DISTURBED = NO_ACKNOWLEDGE | {errno.EIO, errno.EAGAIN}


class RetryingI2C:
    """Repeats failed transfers of the bus `i2c` within an error budget. `clock` is in seconds.

    The servos' wires run beside the bus and disturb it. All transfers of this box read or set a register's value, so
    that repeating one does no harm.

    Lifetime, concurrency and errors (`OSError`): those of that bus.
    """

    def __init__(self, i2c: I2CBus, clock: Callable[[], float]) -> None:
        self._i2c = i2c
        self._clock = clock
        self._failures = ErrorBudget()

    def try_lock(self) -> bool:
        return self._i2c.try_lock()

    def unlock(self) -> None:
        self._i2c.unlock()

    def scan(self) -> list[int]:
        return self._i2c.scan()

    def writeto(self, address: int, buffer: bytes, *, start: int = 0, end: int | None = None) -> None:
        self._make(address, lambda: self._i2c.writeto(address, buffer, start=start, end=end))

    def readfrom_into(self, address: int, buffer: bytearray, *, start: int = 0, end: int | None = None) -> None:
        self._make(address, lambda: self._i2c.readfrom_into(address, buffer, start=start, end=end))

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
        self._make(
            address,
            lambda: self._i2c.writeto_then_readfrom(
                address, out_buffer, in_buffer, out_start=out_start, out_end=out_end, in_start=in_start, in_end=in_end
            ),
        )

    def deinit(self) -> None:
        self._i2c.deinit()

    def _make(self, address: int, transfer: Callable[[], T]) -> T:
        """Make a transfer, and repeat a disturbed one while the chip's error budget lasts."""
        while True:
            try:
                return transfer()
            except OSError as error:
                if error.errno not in _DISTURBED or self._failures.is_one_too_many(address, self._clock()):
                    raise
                _log.info("bus transfer failed, repeating chip=%s error=%s", chip_name(address), error)
