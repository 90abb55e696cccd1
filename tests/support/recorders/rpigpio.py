"""A recorder in RPi.GPIO's place, which does with lines what py_gpio.c and event_gpio.c of 0.7.1 do."""

from collections.abc import Callable

from tests.support.recorders.calls import RecordingModule
from tests.support.recorders.lines import HeaderLines

Tell = Callable[[int], None]


class RpigpioRecorder(RecordingModule):
    """RPi.GPIO on these lines. It writes registers: whether a line is busy it does not ask.

    `refusal` is what keeps it from the registers, in its words.
    """

    def __init__(self, lines: HeaderLines, refusal: str = "") -> None:
        super().__init__("RPi.GPIO")
        self._lines = lines
        self._refusal = refusal
        self._directions: dict[int, int] = {}
        self._latched: dict[int, int] = {}
        self._mode = self.UNKNOWN

    def _setmode(self, mode: int, /) -> None:
        self._mode = mode

    def _setwarnings(self, state: bool, /) -> None:
        pass

    def _setup(self, channel: int, direction: int, pull_up_down: int = 20, initial: int = -1) -> None:
        if self._refusal:
            raise RuntimeError(self._refusal)
        if direction == self.OUT and pull_up_down != self.PUD_OFF:
            raise ValueError("pull_up_down parameter is not valid for outputs")
        if direction == self.OUT and initial in (0, 1):
            self._write(channel, int(initial))
        self._directions[channel] = direction
        self._lines.drive(channel, self._latched.get(channel, 0) if direction == self.OUT else None)

    def _cleanup(self, channel: int | None = None) -> None:
        for each in list(self._directions) if channel is None else [channel]:
            if self._directions.pop(each, None) is not None:
                self._lines.watch(each, None)
                self._lines.drive(each, None)

    def _output(self, channel: int, value: int, /) -> None:
        if self._directions.get(channel) != self.OUT:
            raise RuntimeError("The GPIO channel has not been set up as an OUTPUT")
        self._write(channel, int(value))

    def _input(self, channel: int, /) -> int:
        if channel not in self._directions:
            raise RuntimeError("You must setup() the GPIO channel first")
        return self._lines.level(channel)

    def _gpio_function(self, channel: int, /) -> int:
        return int(self.OUT if self._lines.is_driven(channel) else self.IN)

    def _add_event_detect(self, gpio: int, edge: int, callback: Tell | None = None, bouncetime: int = -666) -> None:
        if self._directions.get(gpio) != self.IN:
            raise RuntimeError("You must setup() the GPIO channel as an input first")
        if not self._lines.has_edges:
            raise RuntimeError("Failed to add edge detection")
        if callback is not None:
            self._lines.watch(gpio, lambda _level: callback(gpio))

    def _remove_event_detect(self, gpio: int, /) -> None:
        self._lines.watch(gpio, None)

    def _write(self, channel: int, level: int) -> None:
        self._latched[channel] = level
        if self._lines.is_driven(channel):
            self._lines.drive(channel, level)
