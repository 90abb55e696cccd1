"""The panel's lamp: steady, slow or fast."""

import asyncio
from enum import Enum

from gpiozero import DigitalOutputDevice

from firmware.header.claim import claim_line
from firmware.wire import PinFactory
from hardware.wires import GpioPin


class Light(Enum):
    """A signal of the lamp, as (is on at first, half its period in seconds or 0 for a steady one).

    FAST is five times as fast as SLOW, so that people recognise each without comparing.
    """

    OFF = (False, 0.0)
    STEADY = (True, 0.0)
    SLOW = (True, 0.5)
    FAST = (True, 0.1)


class Lamp:
    """The panel's LED.

    Lifetime: dark at first and after `close`. Concurrency: one event loop. Raises: `DeviceMissing` for its line.
    """

    def __init__(self, line: GpioPin, pin_factory: PinFactory) -> None:
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._light = Light.OFF
        with claim_line(line, "the lamp"):
            self._device = DigitalOutputDevice(line.number, pin_factory=pin_factory)

    def show(self, light: Light) -> None:
        """Show `light` from now on; showing the same light again changes nothing."""
        if light is self._light:
            return
        self._light = light
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        is_on, half_s = light.value
        self._device.value = is_on
        if half_s:
            self._timer = self._loop.call_later(half_s, self._blink, half_s)

    def _blink(self, half_s: float) -> None:
        self._device.toggle()
        self._timer = self._loop.call_later(half_s, self._blink, half_s)

    def close(self) -> None:
        """Turn the lamp off and release its line."""
        self.show(Light.OFF)
        self._device.close()
