"""Opening the real bus, with stand-ins for what only a Raspberry Pi has."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

from firmware.errors import DeviceMissing, LibraryMissing
from firmware.pi.computer import open_i2c


def stand_in(monkeypatch: pytest.MonkeyPatch, name: str, **names: object) -> ModuleType:
    module = ModuleType(name)
    for key, value in names.items():
        setattr(module, key, value)
    monkeypatch.setitem(sys.modules, name, module)
    return module


class FakeI2C:
    """What board.I2C() returns."""


def test_the_bus_is_blinkas(monkeypatch: pytest.MonkeyPatch) -> None:
    bus = FakeI2C()
    stand_in(monkeypatch, "board", I2C=lambda: bus)
    assert open_i2c() is bus  # type: ignore[comparison-overlap]


def test_a_computer_without_a_bus_says_which_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a laptop Blinka's board has no I2C."""
    stand_in(monkeypatch, "board")
    with pytest.raises(DeviceMissing) as caught:
        open_i2c()
    assert (caught.value.code, caught.value.fault.part) == ("H-207", "i2c")
    assert "on a Raspberry Pi" in caught.value.cure


@pytest.mark.parametrize(
    ("error", "cure"),
    [
        (ValueError("No Hardware I2C on (scl,sda)=(3, 2)"), "raspi-config"),
        (RuntimeError("I2C Bus #1 not found, check if enabled in config!"), "raspi-config"),
        (PermissionError(13, "Permission denied", "/dev/i2c-1"), "group i2c"),
    ],
)
def test_a_bus_that_does_not_open_keeps_its_reason(
    monkeypatch: pytest.MonkeyPatch, error: Exception, cure: str
) -> None:
    def refuse() -> None:
        raise error

    stand_in(monkeypatch, "board", I2C=refuse)
    with pytest.raises(DeviceMissing) as caught:
        open_i2c()
    assert str(error) in caught.value.fault.seen
    assert cure in caught.value.cure


def test_a_missing_package_of_blinka_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "board", None)
    with pytest.raises(LibraryMissing) as caught:
        open_i2c()
    assert "gpiod" in caught.value.fault.expected
    assert "-e '.[pi]'" in caught.value.cure


def test_a_package_that_blinka_itself_misses_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Blinka 10 says so by a RuntimeError; the same without a cause comes from a computer that it does not know."""
    monkeypatch.delitem(sys.modules, "board", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    board = tmp_path / "board.py"
    board.write_text(
        "try:\n    import gpiod_of_nobody\nexcept ImportError as error:\n    raise RuntimeError from error\n"
    )
    with pytest.raises(LibraryMissing):
        open_i2c()
    board.write_text("raise NotImplementedError\n")
    importlib.invalidate_caches()
    with pytest.raises(DeviceMissing):
        open_i2c()
