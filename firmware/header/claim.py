"""Claiming a line of the header: whatever keeps it from us becomes a `DeviceMissing` with the cure for just that."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from firmware.errors import DeviceMissing
from hardware.wires import GpioPin

_HEADER = "header"
_SWITCH_OFF = "Switch {} off (raspi-config, Interface Options), and start again."
# Who holds a line calls himself by what Linux or lgpio make of it, such as "spi0 CS0", "onewire@0" or "lg".
_HOLDERS = {
    "spi": _SWITCH_OFF.format("SPI"),
    "w1": _SWITCH_OFF.format("1-Wire"),
    "onewire": _SWITCH_OFF.format("1-Wire"),
    "lg": "Stop the other program that uses it, perhaps a second shutbox or its guard, and start again.",
}
_SOME_HOLDER = (
    "Stop the program that holds it, or take the overlay that does (dtoverlay=...) out of "
    "/boot/firmware/config.txt, and start again."
)
FORBIDDEN_CURE = "Put this user into the group gpio (sudo usermod -aG gpio NAME), log in anew, and start again."
USE_LGPIO = 'Set pins = "lgpio" in settings.toml (RPi.GPIO does not know a Pi 5), and start again.'
# What is wrong with all of the header, and not with one line of it.
_OF_THE_HEADER = {errno.EACCES: FORBIDDEN_CURE, errno.EPERM: FORBIDDEN_CURE, errno.ENODEV: USE_LGPIO}
_HELD_BY, _SOMEBODY = "held by ", "another program"


def line_busy(holder: str) -> OSError:
    """What a pin raises for a line that `holder` has; empty where nobody knows who."""
    return OSError(errno.EBUSY, f"{_HELD_BY}{holder or _SOMEBODY}")


@contextmanager
def claim_line(wire: GpioPin, purpose: str) -> Iterator[None]:
    """Raise `DeviceMissing` where the block cannot get this line, which is to be `purpose` ("the button").

    Of an `OSError` it knows the cure by its number: busy (its text says by whom), forbidden, not there. It catches
    every other exception too, since the libraries below gpiozero raise plain ones of their own.
    """
    try:
        yield
    except DeviceMissing:
        raise
    except OSError as error:
        raise _refused(wire, purpose, error) from error
    except Exception as error:
        raise DeviceMissing(str(wire), expected=f"{purpose}, free to use", seen=str(error)) from error


def _refused(wire: GpioPin, purpose: str, error: OSError) -> DeviceMissing:
    seen = error.strerror or str(error)
    if error.errno == errno.EBUSY and not seen.startswith(_HELD_BY):
        seen = f"{_HELD_BY}{_SOMEBODY}"
    if error.errno in _OF_THE_HEADER:
        cure_of_all = _OF_THE_HEADER[error.errno]
        return DeviceMissing(_HEADER, expected="lines that this user may use", seen=seen, cure=cure_of_all)
    cure = _cure_of_holder(seen.removeprefix(_HELD_BY)) if error.errno == errno.EBUSY else None
    return DeviceMissing(str(wire), expected=f"{purpose}, free to use", seen=seen, cure=cure)


def _cure_of_holder(holder: str) -> str:
    return next((cure for name, cure in _HOLDERS.items() if holder.startswith(name)), _SOME_HOLDER)
