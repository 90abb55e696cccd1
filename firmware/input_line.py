"""One input of the header with its pull-up: it reports its changes, or is polled if the library has no edges."""

import asyncio
from collections.abc import Callable

from gpiozero import DigitalInputDevice, InputDevice
from gpiozero.exc import PinEdgeDetectUnsupported

from firmware.errors import EdgesMissing
from firmware.header import claim_line
from firmware.wire import PinFactory
from hardware.wires import GpioPin

# Polling interval of a line without edges: with a debounce of 20 ms and a look after it, a hand is noticed within
# 0.1 s, and no press longer than 0.06 s is missed; a finger is hardly faster.
_ASK_S = 0.02


class InputLine:
    """An active-low line. `on_change` is called on the loop after each change.

    Lifetime: made inside the running loop, claims its line then; after `close` no change is reported.
    Concurrency: one event loop; edges may come in any thread.
    Raises: `DeviceMissing`, with `purpose` in its text, if the line is not available.
    """

    def __init__(self, wire: GpioPin, purpose: str, pin_factory: PinFactory, on_change: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._on_change = on_change
        self._timer: asyncio.TimerHandle | None = None
        self._device: InputDevice
        with claim_line(wire, purpose):
            try:
                self._device = DigitalInputDevice(wire.number, pull_up=True, pin_factory=pin_factory)
                self.has_edges = True
            except PinEdgeDetectUnsupported:
                self._device = InputDevice(wire.number, pull_up=True, pin_factory=pin_factory)
                self.has_edges = False
        if self.has_edges:
            # Edges may come in any thread.
            self._device.when_activated = self._device.when_deactivated = lambda: self._loop.call_soon_threadsafe(
                self._on_change
            )
        else:
            self._ask_later(self.is_active)

    @property
    def is_active(self) -> bool:
        return bool(self._device.is_active)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self.has_edges:
            self._device.when_activated = self._device.when_deactivated = None
        self._device.close()

    def _ask_later(self, was_active: bool) -> None:
        self._timer = self._loop.call_later(_ASK_S, self._ask, was_active)

    def _ask(self, was_active: bool) -> None:
        is_active = self.is_active
        self._ask_later(is_active)
        if is_active != was_active:
            self._on_change()


def edges_missing() -> EdgesMissing:
    seen = f"none that do (each is read {1 / _ASK_S:.0f} times a second instead)"
    return EdgesMissing("header", expected="lines that report their changes", seen=seen)
