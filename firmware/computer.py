"""Health of the computer: faults of its own supply (under-voltage) and its temperature, as it reports them itself."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass

from firmware.errors import ComputerHot, SupplySags
from firmware.wire import Computer
from hardware.errors import Fault

# Raspberry Pi documentation, vcgencmd get_throttled: under-voltage now (bit 0) and since the start (bit 16).
_UNDER_VOLTAGE, _UNDER_VOLTAGE_BEFORE = 0x1, 0x10000
# Raspberry Pi documentation, frequency management and thermal control: from here on the processor is slowed down.
_TOO_WARM_C = 80.0


@dataclass(frozen=True, slots=True)
class ComputerReading:
    """What the computer reports of itself at one moment; None where it tells nothing."""

    temperature_c: float | None
    is_under_voltage: bool | None


class ComputerHealth:
    """Turns what the computer reports of itself into faults; what it does not tell is not blamed.

    It is asked at all because a weak supply or a hot processor shows itself elsewhere first: as a bus that fails, as a
    picture that comes late.

    Lifetime: as the computer. Concurrency: one event loop; the computer is asked in a thread of its own, since it may
    take seconds to answer.
    """

    def __init__(self, computer: Computer) -> None:
        self._computer = computer

    async def faults_now(self) -> tuple[Fault, ...]:
        """The faults of this moment."""
        return await asyncio.to_thread(self._faults, _UNDER_VOLTAGE)

    async def faults_since_start(self) -> tuple[Fault, ...]:
        """The faults of this moment and those since the computer started, as far as it remembers."""
        return await asyncio.to_thread(self._faults, _UNDER_VOLTAGE | _UNDER_VOLTAGE_BEFORE)

    async def read(self) -> ComputerReading:
        """What it reports now."""
        return await asyncio.to_thread(self._read)

    def ask(self) -> tuple[ComputerReading, tuple[Fault, ...]]:
        """What it reports now, and its faults since it started, for who has no event loop and may wait."""
        return self._read(), self._faults(_UNDER_VOLTAGE | _UNDER_VOLTAGE_BEFORE)

    def _read(self) -> ComputerReading:
        word = self._computer.throttled()
        is_low = None if word is None else bool(word & _UNDER_VOLTAGE)
        return ComputerReading(self._computer.temperature_c(), is_low)

    def _faults(self, asked: int) -> tuple[Fault, ...]:
        return tuple(self._find_faults(asked))

    def _find_faults(self, asked: int) -> Iterator[Fault]:
        word = self._computer.throttled() or 0
        if word & asked:
            when = "now" if word & _UNDER_VOLTAGE else "since the start"
            seen = f"under-voltage {when} (0x{word:x})"
            # 4.63 V is where the Raspberry Pi's own detector answers (same page).
            yield SupplySags("supply", expected="4.63 V or more", seen=seen).fault
        warm_c = self._computer.temperature_c()
        if warm_c is not None and warm_c >= _TOO_WARM_C:
            expected = f"less than {_TOO_WARM_C:.0f} degrees Celsius"
            yield ComputerHot("computer", expected=expected, seen=f"{warm_c:.0f}").fault
