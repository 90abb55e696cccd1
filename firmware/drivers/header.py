"""Taking lines of the header: what the libraries say when they cannot becomes a fault."""

from collections.abc import Iterator
from contextlib import contextmanager

from firmware.errors import DeviceMissing


@contextmanager
def claim_lines(lines: str) -> Iterator[None]:
    """The libraries below gpiozero raise plain exceptions of their own for a line that is busy or not allowed.

    Raises `DeviceMissing`.
    """
    try:
        yield
    except DeviceMissing:
        raise
    except Exception as error:
        raise DeviceMissing("header", expected=f"{lines}, free to use", seen=str(error)) from error
