"""gpiozero's pin factory on the simulated world's header lines."""

import errno
from collections.abc import Callable
from typing import Protocol

from gpiozero.exc import PinEdgeDetectUnsupported
from gpiozero.pins.mock import MockFactory, MockPin

from hardware.wires import HEADER_GPIO, GpioPin

_PI_4B = "c03115"  # revision code of a Raspberry Pi 4 Model B, 4 GB, rev 1.5


class Header(Protocol):
    """The header lines of a world, here or in another process.

    Raises `OSError` for a refused line: EBUSY, EACCES, and EOPNOTSUPP if it has no edges.
    """

    def check_line(self, wire: GpioPin, /) -> None:
        """Raise `OSError` if this line cannot be claimed."""

    def level(self, wire: GpioPin, /) -> bool: ...

    def set_line(self, wire: GpioPin, high: bool | None, /) -> None:
        """Drive a line; None: stop."""

    def watch_line(self, wire: GpioPin, changed: Callable[[bool], None] | None, /) -> None:
        """Call `changed(level)` at every edge of a line; None stops it."""


class WorldPin(MockPin):  # type: ignore[misc]  # gpiozero ships no types
    """A header pin: as an input it shows the world's level, as an output it drives the world's line.

    It is claimed as on a Pi: first an input, then an output with its level, or low if none is given.

    Lifetime: that of its factory. Concurrency: edges come in the thread that moves the world.
    """

    def __init__(self, factory: "WorldPinFactory", info: object) -> None:
        self._world = factory.world
        self._wire: GpioPin | None = None
        super().__init__(factory, info)
        if self._number in HEADER_GPIO:
            wire = GpioPin(self._number)
            self._world.check_line(wire)
            self._world.set_line(wire, None)
            self._wire = wire

    def output_with_state(self, state: bool) -> None:
        super()._set_function("output")
        self._change_state(state)

    def close(self) -> None:
        super().close()
        if self._wire is not None:
            self._world.set_line(self._wire, None)

    def _set_function(self, value: str) -> None:
        super()._set_function(value)
        if value == "output":
            self._change_state(False)
        elif self._wire is not None:
            self._world.set_line(self._wire, None)

    def _get_state(self) -> bool:
        if self._wire is not None and self._function == "input":
            # Without its pull-up an input floats; it is assumed to read low, as on the expanders.
            self._state = self._pull == "up" and self._world.level(self._wire)
        return bool(self._state)

    def _change_state(self, value: bool) -> bool:
        changed = bool(super()._change_state(value))
        # gpiozero's mock keeps the history of all levels, but a box is on for weeks.
        del self.states[:-1]
        if self._wire is not None and self._function == "output":
            self._world.set_line(self._wire, value)
        return changed

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self._get_state()

    def _enable_event_detect(self) -> None:
        if self._wire is not None:
            self._get_state()
            try:
                self._world.watch_line(self._wire, lambda high: self.drive_high() if high else self.drive_low())
            except OSError as error:
                if error.errno != errno.EOPNOTSUPP:
                    raise
                raise PinEdgeDetectUnsupported(str(error)) from error

    def _disable_event_detect(self) -> None:
        if self._wire is not None:
            self._world.watch_line(self._wire, None)


class WorldPinFactory(MockFactory):  # type: ignore[misc]  # gpiozero ships no types
    """The header of a Raspberry Pi 4 on the lines of a world."""

    def __init__(self, world: Header) -> None:
        self.world = world
        super().__init__(revision=_PI_4B, pin_class=WorldPin)


def open_pin_factory(world: Header) -> WorldPinFactory:
    return WorldPinFactory(world)
