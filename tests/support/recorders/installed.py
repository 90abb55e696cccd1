"""The recorders where `import lgpio` and `from RPi import GPIO` find them, on a computer that passes for a Pi."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

import pytest
from gpiozero.pins.local import LocalPiFactory

from tests.support.recorders.lgpio import LgpioRecorder
from tests.support.recorders.lines import HeaderLines
from tests.support.recorders.rpigpio import RpigpioRecorder

PI_4B = 0xC03115  # revision code of a Raspberry Pi 4 Model B, 4 GB, rev 1.5
# These bind their library when they are imported, so each new recorder needs them anew.
_BOUND = (
    "gpiozero.pins.lgpio",
    "gpiozero.pins.rpigpio",
    "firmware.pi.lgpio_header",
    "firmware.pi.rpigpio_header",
)


@contextmanager
def fresh_factories(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What binds its library on import is imported anew inside, and again afterwards."""
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: PI_4B)
    monkeypatch.setattr("firmware.pi.pins.find_header_chip", lambda: 0)
    _forget()
    yield
    _forget()


def install_lgpio(monkeypatch: pytest.MonkeyPatch, lines: HeaderLines, chips: tuple[int, ...] = (0,)) -> LgpioRecorder:
    """Put a recorder in lgpio's place: a process that begins anew."""
    _forget()
    recorder = LgpioRecorder(lines, chips)
    monkeypatch.setitem(sys.modules, "lgpio", recorder)
    return recorder


def install_rpigpio(monkeypatch: pytest.MonkeyPatch, lines: HeaderLines, refusal: str = "") -> RpigpioRecorder:
    """Put a recorder in RPi.GPIO's place: a process that begins anew."""
    _forget()
    recorder, package = RpigpioRecorder(lines, refusal), ModuleType("RPi")
    package.GPIO = recorder  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "RPi", package)
    monkeypatch.setitem(sys.modules, "RPi.GPIO", recorder)
    return recorder


def _forget() -> None:
    # What gpiozero remembers of the lines of this process, those of devices that could not be made too.
    LocalPiFactory.pins.clear()
    LocalPiFactory._reservations.clear()
    for name in _BOUND:
        sys.modules.pop(name, None)
