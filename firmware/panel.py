"""The panel beside the tiles: button, lamp and lid switch."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from gpiozero import DigitalOutputDevice

from firmware.header import claim_line
from firmware.input_line import InputLine
from firmware.wire import PinFactory
from hardware import box
from hardware.wires import GpioPin

# A long press parks the box: nobody holds the button this long for a short press.
LONG_PRESS_S = 0.8
# Nobody who only pauses the box holds the button this long, nor does a playing child.
HELD_S = 5.0
_DEBOUNCE_S = 0.02  # switches bounce for 0.2 to 20 ms (makers' application notes), see `firmware/tiles/sensors.py`


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


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """The button was pressed: short (reported at its release), or long (reported as soon as it is long)."""

    long: bool


@dataclass(frozen=True, slots=True)
class ButtonHeld:
    """The button has been down for `HELD_S`, since `since_s` on the loop's clock. The long press came before."""

    since_s: float


@dataclass(frozen=True, slots=True)
class LidOpened:
    """The lid was lifted."""


@dataclass(frozen=True, slots=True)
class LidClosed:
    """The lid was let down."""


PanelEvent = ButtonPressed | ButtonHeld | LidOpened | LidClosed


class Panel:
    """Button, lamp and lid of one box; a build may lack any of them.

    Lifetime: made inside the running loop; `close` releases every line.
    Concurrency: one event loop; one reader awaits `next_event`.
    Raises: `DeviceMissing` for a line that is not available.
    """

    def __init__(self, wiring: box.Panel, pin_factory: PinFactory) -> None:
        self._events: asyncio.Queue[PanelEvent] = asyncio.Queue()
        self._button: Button | None = None
        self._lid: Lid | None = None
        self._lamp: Lamp | None = None
        try:
            if wiring.button:
                self._button = Button(
                    wiring.button,
                    pin_factory,
                    lambda press, since_s: self._events.put_nowait(
                        ButtonHeld(since_s) if press is Press.HELD else ButtonPressed(press is Press.LONG)
                    ),
                )
            if wiring.lid:
                self._lid = Lid(
                    wiring.lid,
                    pin_factory,
                    lambda is_closed: self._events.put_nowait(LidClosed() if is_closed else LidOpened()),
                )
            if wiring.led:
                self._lamp = Lamp(wiring.led, pin_factory)
        except BaseException:
            self.close()
            raise

    @property
    def has_edges(self) -> bool:
        """True if the lines of button and lid, if any, report their changes; otherwise they are polled."""
        return all(part.has_edges for part in (self._button, self._lid) if part is not None)

    @property
    def lid_is_closed(self) -> bool:
        """True if the lid is down; False in a build without its switch."""
        return self._lid is not None and self._lid.is_closed

    async def next_event(self) -> PanelEvent:
        return await self._events.get()

    def show(self, light: Light) -> None:
        if self._lamp is not None:
            self._lamp.show(light)

    def close(self) -> None:
        for part in (self._button, self._lid, self._lamp):
            if part is not None:
                part.close()
