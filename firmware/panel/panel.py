"""The panel: presses and lid moves as a queue of events, and a lamp. Any part may be missing."""

import asyncio
from dataclasses import dataclass

from firmware.panel.button import Button, Press
from firmware.panel.lamp import Lamp, Light
from firmware.panel.lid import Lid
from firmware.wire import PinFactory
from hardware import box


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
