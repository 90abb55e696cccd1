"""What the computer says of its own supply and temperature."""

import asyncio
from collections.abc import Iterator

from firmware.errors import ComputerHot, SupplySags
from firmware.wire import Computer
from hardware.errors import Fault

# Raspberry Pi documentation, vcgencmd get_throttled: under-voltage now (bit 0) and since the start (bit 16).
_UNDER_VOLTAGE, _UNDER_VOLTAGE_BEFORE = 0x1, 0x10000
# Raspberry Pi documentation, frequency management and thermal control: from here on the processor is slowed down.
_TOO_WARM_C = 80.0


class Health:
    """Looks at the computer; what it does not tell is not blamed.

    Lifetime: as the computer. Concurrency: one event loop; the computer is asked in a thread of its own, since it may
    take seconds to answer.
    """

    def __init__(self, computer: Computer) -> None:
        self._computer = computer

    async def now(self) -> tuple[Fault, ...]:
        """What is wrong at this moment."""
        return await asyncio.to_thread(self._faults, _UNDER_VOLTAGE)

    async def since_start(self) -> tuple[Fault, ...]:
        """What is wrong now or was since the computer started, as far as it remembers."""
        return await asyncio.to_thread(self._faults, _UNDER_VOLTAGE | _UNDER_VOLTAGE_BEFORE)

    def _faults(self, asked: int) -> tuple[Fault, ...]:
        return tuple(self._found(asked))

    def _found(self, asked: int) -> Iterator[Fault]:
        word = self._computer.throttled() or 0
        if word & asked:
            when = "now" if word & _UNDER_VOLTAGE else "since the start"
            seen = f"under-voltage {when} (0x{word:x})"
            yield SupplySags("supply", expected="4.63 V or more", seen=seen).fault
        warm_c = self._computer.temperature_c()
        if warm_c is not None and warm_c >= _TOO_WARM_C:
            expected = f"less than {_TOO_WARM_C:.0f} degrees Celsius"
            yield ComputerHot("computer", expected=expected, seen=f"{warm_c:.0f}").fault
