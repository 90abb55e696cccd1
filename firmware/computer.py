"""Health of the computer: under-voltage of its own supply and its temperature, as the computer reports them."""

import asyncio
from dataclasses import dataclass

from firmware.errors import ComputerHot, SupplySags
from firmware.wire import Computer
from hardware.errors import Fault

# Raspberry Pi documentation, vcgencmd get_throttled: under-voltage now (bit 0) and since the start (bit 16).
_UNDER_VOLTAGE, _UNDER_VOLTAGE_BEFORE = 0x1, 0x10000
# Raspberry Pi documentation, frequency management and thermal control: from here on the processor slows down.
_TOO_WARM_C = 80.0


@dataclass(frozen=True, slots=True)
class ComputerReading:
    """The computer's report at one moment; None for values that it does not report."""

    temperature_c: float | None
    is_under_voltage: bool | None


class ComputerHealth:
    """Turns the computer's report into faults; a missing report is not a fault.

    A weak supply or a hot processor first shows as a symptom elsewhere: a failing bus, a late picture.

    Lifetime: that of the computer. Concurrency: one event loop; queries run in a separate thread, because an answer may
    take seconds.
    """

    def __init__(self, computer: Computer) -> None:
        self._computer = computer

    async def faults_now(self) -> tuple[Fault, ...]:
        return await asyncio.to_thread(self._faults, _UNDER_VOLTAGE)

    async def faults_since_start(self) -> tuple[Fault, ...]:
        """Return the present faults and, as far as the computer remembers, those since it started."""
        return await asyncio.to_thread(self._faults, _UNDER_VOLTAGE | _UNDER_VOLTAGE_BEFORE)

    async def read(self) -> ComputerReading:
        return await asyncio.to_thread(self._read)

    def ask(self) -> tuple[ComputerReading, tuple[Fault, ...]]:
        """Return the present report and the faults since the start, for callers without a loop; may take seconds."""
        return self._read(), self._faults(_UNDER_VOLTAGE | _UNDER_VOLTAGE_BEFORE)

    def _read(self) -> ComputerReading:
        word = self._computer.throttled()
        is_low = None if word is None else bool(word & _UNDER_VOLTAGE)
        return ComputerReading(self._computer.temperature_c(), is_low)

    def _faults(self, asked: int) -> tuple[Fault, ...]:
        found = []
        word = self._computer.throttled() or 0
        if word & asked:
            when = "now" if word & _UNDER_VOLTAGE else "since the start"
            seen = f"under-voltage {when} (0x{word:x})"
            # 4.63 V is the threshold of the Raspberry Pi's own detector (same page).
            found.append(SupplySags("supply", expected="4.63 V or more", seen=seen).fault)
        warm_c = self._computer.temperature_c()
        if warm_c is not None and warm_c >= _TOO_WARM_C:
            expected = f"less than {_TOO_WARM_C:.0f} degrees Celsius"
            found.append(ComputerHot("computer", expected=expected, seen=f"{warm_c:.0f}").fault)
        return tuple(found)
