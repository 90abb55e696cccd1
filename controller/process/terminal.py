"""Consoles for people: answers and tables on standard output, all other words on standard error.

A program that pipes the answers on still shows its reader the words.
A file of its own, since Rich is half of what a help page would load.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console


class _Terminal(Console):
    def on_broken_pipe(self) -> None:
        """Whoever read our words has enough; the work goes on without them."""
        self.quiet = True


# With `soft_wrap` a sentence stays one line, which the window wraps by itself; a table is laid out for its width.
words = _Terminal(stderr=True, highlight=False, soft_wrap=True)
answers = _Terminal(highlight=False, soft_wrap=True)
table = _Terminal(highlight=False)


def say(line: str, style: str = "") -> None:
    """Print a line for the person at the terminal, on standard error."""
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
