"""The lid's reed switch, debounced: closed while the lid is down."""

import asyncio
from collections.abc import Callable

from firmware.header.input_line import InputLine
from firmware.wire import PinFactory
from hardware.wires import GpioPin

_DEBOUNCE_S = 0.02  # as the panel's button


class Lid:
    """The lid's reed switch, closed while the lid is down; debounced on the loop's clock.

    Lifetime: `close` releases the line. Concurrency: one event loop. Raises: `DeviceMissing` for the line.
    """

    def __init__(self, line: GpioPin, pin_factory: PinFactory, on_move: Callable[[bool], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._on_move = on_move
        self._timer: asyncio.TimerHandle | None = None
        self._line = InputLine(line, "the lid's switch", pin_factory, self._begin)
        self.is_closed = self._line.is_active

    @property
    def has_edges(self) -> bool:
        return self._line.has_edges

    def _begin(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(_DEBOUNCE_S, self._look)

    def _look(self) -> None:
        is_closed = self._line.is_active
        if is_closed != self.is_closed:
            self.is_closed = is_closed
            self._on_move(is_closed)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._line.close()
