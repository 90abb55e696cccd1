"""The header's chip is found by its label, whatever its number is."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import pytest

from firmware.errors import DeviceMissing
from firmware.pi.pins import find_header_chip

# What gpiodetect shows (WiringPi, issue 280): a Pi 5 before and after kernel 6.6.45, a Pi 4, and an older one.
PI_5_OLD = {0: "gpio-brcmstb@107d508500", 1: "gpio-brcmstb@107d508520", 2: "gpio-brcmstb@107d517c00", 4: "pinctrl-rp1"}
PI_5 = {0: "pinctrl-rp1", 10: "gpio-brcmstb@107d508500", 11: "gpio-brcmstb@107d508520"}
PI_4 = {0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"}
PI_3 = {0: "pinctrl-bcm2835", 1: "brcmvirt-gpio", 2: "raspberrypi-exp-gpio"}
LAPTOP: dict[int, str | OSError] = {0: "INTC1055:00", 11: "gpio-sim"}

Chips = Callable[[dict[int, str | OSError]], None]


@pytest.fixture
def chips(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Chips:
    """/dev with these chips, by number: their label, or what opening one of them raises."""

    def make(labels: dict[int, str | OSError]) -> None:
        for number in labels:
            (tmp_path / f"gpiochip{number}").touch()

        def answer(chip: BinaryIO, request: int, _space: bytes) -> bytes:
            label = labels[int(Path(chip.name).name.removeprefix("gpiochip"))]
            assert request == 0x8044B401
            if isinstance(label, OSError):
                label.filename = chip.name
                raise label
            return b"gpiochip".ljust(32, b"\0") + label.encode().ljust(32, b"\0") + (54).to_bytes(4, "little")

        monkeypatch.setattr("fcntl.ioctl", answer)
        monkeypatch.setattr("firmware.pi.pins._DEVICES", tmp_path)

    return make


def refusal(number: int) -> OSError:
    return OSError(number, os.strerror(number))


@pytest.mark.parametrize(("labels", "number"), [(PI_5_OLD, 4), (PI_5, 0), (PI_4, 0), (PI_3, 0)])
def test_the_headers_chip_is_found_by_its_label(chips: Chips, labels: dict[int, str | OSError], number: int) -> None:
    chips(labels)
    assert find_header_chip() == number


def test_a_chip_that_is_none_is_passed_over(chips: Chips) -> None:
    chips({0: refusal(errno.ENOTTY), 4: "pinctrl-rp1"})
    assert find_header_chip() == 4


def test_other_chips_are_named_beside_what_is_wanted(chips: Chips) -> None:
    chips(LAPTOP)
    with pytest.raises(DeviceMissing) as caught:
        find_header_chip()
    assert caught.value.fault.seen == "gpiochip0: INTC1055:00, gpiochip11: gpio-sim"
    assert "pinctrl-bcm2711" in caught.value.fault.expected
    assert "Raspberry Pi OS" in caught.value.cure


def test_no_chip_at_all_is_said(chips: Chips) -> None:
    chips({})
    with pytest.raises(DeviceMissing, match=r"seen no .*gpiochip\* at all"):
        find_header_chip()


def test_a_chip_that_this_user_may_not_open_says_which_group_it_needs(chips: Chips) -> None:
    chips({0: refusal(errno.EACCES), 1: "raspberrypi-exp-gpio"})
    with pytest.raises(DeviceMissing) as caught:
        find_header_chip()
    assert caught.value.fault.seen.endswith("gpiochip0: Permission denied")
    assert "group gpio" in caught.value.cure
