"""How commands speak: answers on standard output, words on standard error, one line for a wrong call."""

import json
import logging
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from enum import IntEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any

from hardware.errors import Fault

if TYPE_CHECKING:
    from controller.terminal import answers, counted, table, words
else:
    # Rich is half of what a help page would load. It comes with the first module that asks for a console.
    def __getattr__(name: str) -> object:
        if name in __all__:
            return getattr(import_module("controller.terminal"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["Exit", "answers", "counted", "fault_json", "print_json", "say", "show_warnings", "table", "words"]


class Exit(IntEnum):
    """Exit statuses: done, the answer is no, the call was wrong."""

    DONE = 0
    NO = 1
    WRONG_CALL = 2


def print_json(value: Mapping[str, Any]) -> None:
    """One JSON object on a line of its own, at once."""
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def fault_json(fault: Fault) -> dict[str, str]:
    """A fault as a program wants it."""
    return asdict(fault)


def say(line: str, style: str = "") -> None:
    """A line for the person at the terminal."""
    import_module("controller.terminal").words.print(line, style=style, markup=False)


class _Warnings(logging.Handler):
    """Prints what is logged, for a person at a terminal who looks into no log."""

    def emit(self, record: logging.LogRecord) -> None:
        say(self.format(record), "yellow")


@contextmanager
def show_warnings() -> Iterator[None]:
    """Print what is logged as a warning, or worse, while the block runs."""
    handler, root = _Warnings(logging.WARNING), logging.getLogger()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
