"""An I2C bus on which a transfer that fails once is made again: the wires of servos lie beside it.

All that is asked of the chips here is to be or to give a register's value, so that nothing is done twice.
"""

import errno
import logging
from collections.abc import Callable
from typing import TypeVar

from firmware.drivers.accidents import Accidents
from firmware.drivers.bus import NO_ACKNOWLEDGE, chip_name
from firmware.wire import I2CBus

log = logging.getLogger(__name__)

T = TypeVar("T")

# What Linux says of a transfer that somebody has disturbed, beside no acknowledge: EIO, and EAGAIN for an arbitration
# that was lost (Documentation/i2c/fault-codes.rst). One that has taken its whole time is none: the bus hangs.
_DISTURBED = NO_ACKNOWLEDGE | {errno.EIO, errno.EAGAIN}


class RepeatingI2C:
    """The bus `i2c`, whose failures are made good as long as they are accidents. `clock` is in seconds.

    Lifetime: as that bus. Concurrency: as that bus. Raises: `OSError`, as it does.
    """

    def __init__(self, i2c: I2CBus, clock: Callable[[], float]) -> None:
        self._i2c = i2c
        self._clock = clock
        self._failures = Accidents()

    def try_lock(self) -> bool:
        """Take the bus; False if somebody has it."""
        return self._i2c.try_lock()

    def unlock(self) -> None:
        """Give the bus back."""
        self._i2c.unlock()

    def scan(self) -> list[int]:
        """The addresses that acknowledge."""
        return self._i2c.scan()

    def writeto(self, address: int, buffer: bytes, *, start: int = 0, end: int | None = None) -> None:
        """Write `buffer[start:end]`."""
        self._make(address, lambda: self._i2c.writeto(address, buffer, start=start, end=end))

    def readfrom_into(self, address: int, buffer: bytearray, *, start: int = 0, end: int | None = None) -> None:
        """Fill `buffer[start:end]`."""
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
        """Write, then read in one transaction."""
        self._make(
            address,
            lambda: self._i2c.writeto_then_readfrom(
                address,
                out_buffer,
                in_buffer,
                out_start=out_start,
                out_end=out_end,
                in_start=in_start,
                in_end=in_end,
            ),
        )

    def deinit(self) -> None:
        """Let go of the bus."""
        self._i2c.deinit()

    def _make(self, address: int, transfer: Callable[[], T]) -> T:
        """Make a transfer, and once more where it fails by accident."""
        while True:
            try:
                return transfer()
            except OSError as error:
                if error.errno not in _DISTURBED or self._failures.is_one_too_many(address, self._clock()):
                    raise
                log.info("a transfer with chip %s failed and is made again: %s", chip_name(address), error)
