"""The panel as a queue of events: presses and lid moves in, a lamp out; any part may be missing."""

import asyncio
from dataclasses import dataclass

from firmware.panel.button import Button, Press
from firmware.panel.lamp import Lamp, Light
from firmware.panel.lid import Lid
from firmware.wire import PinFactory
from hardware import box


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """The button was pressed: short (reported when let go), or long (reported as soon as it is long)."""

    long: bool


@dataclass(frozen=True, slots=True)
class ButtonHeld:
    """The button stays down for `HELD_S`; the long press was reported before. since_s: since when, by the loop."""

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

    Lifetime: made inside the running loop; `close` lets every line go.
    Concurrency: one event loop; `next_event` is awaited by one reader.
    Raises: `DeviceMissing` for a line that cannot be had.
    """

    def __init__(self, wiring: box.Panel, pin_factory: PinFactory) -> None:
        self._events: asyncio.Queue[PanelEvent] = asyncio.Queue()
        self._button: Button | None = None
        self._lid: Lid | None = None
        self._lamp: Lamp | None = None
        try:
            self._claim(wiring, pin_factory)
        except BaseException:
            self.close()
            raise

    def _claim(self, wiring: box.Panel, pin_factory: PinFactory) -> None:
        self._button = Button(wiring.button, pin_factory, self._press) if wiring.button else None
        self._lid = Lid(wiring.lid, pin_factory, self._move_lid) if wiring.lid else None
        self._lamp = Lamp(wiring.led, pin_factory) if wiring.led else None

    def _press(self, press: Press, since_s: float) -> None:
        self._events.put_nowait(ButtonHeld(since_s) if press is Press.HELD else ButtonPressed(press is Press.LONG))

    def _move_lid(self, is_closed: bool) -> None:
        self._events.put_nowait(LidClosed() if is_closed else LidOpened())

    @property
    def has_edges(self) -> bool:
        """True if the lines of button and lid tell of their changes, where there are any; else they are asked."""
        return all(part.has_edges for part in (self._button, self._lid) if part is not None)

    @property
    def lid_is_closed(self) -> bool:
        """True if the lid is down; False in a build without its switch."""
        return self._lid is not None and self._lid.is_closed

    async def next_event(self) -> PanelEvent:
        """Wait for the next press or lid move."""
        return await self._events.get()

    def show(self, light: Light) -> None:
        """Set the lamp, where there is one."""
        if self._lamp is not None:
            self._lamp.show(light)

    def close(self) -> None:
        """Let every line go."""
        for part in (self._button, self._lid, self._lamp):
            if part is not None:
                part.close()
