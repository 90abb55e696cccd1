"""Opening the real wire, with stand-ins for what only a Raspberry Pi has.

The stand-ins take exactly the calls that gpiozero 2.0.1 makes of lgpio and RPi.GPIO when a factory opens.
"""

import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from firmware.errors import DeviceMissing, LibraryMissing
from firmware.pi import open_i2c, open_pin_factory


def stand_in(monkeypatch: pytest.MonkeyPatch, name: str, **names: object) -> ModuleType:
    module = ModuleType(name)
    for key, value in names.items():
        setattr(module, key, value)
    monkeypatch.setitem(sys.modules, name, module)
    return module


@pytest.fixture(autouse=True)
def _fresh_factories() -> Iterator[None]:
    """gpiozero's factory modules bind their library when they are imported: each test imports them anew."""
    _forget_factories()
    yield
    _forget_factories()


def _forget_factories() -> None:
    for name in ("gpiozero.pins.lgpio", "gpiozero.pins.rpigpio"):
        sys.modules.pop(name, None)


class FakeI2C:
    """What board.I2C() returns."""


def test_the_bus_is_blinkas(monkeypatch: pytest.MonkeyPatch) -> None:
    bus = FakeI2C()
    stand_in(monkeypatch, "board", I2C=lambda: bus)
    assert open_i2c() is bus  # type: ignore[comparison-overlap]


def test_a_computer_without_a_bus_says_what_to_switch_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a laptop Blinka's board has no I2C."""
    stand_in(monkeypatch, "board")
    with pytest.raises(DeviceMissing) as caught:
        open_i2c()
    assert (caught.value.code, caught.value.fault.part) == ("H-207", "i2c")
    assert "raspi-config" in caught.value.cure


@pytest.mark.parametrize(
    "error",
    [
        ValueError("No Hardware I2C on (scl,sda)=(3, 2)"),
        RuntimeError("I2C Bus #1 not found, check if enabled in config!"),
        PermissionError(13, "Permission denied", "/dev/i2c-1"),
    ],
)
def test_a_bus_that_does_not_open_keeps_its_reason(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def refuse() -> None:
        raise error

    stand_in(monkeypatch, "board", I2C=refuse)
    with pytest.raises(DeviceMissing) as caught:
        open_i2c()
    assert str(error) in caught.value.fault.seen


def test_a_missing_package_of_blinka_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "board", None)
    with pytest.raises(LibraryMissing) as caught:
        open_i2c()
    assert "gpiod" in caught.value.fault.expected
    assert "shutbox[pi]" in caught.value.cure


class FakeLgpio:
    """lgpio 0.2.2: constants, gpiochip_open(chip) and gpiochip_close(handle)."""

    class error(Exception):  # noqa: N801  # its name in lgpio
        pass

    def __init__(self, opens: bool = True) -> None:
        self.calls: list[tuple[str, int]] = []
        self._opens = opens

    def gpiochip_open(self, gpiochip: int) -> int:
        if not self._opens:
            raise self.error("can not open gpiochip")
        self.calls.append(("open", gpiochip))
        return 7

    def gpiochip_close(self, handle: int) -> int:
        self.calls.append(("close", handle))
        return 0


def install_lgpio(monkeypatch: pytest.MonkeyPatch, fake: FakeLgpio, revision: int = 0xC03115) -> None:
    constants = ("SET_PULL_NONE", "SET_PULL_UP", "SET_PULL_DOWN", "BOTH_EDGES", "RISING_EDGE", "FALLING_EDGE")
    stand_in(
        monkeypatch,
        "lgpio",
        error=fake.error,
        gpiochip_open=fake.gpiochip_open,
        gpiochip_close=fake.gpiochip_close,
        **dict.fromkeys(constants, 0),
    )
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: revision)


def test_lgpio_opens_the_header_and_closes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeLgpio()
    install_lgpio(monkeypatch, fake)
    pins = open_pin_factory("lgpio")
    assert type(pins).__name__ == "LGPIOFactory"
    pins.close()
    assert fake.calls == [("open", 0), ("close", 7)]


def test_lgpio_that_may_not_open_the_header_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    install_lgpio(monkeypatch, FakeLgpio(opens=False))
    with pytest.raises(DeviceMissing) as caught:
        open_pin_factory("lgpio")
    assert caught.value.fault.part == "header"
    assert caught.value.fault.seen == "can not open gpiochip"
    assert "gpio" in caught.value.cure


def test_an_empty_lgpio_counts_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no wheel, pip takes lgpio 0.0.0.2: a module without content."""
    stand_in(monkeypatch, "lgpio")
    with pytest.raises(LibraryMissing) as caught:
        open_pin_factory("lgpio")
    assert "lgpio 0.2.2" in caught.value.fault.expected


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.setitem(sys.modules, "RPi", None)
    with pytest.raises(LibraryMissing) as caught:
        open_pin_factory("lgpio")
    assert caught.value.code == "H-206"
    assert "lgpio" in caught.value.fault.expected
    with pytest.raises(LibraryMissing) as caught:
        open_pin_factory("rpigpio")
    assert "RPi.GPIO" in caught.value.fault.expected


class FakeRpiGpio(ModuleType):
    """RPi.GPIO 0.7: constants, setmode, setwarnings and cleanup."""

    def __init__(self) -> None:
        super().__init__("RPi.GPIO")
        names = "IN OUT I2C SPI HARD_PWM SERIAL UNKNOWN PUD_UP PUD_DOWN PUD_OFF BOTH RISING FALLING BCM"
        for number, name in enumerate(names.split()):
            setattr(self, name, number)
        self.calls: list[tuple[str, object]] = []

    def setmode(self, mode: int) -> None:
        self.calls.append(("setmode", mode))

    def setwarnings(self, flag: bool) -> None:
        self.calls.append(("setwarnings", flag))

    def cleanup(self, *channels: int) -> None:
        self.calls.append(("cleanup", channels))


def test_rpigpio_opens_the_header_without_lgpio(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeRpiGpio()
    stand_in(monkeypatch, "RPi", GPIO=fake)
    monkeypatch.setitem(sys.modules, "RPi.GPIO", fake)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    pins = open_pin_factory("rpigpio")
    assert type(pins).__name__ == "RPiGPIOFactory"
    pins.close()
    assert [name for name, _ in fake.calls] == ["setmode", "setwarnings", "cleanup"]


def test_rpigpio_off_a_pi_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """RPi.GPIO raises RuntimeError while it is imported."""

    class Refusing(ModuleType):
        def __getattr__(self, name: str) -> object:
            raise RuntimeError("This module can only be run on a Raspberry Pi!")

    monkeypatch.setitem(sys.modules, "RPi", Refusing("RPi"))
    with pytest.raises(DeviceMissing) as caught:
        open_pin_factory("rpigpio")
    assert "Raspberry Pi" in caught.value.fault.seen
