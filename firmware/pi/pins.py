"""The Raspberry Pi's header through gpiozero, on lgpio or RPi.GPIO."""

from importlib import import_module
from typing import Literal

from firmware.errors import DeviceMissing, LibraryMissing
from firmware.wire import PinFactory

Library = Literal["lgpio", "rpigpio"]

_PART = "header"
# gpiozero's name: its module, its class, and the package that has to be installed for it.
_FACTORIES: dict[Library, tuple[str, str, str]] = {
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory", "lgpio 0.2.2 or later"),
    "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory", "RPi.GPIO (not on a Pi 5, not beside rpi-lgpio)"),
}


def open_pin_factory(name: Library) -> PinFactory:
    """Open the header with that library.

    RPi.GPIO has no edge detection on kernels from 6.6 and does not work on a Pi 5; lgpio works on all.

    Raises `LibraryMissing` if it is not installed, `DeviceMissing` if this is no Raspberry Pi or this user may
    not open the header.
    """
    module, factory, package = _FACTORIES[name]
    try:
        # An outdated lgpio (0.0.0.2) installs, but is empty: then gpiozero misses its attributes.
        make = getattr(import_module(module), factory)
    except (ImportError, AttributeError) as error:
        raise LibraryMissing(_PART, expected=package, seen=str(error)) from error
    except RuntimeError as error:
        raise DeviceMissing(_PART, expected="the header of a Raspberry Pi", seen=str(error)) from error
    refusals: tuple[type[BaseException], ...] = (OSError, RuntimeError, *_own_errors(name))
    try:
        pins: PinFactory = make()
    except refusals as error:
        raise DeviceMissing(_PART, expected="the header of a Raspberry Pi", seen=str(error)) from error
    return pins


def _own_errors(name: Library) -> tuple[type[Exception], ...]:
    """The exceptions a library keeps to itself: lgpio raises its own `error`, a plain `Exception`."""
    return (import_module("lgpio").error,) if name == "lgpio" else ()
