"""The Raspberry Pi's header through gpiozero, on lgpio or RPi.GPIO."""

import fcntl
import os
import struct
from contextlib import chdir
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Literal

from gpiozero.exc import PinUnknownPi

from firmware.errors import DeviceMissing, LibraryMissing
from firmware.header import FORBIDDEN_CURE, TRY_AGAIN, USE_LGPIO
from firmware.wire import PinFactory

# Linux's labels of the header's chip: on a Pi 5, on a Pi 4, on all older ones and the Zeros. On a Pi 5 it is gpiochip4
# up to kernel 6.6.45 and gpiochip0 from then on (raspberrypi/linux, pull request 6144).
_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
_DEVICES = Path("/dev")
_NAME = "gpiochip"
# include/uapi/linux/gpio.h: GPIO_GET_CHIPINFO_IOCTL fills struct gpiochip_info, two strings and the number of lines.
_GET_CHIP_INFO = 0x8044B401
_CHIP_INFO = struct.Struct("32s32sI")
_PART = "header"
_WANTED = f"a GPIO chip called {', '.join(_LABELS[:-1])} or {_LABELS[-1]}"


def find_header_chip() -> int:
    """Return the number of the header's chip, N of /dev/gpiochipN. It is found by its label, since N differs.

    Raises `DeviceMissing` with the cure, if there is no such chip or this user may not open it.
    """
    seen: list[str] = []
    denied: OSError | None = None
    for number in sorted(int(path.name[len(_NAME) :]) for path in _DEVICES.glob(f"{_NAME}[0-9]*")):
        try:
            with (_DEVICES / f"{_NAME}{number}").open("r+b", buffering=0) as chip:
                answer = fcntl.ioctl(chip, _GET_CHIP_INFO, bytes(_CHIP_INFO.size))
        except PermissionError as error:
            denied = error
            continue
        except OSError as error:
            seen.append(f"{_NAME}{number}: {error.strerror}")
            continue
        label = bytes(_CHIP_INFO.unpack(answer)[1]).split(b"\0")[0].decode("ascii", "replace")
        if label in _LABELS:
            return number
        seen.append(f"{_NAME}{number}: {label}")
    if denied is not None:
        raise DeviceMissing(
            _PART,
            expected="a GPIO chip that this user may open",
            seen=f"{denied.filename}: {denied.strerror}",
            cure=FORBIDDEN_CURE,
        )
    raise DeviceMissing(
        _PART,
        expected=_WANTED,
        seen=", ".join(seen) or f"no {_DEVICES / _NAME}* at all",
        cure="Run this on a Raspberry Pi with the kernel of Raspberry Pi OS, or use the simulated box (--mock).",
    )


Library = Literal["lgpio", "rpigpio"]

_HEADER = "the header of a Raspberry Pi"
_LGPIO = "lgpio 0.2.2 or later"
_RPIGPIO = "RPi.GPIO (not on a Pi 5, not beside rpi-lgpio)"
_INSTALL_RPIGPIO = (
    "Install it (in the checkout: .venv/bin/pip install -e '.[rpigpio]'), or set pins = \"lgpio\" in settings.toml."
)
# lgpio, lguGetWorkDir: this variable of the environment is the folder that lgpio enters while it is imported.
_WORK_FOLDER = "LG_WD"
# gpiozero looks up the lines of each model by this code, which only a Raspberry Pi's own firmware hands to Linux.
_REVISION = "a model that gpiozero knows, by the revision code in /proc/device-tree/system/linux,revision"
_BOOT_AS_A_PI = (
    "Let the Raspberry Pi's own firmware start Linux with its device tree, as in Raspberry Pi OS, without U-Boot or "
    "EFI in between; for a model that is newer than this version, update it."
)
_MAKE_ROOM = "Start it from a folder that is there, and let this user write to /tmp."


def open_pin_factory(name: Library) -> PinFactory:
    """Open the header with that library.

    RPi.GPIO has no edge detection on kernels from 6.6 and does not work on a Pi 5; lgpio works everywhere.

    Raises `LibraryMissing` if it is not installed, `DeviceMissing` if this is no Raspberry Pi, this user may not open
    the header, its model is unknown, or lgpio finds no folder to work in.
    """
    if name == "lgpio":
        _import_lgpio()
        module = _import("firmware.pi.lgpio_header", _LGPIO)
        chip = find_header_chip()
        try:
            header = module.LgpioHeader(chip)
        except module.lgpio.error as error:
            raise DeviceMissing(_PART, expected=_HEADER, seen=str(error), cure=TRY_AGAIN) from error
    else:
        try:
            module = _import("firmware.pi.rpigpio_header", _RPIGPIO, _INSTALL_RPIGPIO)
            header = module.RpigpioHeader()
        except RuntimeError as error:
            raise DeviceMissing(_PART, expected=_HEADER, seen=str(error), cure=USE_LGPIO) from error
    try:
        header.board_info  # noqa: B018  # asked for here, and not by the first line that is claimed
    except PinUnknownPi as error:
        header.close()
        raise DeviceMissing(_PART, expected=_REVISION, seen=str(error), cure=_BOOT_AS_A_PI) from error
    pins: PinFactory = header
    return pins


def _import(module: str, package: str, cure: str | None = None) -> ModuleType:
    """Import one of our headers, and with it gpiozero's module and the library."""
    try:
        # An outdated lgpio (0.0.0.2) installs but is empty, so that gpiozero misses its attributes.
        return import_module(module)
    except (ImportError, AttributeError) as error:
        raise LibraryMissing(_PART, expected=package, seen=str(error), cure=cure) from error


def _import_lgpio() -> None:
    """Import lgpio in a temporary folder.

    At its import it makes a pipe for edges (.lgd-nfy0) in the working folder, and opens it by that bare name: in a
    folder without write access this raises a `FileNotFoundError` for `.lgd-nfy-3`.
    """
    try:
        with TemporaryDirectory(prefix="shutbox-lgpio-") as folder, chdir(folder):
            import_module("lgpio")
    except ImportError as error:
        raise LibraryMissing(_PART, expected=_LGPIO, seen=str(error)) from error
    except OSError as error:
        place = os.environ.get(_WORK_FOLDER)
        raise DeviceMissing(
            _PART,
            expected="a folder in which lgpio can make its pipe (.lgd-nfy0)",
            seen=f"{_WORK_FOLDER}={place}" if place else str(error),
            cure=f"Take {_WORK_FOLDER} out of the environment." if place else _MAKE_ROOM,
        ) from error
