"""The wires of the Raspberry Pi's I2C bus, taken from its controller with `pinctrl` (raspi-utils) and given back."""

import re
import subprocess
from typing import Self

_DATA, _CLOCK = 2, 3  # GPIO 2 and 3 are SDA1 and SCL1 on every header with 40 pins
_PINCTRL = "pinctrl"
_PATIENCE_S = 0.5  # one call takes a few milliseconds
# " 2: a0    pu | hi // GPIO2 = SDA1" on a Pi 4; a3 on a Pi 5. Nothing sets the pull, so it stays.
_LINE = re.compile(r"^ *(\d+): (\w+) .*\| (hi|lo) ", re.MULTILINE)


class PinctrlLines:
    """Both wires as lines of the header that are only ever driven low, or released to their pull-ups.

    They are taken by `pinctrl`, since a library that claims a line does not give it back to the controller. Call only
    while no transfer is under way.

    Lifetime: a context manager; the controller gets the wires back at its end. Raises `OSError` if `pinctrl` is not
    there, or does not do it.
    """

    def __init__(self) -> None:
        self._before: dict[int, str] = {}

    def __enter__(self) -> Self:
        said = _LINE.findall(_pinctrl("get", f"{_DATA},{_CLOCK}"))
        self._before = {int(line): function for line, function, _ in said}
        if self._before.keys() != {_DATA, _CLOCK}:
            raise OSError(f"{_PINCTRL} does not tell what the lines {_DATA} and {_CLOCK} do")
        try:
            # Released first, with the level that they get as outputs.
            _pinctrl("set", f"{_DATA},{_CLOCK}", "ip", "dl")
        except OSError:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for line, function in self._before.items():
            _pinctrl("set", str(line), function)

    def data_is_high(self) -> bool:
        return _is_high(_DATA)

    def clock_is_high(self) -> bool:
        return _is_high(_CLOCK)

    def hold_data(self, *, low: bool) -> None:
        _hold(_DATA, low=low)

    def hold_clock(self, *, low: bool) -> None:
        _hold(_CLOCK, low=low)


def _hold(line: int, *, low: bool) -> None:
    _pinctrl("set", str(line), "op" if low else "ip")


def _is_high(line: int) -> bool:
    return any(level == "hi" for _, _, level in _LINE.findall(_pinctrl("get", str(line))))


def _pinctrl(*words: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603
            (_PINCTRL, *words), capture_output=True, text=True, timeout=_PATIENCE_S, check=True
        )
    except subprocess.SubprocessError as error:
        raise OSError(str(error)) from error
    return done.stdout
