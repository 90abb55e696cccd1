"""The panel's button, debounced: short, long and held presses."""

import asyncio
from collections.abc import Callable
from enum import Enum

from firmware.header.input_line import InputLine
from firmware.wire import PinFactory
from hardware.wires import GpioPin

# A long press parks the box: nobody holds the button this long for a short press.
LONG_PRESS_S = 0.8
# Nobody who only pauses the box holds the button this long, nor does a playing child.
HELD_S = 5.0
_DEBOUNCE_S = 0.02  # switches bounce for 0.2 to 20 ms (makers' application notes), see `firmware/tiles/debounce.py`


class Press(Enum):
    """The kind of a press. LONG is reported while the button is still down, HELD after it if it stays down."""

    SHORT = "short"
    LONG = "long"
    HELD = "held"


class Button:
    """A button between a line and ground, debounced on the loop's clock. `on_press` also gets the start of the press.

    Lifetime: `close` releases the line. Concurrency: one event loop. Raises: `DeviceMissing` for the line.
    """

    def __init__(self, line: GpioPin, pin_factory: PinFactory, on_press: Callable[[Press, float], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._on_press = on_press
        self._timer: asyncio.TimerHandle | None = None
        self._line = InputLine(line, "the button", pin_factory, self._begin)

    @property
    def has_edges(self) -> bool:
        return self._line.has_edges

    def _begin(self) -> None:
        if self._timer is None:
            self._look_again(self._loop.time(), told=Press.SHORT)

    def _look_again(self, since_s: float, *, told: Press) -> None:
        self._timer = self._loop.call_later(_DEBOUNCE_S, self._look, since_s, told)

    def _look(self, since_s: float, told: Press) -> None:
        """Look every 20 ms while the button is down; a pulse shorter than that is no press."""
        held_s = self._loop.time() - since_s
        if self._line.is_active:
            press = Press.HELD if held_s >= HELD_S else Press.LONG if held_s >= LONG_PRESS_S else Press.SHORT
            if press is not told:
                self._on_press(press, since_s)
            self._look_again(since_s, told=press)
            return
        self._timer = None
        if told is Press.SHORT and held_s > 2 * _DEBOUNCE_S:
            self._on_press(Press.SHORT, since_s)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._line.close()
