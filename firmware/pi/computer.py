"""The Raspberry Pi itself: its health, its I2C bus, and its header lines after a program has ended."""

import subprocess
from pathlib import Path

from firmware.drivers.bus import BUS
from firmware.errors import DeviceMissing, LibraryMissing
from firmware.wire import I2CBus

_ZONE = Path("/sys/class/thermal/thermal_zone0/temp")  # thousandths of a degree
_ASKS = ("vcgencmd", "get_throttled")  # answers "throttled=0x50005"
_PATIENCE_S = 2.0  # the answer comes from the Raspberry Pi's firmware; without one by then the value is unknown


class PiComputer:
    """The computer that the program runs on.

    Lifetime: nothing is held. Concurrency: any thread; `throttled` waits for a separate process.
    """

    def throttled(self) -> int | None:
        """Return the word of `vcgencmd get_throttled` (Raspberry Pi documentation, vcgencmd); None: unknown."""
        try:
            said = subprocess.run(_ASKS, capture_output=True, text=True, timeout=_PATIENCE_S, check=True)  # noqa: S603
            return int(said.stdout.strip().partition("=")[2], 16)
        except (OSError, ValueError, subprocess.SubprocessError):
            return None

    def temperature_c(self) -> float | None:
        try:
            return int(_ZONE.read_text("ascii")) / 1000
        except (OSError, ValueError):
            return None


_BUS_WANTED = "the I2C bus on GPIO 2 and 3"
_NO_PI = "Run this on a Raspberry Pi with Raspberry Pi OS, or use the simulated box (--mock)."
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
    except (ImportError, OSError, RuntimeError) as error:
        # On an unknown computer Blinka raises a subclass of RuntimeError; for a package that it lacks, an ImportError
        # or a RuntimeError caused by one.
        if isinstance(error, ImportError) or isinstance(error.__cause__, ImportError):
            raise LibraryMissing(BUS, expected="Adafruit-Blinka with gpiod", seen=str(error)) from error
        raise DeviceMissing(BUS, expected=_BUS_WANTED, seen=str(error), cure=_NO_PI) from error
    try:
        bus: I2CBus = board.I2C()
    except (AttributeError, ValueError, RuntimeError, OSError) as error:
        # AttributeError: no I2C bus on this board. ValueError, RuntimeError: switched off. OSError: denied.
        cures = {AttributeError: _NO_PI, PermissionError: _FORBIDDEN}
        cure = cures.get(type(error), _SWITCH_ON)
        raise DeviceMissing(BUS, expected=_BUS_WANTED, seen=str(error), cure=cure) from error
    return bus


# Kernel parameters of the header's drivers, with the value at which outputs stay. Source: raspberrypi/linux, pull
# requests 6117 (strict_gpiod) and 6150 (persist_gpio_outputs).
_STAYING = {"persist_gpio_outputs": "Y", "strict_gpiod": "N"}


def outputs_stay(modules: Path = Path("/sys/module")) -> bool | None:
    """Return True if a header line stays an output after the program that drove it has released it or died.

    That is so on a Raspberry Pi without `dtparam=strict_gpiod`. None: unknown.
    """
    for name, staying in _STAYING.items():
        for file in sorted(modules.glob(f"pinctrl_*/parameters/{name}")):
            return file.read_text("ascii").strip() == staying
    return None
