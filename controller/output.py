"""How commands speak: answers on standard output, words on standard error, one line for a wrong call."""

import json
import logging
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from enum import IntEnum
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import track

from hardware.errors import Fault

Thing = TypeVar("Thing")


class _Terminal(Console):
    def on_broken_pipe(self) -> None:
        """Whoever read our words has enough; the work goes on without them."""
        self.quiet = True


words = _Terminal(stderr=True, highlight=False, soft_wrap=True)
answers = _Terminal(highlight=False, soft_wrap=True)
table = _Terminal(highlight=False)


class Exit(IntEnum):
    """Exit statuses: done, the answer is no, the call was wrong."""

    DONE = 0
    NO = 1
    WRONG_CALL = 2


def print_json(value: Mapping[str, Any]) -> None:
    """One JSON object on a line of its own, at once."""
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def counted(things: Sequence[Thing], what: str) -> Iterable[Thing]:
    """The same things one after the other, with a bar where somebody looks at a terminal."""
    return track(things, what, console=words, transient=True, disable=not words.is_terminal)


def fault_json(fault: Fault) -> dict[str, str]:
    """A fault as a program wants it."""
    return asdict(fault)


def say(line: str, style: str = "") -> None:
    """A line for the person at the terminal."""
    words.print(line, style=style, markup=False)


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
