"""Claiming a line of the computer's header: every refusal becomes a `DeviceMissing` with the cure for its cause."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from firmware.errors import DeviceMissing
from hardware.wires import GpioPin

_HEADER = "header"
_SWITCH_OFF = "Switch {} off (raspi-config, Interface Options), and start again."
# Linux or lgpio name the holder of a line, for example "spi0 CS0", "onewire@0" or "lg".
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
# For an error of which nothing is known but its words.
TRY_AGAIN = "Restart the Raspberry Pi; if that changes nothing, show the output of `shutbox doctor` to whoever helps."
FORBIDDEN_CURE = "Put this user into the group gpio (sudo usermod -aG gpio NAME), log in anew, and start again."
USE_LGPIO = 'Set pins = "lgpio" in settings.toml (RPi.GPIO does not know a Pi 5), and start again.'
# Errors that concern the whole header and not a single line.
_OF_THE_HEADER = {errno.EACCES: FORBIDDEN_CURE, errno.EPERM: FORBIDDEN_CURE, errno.ENODEV: USE_LGPIO}
_HELD_BY, _SOMEBODY = "held by ", "another program"


def line_busy(holder: str) -> OSError:
    """Return the error of a pin whose line `holder` has; an empty name means unknown."""
    return OSError(errno.EBUSY, f"{_HELD_BY}{holder or _SOMEBODY}")


@contextmanager
def claim_line(wire: GpioPin, purpose: str) -> Iterator[None]:
    """Raise `DeviceMissing` if the block cannot claim this line for `purpose` ("the button").

    The number of an `OSError` determines the cure: busy (its text names the holder), forbidden, not there. Every other
    exception is caught too, since the libraries below gpiozero raise plain ones of their own.
    """
    try:
        yield
    except DeviceMissing:
        raise
    except OSError as error:
        raise _refused(wire, purpose, error) from error
    except Exception as error:
        raise DeviceMissing(str(wire), expected=f"{purpose}, free to use", seen=str(error), cure=TRY_AGAIN) from error


def _refused(wire: GpioPin, purpose: str, error: OSError) -> DeviceMissing:
    seen = error.strerror or str(error)
    if error.errno == errno.EBUSY and not seen.startswith(_HELD_BY):
        seen = f"{_HELD_BY}{_SOMEBODY}"
    if error.errno in _OF_THE_HEADER:
        cure_of_all = _OF_THE_HEADER[error.errno]
        return DeviceMissing(_HEADER, expected="lines that this user may use", seen=seen, cure=cure_of_all)
    cure = TRY_AGAIN
    if error.errno == errno.EBUSY:
        holder = seen.removeprefix(_HELD_BY)
        cure = next((cure for name, cure in _HOLDERS.items() if holder.startswith(name)), _SOME_HOLDER)
    return DeviceMissing(str(wire), expected=f"{purpose}, free to use", seen=seen, cure=cure)
