"""The panel's button: short and long presses, debounced."""

import asyncio
from collections.abc import Callable

from gpiozero import DigitalInputDevice

from firmware.wire import PinFactory
from hardware.wires import GpioPin

# A long press parks the box: nobody who means a short one holds the button so long.
LONG_PRESS_S = 0.8
_DEBOUNCE_S = 0.02  # switches bounce for 0.2 to 20 ms (makers' application notes), see `firmware/tiles/debounce.py`


class Button:
    """A button between a line and ground, debounced on the loop's clock.

    Lifetime: `close` lets the line go. Concurrency: edges may come in any thread; `on_press` is called on the loop.
    """

    def __init__(self, line: GpioPin, pin_factory: PinFactory, on_press: Callable[[bool], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._on_press = on_press
        self._timer: asyncio.TimerHandle | None = None
        self._device = DigitalInputDevice(line.number, pull_up=True, pin_factory=pin_factory)
        self._device.when_activated = lambda: self._loop.call_soon_threadsafe(self._begin)

    def _begin(self) -> None:
        if self._timer is None:
            self._look_again(self._loop.time(), told=False)

    def _look_again(self, since_s: float, *, told: bool) -> None:
        self._timer = self._loop.call_later(_DEBOUNCE_S, self._look, since_s, told)

    def _look(self, since_s: float, told: bool) -> None:
        """Every 20 ms while the button is down; a pulse shorter than that is no press."""
        held_s = self._loop.time() - since_s
        if self._device.is_active:
            is_long = held_s >= LONG_PRESS_S
            if is_long and not told:
                self._on_press(True)
            self._look_again(since_s, told=told or is_long)
            return
        self._timer = None
        if not told and held_s > 2 * _DEBOUNCE_S:
            self._on_press(False)

    def close(self) -> None:
        """Let the line go."""
        self._device.when_activated = None
        if self._timer is not None:
            self._timer.cancel()
        self._device.close()
