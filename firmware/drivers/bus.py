"""The one owner of the I2C bus: a worker that does one job after the other, and what becomes of errors on it.

A chip that loses its registers once is an accident, again and again a fault: the count is here.
"""

import asyncio
import errno
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import TypeVar

from firmware.errors import BusHung, ChipForgot, ChipSilent

T = TypeVar("T")

# The part a fault names when the bus itself is at fault.
BUS = "i2c"

# Once or twice is a dip as servos start together; a third time within ten seconds, in which a tile uses up its tries,
# is a loose wire or a weak supply.
_FORGIVEN = 2
_WITHIN_S = 10.0

# What Linux says when nobody acknowledges: i2c-bcm2835 EREMOTEIO, i2c-designware (Pi 5) and others ENXIO.
_NO_ACKNOWLEDGE = frozenset({errno.ENXIO, errno.EREMOTEIO, errno.ENODEV})


class Bus:
    """Runs jobs on the bus, one at a time and in order.

    The chip libraries share one buffer and are not made for threads (two without a lock: 6 % of the writes went to the
    wrong channel), so `executor` has exactly one worker (or runs in place).

    Lifetime: does not own the executor; close that after the box.
    Concurrency: one event loop. A job once begun runs to its end even if its caller is cancelled, so that a
    release asked for afterwards comes after it.
    """

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    async def run(self, job: Callable[[], T]) -> T:
        """Do `job` in the worker. Raises what the job raises."""
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._executor, job))


@contextmanager
def translate_errors(chip: int) -> Iterator[None]:
    """Raise `ChipSilent` or `BusHung`, which name the chip, where the block raises `OSError`."""
    try:
        yield
    except OSError as error:
        if error.errno in _NO_ACKNOWLEDGE:
            raise ChipSilent(chip_name(chip), expected="an answer on the I2C bus", seen="no acknowledge") from error
        raise BusHung(
            BUS,
            expected=f"a transfer with chip {chip_name(chip)}",
            seen=error.strerror or "a failed transfer",
        ) from error


def chip_name(chip: int) -> str:
    """A chip's address as people write it, such as 0x41."""
    return f"0x{chip:02x}"


class ResetCounter:
    """Counts how often each chip lost its registers within the last ten seconds.

    Lifetime: as the box. Concurrency: the bus worker.
    """

    def __init__(self) -> None:
        self._at_s: defaultdict[int, list[float]] = defaultdict(list)

    def count(self, chip: int, now_s: float) -> None:
        """Count one more loss at `now_s`. Raises `ChipForgot` when it is one too many."""
        recent = [at_s for at_s in self._at_s[chip] if now_s - at_s < _WITHIN_S]
        self._at_s[chip] = [*recent, now_s]
        if len(recent) >= _FORGIVEN:
            self._at_s[chip].clear()
            seen = f"registers lost {_FORGIVEN + 1} times in {_WITHIN_S:.0f} s"
            raise ChipForgot(chip_name(chip), expected="registers that keep their values", seen=seen)
