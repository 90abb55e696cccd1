"""Nine clocks for a bus whose data line a chip holds low (I2C specification UM10204 rev. 7, 3.1.16)."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

_CLOCKS = 9  # a byte and its acknowledge: whatever a chip was sending, it has sent all of it by then


class BusLines(Protocol):
    """Both wires of the bus, without the controller: each is held low, or released to its pull-up."""

    def data_is_high(self) -> bool: ...

    def clock_is_high(self) -> bool: ...

    def hold_data(self, *, low: bool) -> None: ...

    def hold_clock(self, *, low: bool) -> None: ...


OpenLines = Callable[[], AbstractContextManager[BusLines]]
"""Takes the wires from the controller while the block lasts. Raises `OSError` if that is impossible."""


def clear_bus(lines: BusLines) -> bool:
    """Return True if a chip held the data line and has let go of it.

    False: nobody held it, or nine clocks did not help; while somebody holds the clock there are none.
    """
    if lines.data_is_high():
        return False
    for _ in range(_CLOCKS):
        if not lines.clock_is_high():
            return False
        lines.hold_clock(low=True)
        lines.hold_clock(low=False)
        if lines.data_is_high():
            break
    # A STOP, after which every chip waits for a START: data rises while the clock is high.
    lines.hold_clock(low=True)
    lines.hold_data(low=True)
    lines.hold_clock(low=False)
    lines.hold_data(low=False)
    return lines.data_is_high()
