"""A recorder in lgpio's place, which does with lines what lgGpio.c of 0.2.2.0 does."""

from collections.abc import Callable
from typing import Any

from tests.support.recorders.calls import PACKAGES, RecordingModule
from tests.support.recorders.lines import HeaderLines

_TEXTS: dict[str, str] = PACKAGES["lgpio"]["texts"]
# What lgpio.gpio_get_mode says: bits of Linux, and above them those of lgpio for lines of its own process.
_USED, _IS_OUTPUT, _PULLS = 1, 2, 32 | 64 | 128
_OWN = {"input": 1 << 8, "output": 1 << 9, "alert": 1 << 10}

Tell = Callable[[int, int, int, int], None]


class LgpioError(Exception):
    """As `lgpio.error`: no number, and its text between quotes."""

    def __init__(self, value: str) -> None:
        self.value = value

    def __str__(self) -> str:
        return repr(self.value)


class _Callback:
    def __init__(self, lines: HeaderLines, gpio: int) -> None:
        self._lines = lines
        self._gpio = gpio

    def cancel(self) -> None:
        self._lines.watch(self._gpio, None)


class LgpioRecorder(RecordingModule):
    """lgpio on these lines; `chips` are the numbers of the chips that can be opened."""

    error = LgpioError

    def __init__(self, lines: HeaderLines, chips: tuple[int, ...] = (0,)) -> None:
        super().__init__("lgpio")
        self._lines = lines
        self._chips = chips
        self._modes: dict[int, tuple[str, int]] = {}

    def _gpiochip_open(self, gpiochip: int) -> int:
        if gpiochip not in self._chips:
            raise self._error("CANNOT_OPEN_CHIP")
        return 1 | gpiochip << 16

    def _gpiochip_close(self, handle: int) -> int:
        for gpio in list(self._modes):
            self._set_free(gpio)
        return 0

    def _gpio_claim_input(self, handle: int, gpio: int, lFlags: int = 0) -> int:  # noqa: N803
        return self._claim(gpio, "input", lFlags, None)

    def _gpio_claim_output(self, handle: int, gpio: int, level: int = 0, lFlags: int = 0) -> int:  # noqa: N803
        return self._claim(gpio, "output", lFlags, int(bool(level)))

    def _gpio_claim_alert(
        self,
        handle: int,
        gpio: int,
        eFlags: int,  # noqa: N803
        lFlags: int = 0,  # noqa: N803
        notify_handle: int | None = None,
    ) -> int:
        self._set_free(gpio)
        if not self._lines.has_edges:
            raise self._error("BAD_EVENT_REQUEST")
        return self._claim(gpio, "alert", lFlags, None)

    def _gpio_free(self, handle: int, gpio: int) -> int:
        if gpio not in self._modes:
            raise self._error("GPIO_NOT_ALLOCATED")
        self._set_free(gpio)
        return 0

    def _gpio_read(self, handle: int, gpio: int) -> int:
        return self._lines.level(gpio)

    def _gpio_write(self, handle: int, gpio: int, level: int) -> int:
        if self._modes.get(gpio, ("", 0))[0] != "output":
            return self._claim(gpio, "output", 0, int(bool(level)))
        self._lines.drive(gpio, int(bool(level)))
        return 0

    def _gpio_get_mode(self, handle: int | None, gpio: int) -> int:
        if handle is None:
            raise TypeError("unsupported operand type(s) for &: 'NoneType' and 'int'")
        if gpio not in self._modes:
            return _USED if gpio in self._lines.holders else 0
        how, flags = self._modes[gpio]
        return _USED | (_IS_OUTPUT if how == "output" else 0) | flags & _PULLS | _OWN[how]

    def _gpio_get_line_info(self, handle: int, gpio: int) -> list[Any]:
        own = "lg" if gpio in self._modes else ""
        return [0, gpio, self._gpio_get_mode(handle, gpio), f"GPIO{gpio}", self._lines.holders.get(gpio, own)]

    def _gpio_set_debounce_micros(self, handle: int, gpio: int, debounce_micros: int) -> int:
        return 0

    def _callback(self, handle: int, gpio: int, edge: int = 1, func: Tell | None = None) -> "_Callback":
        def tell(level: int) -> None:
            if func is not None and edge & (1 if level else 2):
                func(handle >> 16, gpio, level, 0)

        self._lines.watch(gpio, tell)
        return _Callback(self._lines, gpio)

    def _error_text(self, errnum: int) -> str:
        return _TEXTS[str(errnum)]

    def _error(self, name: str) -> LgpioError:
        return LgpioError(_TEXTS[str(getattr(self, name))])

    def _claim(self, gpio: int, how: str, flags: int, level: int | None) -> int:
        if self._modes.get(gpio, ("", 0))[0] == how:
            return 0  # "nothing to do", whatever the level and the flags
        self._set_free(gpio)
        if gpio in self._lines.holders:
            raise self._error("GPIO_BUSY")
        self._modes[gpio] = (how, flags)
        self._lines.drive(gpio, level)
        return 0

    def _set_free(self, gpio: int) -> None:
        if self._modes.pop(gpio, None) is not None:
            self._lines.drive(gpio, None)
