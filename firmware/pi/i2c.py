"""The Raspberry Pi's I2C bus (GPIO 2 and 3) through Adafruit Blinka."""

from firmware.drivers.bus import BUS
from firmware.errors import DeviceMissing, LibraryMissing
from firmware.wire import I2CBus

_BUS_WANTED = "the I2C bus on GPIO 2 and 3"
_SWITCH_ON = "Switch I2C on (raspi-config, Interface Options), and start again."
_FORBIDDEN = "Put this user into the group i2c (sudo usermod -aG i2c NAME), log in anew, and start again."


def open_i2c() -> I2CBus:
    """Open the bus.

    Linux sets its speed, not this program: put `dtparam=i2c_arm_baudrate=400000` into /boot/firmware/config.txt (the
    default of 100 kHz works too, four times slower).

    Raises `LibraryMissing` if Blinka lacks a package that it needs on this Pi (`gpiod`), `DeviceMissing` if the
    computer has no such bus, or this user may not open it.
    """
    try:
        import board
    except ImportError as error:
        raise LibraryMissing(BUS, expected="Adafruit-Blinka with gpiod", seen=str(error)) from error
    except (OSError, RuntimeError) as error:
        # Blinka raises these on importing `board`; on an unknown computer a subclass of RuntimeError.
        raise DeviceMissing(BUS, expected=_BUS_WANTED, seen=str(error)) from error
    try:
        bus: I2CBus = board.I2C()
    except (AttributeError, ValueError, RuntimeError, OSError) as error:
        # AttributeError: no I2C bus on this board. ValueError, RuntimeError: switched off. OSError: denied.
        cure = _FORBIDDEN if isinstance(error, PermissionError) else _SWITCH_ON
        raise DeviceMissing(BUS, expected=_BUS_WANTED, seen=str(error), cure=cure) from error
    return bus
