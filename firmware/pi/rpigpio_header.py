"""gpiozero's pins on RPi.GPIO with two corrections: a line without edges says so at once, and refusals have a number.

Imported only where RPi.GPIO is used, because gpiozero's module needs RPi.GPIO at once.
"""

import errno

from gpiozero.exc import PinEdgeDetectUnsupported
from gpiozero.pins.rpigpio import RPiGPIOFactory, RPiGPIOPin

_NO_ACCESS = "No access"  # RPi.GPIO 0.7.1, py_gpio.c: "No access to /dev/mem.  Try running as root!"


class RpigpioPin(RPiGPIOPin):  # type: ignore[misc]  # gpiozero ships no types
    """A line of the header through RPi.GPIO, which does not check whether it is free.

    Lifetime: an input from construction; its factory releases it. Concurrency: any thread.
    Raises: `OSError` if the header's registers cannot be reached (EACCES: by this user, ENODEV: at all).
    """

    def __init__(self, factory: "RpigpioHeader", info: object) -> None:
        try:
            super().__init__(factory, info)
        except RuntimeError as error:
            # RPi.GPIO raises nothing but RuntimeError, so only its text tells the reason.
            number = errno.EACCES if str(error).startswith(_NO_ACCESS) else errno.ENODEV
            raise OSError(number, str(error)) from error

    def _enable_event_detect(self) -> None:
        # RPi.GPIO blocks everything for a second for each line without edges, so only one line is tried.
        if not self.factory.has_edges:
            raise PinEdgeDetectUnsupported(f"{self!r} has no edges, as the line that was tried first")
        try:
            super()._enable_event_detect()
        except RuntimeError as error:
            self.factory.has_edges = False
            raise PinEdgeDetectUnsupported(str(error)) from error


class RpigpioHeader(RPiGPIOFactory):  # type: ignore[misc]  # gpiozero ships no types
    """The header through RPi.GPIO; `has_edges` until a line without them is found.

    Lifetime: `close` releases every line. Concurrency: any thread.
    """

    def __init__(self) -> None:
        super().__init__()
        self.has_edges = True
        self.pin_class = RpigpioPin
