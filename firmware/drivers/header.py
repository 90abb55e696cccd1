"""Claiming lines of the header: whatever the GPIO libraries raise for a line that is busy becomes `DeviceMissing`."""

from collections.abc import Iterator
from contextlib import contextmanager

from firmware.errors import DeviceMissing


@contextmanager
def claim_lines(lines: str) -> Iterator[None]:
    """Raise `DeviceMissing` where the block cannot get its header lines; `lines` names them for people.

    It catches every exception, since the libraries below gpiozero raise plain ones of their own for a line that is busy
    or not allowed.
    """
    try:
        yield
    except DeviceMissing:
        raise
    except Exception as error:
        raise DeviceMissing("header", expected=f"{lines}, free to use", seen=str(error)) from error
