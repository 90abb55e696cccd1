"""What keeps a line from us is named with the cure for just that."""

import errno
import os

import pytest

from firmware.errors import DeviceMissing
from firmware.header import claim_line, line_busy
from hardware.wires import GpioPin

BUTTON = GpioPin(24)


def refused(error: Exception) -> DeviceMissing:
    with pytest.raises(DeviceMissing) as caught, claim_line(BUTTON, "the button"):
        raise error
    return caught.value


@pytest.mark.parametrize(
    ("error", "part", "seen", "cure"),
    [
        (line_busy("spi0 CS0"), "GPIO24", "held by spi0 CS0", "Switch SPI off"),
        (line_busy("onewire@0"), "GPIO24", "held by onewire@0", "Switch 1-Wire off"),
        (line_busy("lg"), "GPIO24", "held by lg", "the other program"),
        (line_busy(""), "GPIO24", "held by another program", "dtoverlay"),
        (OSError(errno.EBUSY, os.strerror(errno.EBUSY)), "GPIO24", "held by another program", "dtoverlay"),
        (PermissionError(errno.EACCES, "Permission denied"), "header", "Permission denied", "group gpio"),
        (PermissionError(errno.EPERM, "Not permitted"), "header", "Not permitted", "group gpio"),
        (OSError(errno.ENODEV, "No registers"), "header", "No registers", 'pins = "lgpio"'),
        (OSError(errno.EIO, "Input/output error"), "GPIO24", "Input/output error", "Restart"),
        (Exception("'unexpected error'"), "GPIO24", "'unexpected error'", "Restart"),
    ],
)
def test_each_reason_has_its_own_cure(error: Exception, part: str, seen: str, cure: str) -> None:
    fault = refused(error).fault
    assert (fault.code, fault.part, fault.seen) == ("H-207", part, seen)
    assert cure in fault.cure


def test_a_line_that_can_be_had_is_no_fault() -> None:
    with claim_line(BUTTON, "the button"):
        pass


def test_a_fault_with_a_name_keeps_it() -> None:
    named = DeviceMissing("header", expected="a mock-box", seen="none")
    assert refused(named) is named
