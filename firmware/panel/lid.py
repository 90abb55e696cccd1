"""The lid's reed switch, debounced: closed while the lid is down."""

import asyncio
from collections.abc import Callable

from gpiozero import DigitalInputDevice

from firmware.wire import PinFactory
from hardware.wires import GpioPin

_DEBOUNCE_S = 0.02  # as the panel's button


class Lid:
    """The lid's reed switch, closed while the lid is down; debounced on the loop's clock.

    Lifetime: `close` lets the line go. Concurrency: edges may come in any thread; `on_move` is called on the loop.
    """

    def __init__(self, line: GpioPin, pin_factory: PinFactory, on_move: Callable[[bool], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._on_move = on_move
        self._timer: asyncio.TimerHandle | None = None
        self._device = DigitalInputDevice(line.number, pull_up=True, pin_factory=pin_factory)
        self.is_closed = bool(self._device.is_active)
        self._device.when_activated = self._device.when_deactivated = lambda: self._loop.call_soon_threadsafe(
            self._begin
        )

    def _begin(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(_DEBOUNCE_S, self._look)

    def _look(self) -> None:
        is_closed = bool(self._device.is_active)
        if is_closed != self.is_closed:
            self.is_closed = is_closed
            self._on_move(is_closed)

    def close(self) -> None:
        """Let the line go."""
        self._device.when_activated = self._device.when_deactivated = None
        if self._timer is not None:
            self._timer.cancel()
        self._device.close()
