"""gpiozero's pins on lgpio with three corrections: outputs are claimed with their level, refusals have a number, and a
closed line leaves nothing behind that would end the edges of all others.

Imported only where lgpio is used, because gpiozero's module needs lgpio at once.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import lgpio
from gpiozero.exc import PinEdgeDetectUnsupported
from gpiozero.pins.lgpio import LGPIOFactory, LGPIOPin

from firmware.header import line_busy

_log = logging.getLogger(__name__)

_USER = 4  # index of the holder's name in the answer of lgpio.gpio_get_line_info


class LgpioPin(LGPIOPin):  # type: ignore[misc]  # gpiozero ships no types
    """A line of the header through lgpio.

    Lifetime: claimed as an input from construction; its factory releases it. Concurrency: any thread.
    Raises: `OSError` (EBUSY) with the name of the holder, for a line that another program or the kernel has.
    """

    def __init__(self, factory: "LgpioHeader", info: object) -> None:
        with self._refusals():
            super().__init__(factory, info)

    def output_with_state(self, state: bool) -> None:
        """Make it an output at this level at once; gpiozero would first claim it at 0, which opens /OE for pulses."""
        with self._refusals():
            lgpio.gpio_claim_output(self.factory.handle, self._number, int(state), lgpio.SET_PULL_NONE)

    def _enable_event_detect(self) -> None:
        try:
            super()._enable_event_detect()
        except lgpio.error as error:
            # The failed claim has released the line, so it is claimed as an input again, for polling.
            with self._refusals():
                lgpio.gpio_claim_input(self.factory.handle, self._number, lgpio.SET_PULL_UP)
            raise PinEdgeDetectUnsupported(str(error)) from error

    def close(self) -> None:
        # gpiozero leaves its callback in lgpio, where the same line of a header that is opened later calls it.
        if self.factory.is_open:
            self.when_changed = None
        super().close()

    def _call_when_changed(self, chip: int, gpio: int, level: int, ticks: int) -> None:
        try:
            super()._call_when_changed(chip, gpio, level, ticks)
        except Exception as error:
            # The line was closed while its edge was on its way. lgpio tells the edges of all lines, those of headers
            # opened later too, in one thread, which would end here.
            _log.info("%r: an edge came too late to be told: %r", self, error)

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        """Name the holder of a busy line. It is recognised by the text of the error, because lgpio gives no number."""
        try:
            yield
        except lgpio.error as error:
            if str(error.value) != lgpio.error_text(lgpio.GPIO_BUSY):
                raise
            info = lgpio.gpio_get_line_info(self.factory.handle, self._number)
            raise line_busy(info[_USER]) from error


class LgpioHeader(LGPIOFactory):  # type: ignore[misc]  # gpiozero ships no types
    """The header through lgpio, on the chip of this number.

    Lifetime: `close` releases every line. Concurrency: any thread.
    """

    def __init__(self, chip: int) -> None:
        super().__init__(chip)
        self.pin_class = LgpioPin

    @property
    def is_open(self) -> bool:
        return self._handle is not None

    @property
    def handle(self) -> int:
        """lgpio's handle of the chip."""
        return int(self._handle)
