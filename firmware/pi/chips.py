"""Finding the Linux GPIO chip of the header by its label, because its number differs."""

import fcntl
import struct
from pathlib import Path

from firmware.errors import DeviceMissing
from firmware.header.claim import FORBIDDEN_CURE

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
