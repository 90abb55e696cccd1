"""Which of Linux's GPIO chips has the header's lines: found by its label, since its number differs."""

import fcntl
import struct
from pathlib import Path

from firmware.errors import DeviceMissing
from firmware.header import FORBIDDEN_CURE

# Linux's names for the chip of the header: that of a Pi 5, a Pi 4, and all older ones and the Zeros. On a Pi 5 it is
# gpiochip4 up to kernel 6.6.45 and gpiochip0 from then on (raspberrypi/linux, pull request 6144).
_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
_DEVICES = Path("/dev")
_NAME = "gpiochip"
# include/uapi/linux/gpio.h: GPIO_GET_CHIPINFO_IOCTL fills struct gpiochip_info, two texts and the number of lines.
_GET_CHIP_INFO = 0x8044B401
_CHIP_INFO = struct.Struct("32s32sI")
_PART = "header"
_WANTED = f"a GPIO chip called {', '.join(_LABELS[:-1])} or {_LABELS[-1]}"


def find_header_chip() -> int:
    """The number of the chip: N of /dev/gpiochipN.

    Raises `DeviceMissing` with the cure: where there is no such chip, or where this user may not open it.
    """
    seen: list[str] = []
    denied: OSError | None = None
    for number in sorted(int(path.name[len(_NAME) :]) for path in _DEVICES.glob(f"{_NAME}[0-9]*")):
        try:
            label = _label_of(_DEVICES / f"{_NAME}{number}")
        except PermissionError as error:
            denied = error
            continue
        except OSError as error:
            seen.append(f"{_NAME}{number}: {error.strerror}")
            continue
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


def _label_of(device: Path) -> str:
    with device.open("r+b", buffering=0) as chip:
        answer = fcntl.ioctl(chip, _GET_CHIP_INFO, bytes(_CHIP_INFO.size))
    _, label, _ = _CHIP_INFO.unpack(answer)
    return bytes(label).split(b"\0")[0].decode("ascii", "replace")
