"""gpiozero's pins on RPi.GPIO, mended: a line without edges says so at once, and what is refused has a number.

It is imported only where RPi.GPIO is to be used: gpiozero's module needs it at once.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from gpiozero.exc import PinEdgeDetectUnsupported
from gpiozero.pins.rpigpio import RPiGPIOFactory, RPiGPIOPin

_NO_ACCESS = "No access"  # RPi.GPIO 0.7.1, py_gpio.c: "No access to /dev/mem.  Try running as root!"


class RpigpioPin(RPiGPIOPin):  # type: ignore[misc]  # gpiozero ships no types
    """A line of the header through RPi.GPIO, which asks nobody whether it is free.

    Lifetime: an input from construction; its factory lets it go. Concurrency: any thread.
    Raises: `OSError` where the header's registers cannot be reached (EACCES: by this user, ENODEV: by nobody).
    """

    def __init__(self, factory: "RpigpioHeader", info: object) -> None:
        with _refusals():
            super().__init__(factory, info)

    def _enable_event_detect(self) -> None:
        # RPi.GPIO waits a second for each line that has none, and holds everything up meanwhile: one is enough.
        if not self.factory.has_edges:
            raise PinEdgeDetectUnsupported(f"{self!r} has no edges, as the line that was tried first")
        try:
            super()._enable_event_detect()
        except RuntimeError as error:
            self.factory.has_edges = False
            raise PinEdgeDetectUnsupported(str(error)) from error


class RpigpioHeader(RPiGPIOFactory):  # type: ignore[misc]  # gpiozero ships no types
    """The header through RPi.GPIO; `has_edges` until a line is found that does not tell of them.

    Lifetime: `close` lets every line go. Concurrency: any thread.
    """

    def __init__(self) -> None:
        super().__init__()
        self.has_edges = True
        self.pin_class = RpigpioPin


@contextmanager
def _refusals() -> Iterator[None]:
    """Give a number to what RPi.GPIO says in words: it raises nothing but `RuntimeError`."""
    try:
        yield
    except RuntimeError as error:
        number = errno.EACCES if str(error).startswith(_NO_ACCESS) else errno.ENODEV
        raise OSError(number, str(error)) from error
