"""Consoles for people: answers and tables on standard output, all other words on standard error.

A program that pipes the answers on still shows its reader the words.
A file of its own, since Rich is half of what a help page would load.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text


class _Terminal(Console):
    def on_broken_pipe(self) -> None:
        """Whoever read our words has enough; the work goes on without them."""
        self.quiet = True


class _Sentences(_Terminal):
    def print(self, *objects: Any, **how: Any) -> None:
        """At a terminal a sentence is broken between words; in a pipe or a file it stays one line."""
        super().print(*objects, **{"soft_wrap": not self.is_terminal, **how})

    def print_indented(self, sentence: str, by: int) -> None:
        """A sentence that stays indented by so many characters where it is broken."""
        line = Padding(Text(sentence), (0, 0, 0, by), expand=False)
        self.print(line if self.is_terminal else Text(" " * by + sentence))


# Nothing is put in place of what stands there: `a:dog:.jpg` is the name of a file.
words = _Sentences(stderr=True, highlight=False, emoji=False)
answers = _Sentences(highlight=False, emoji=False)
table = _Terminal(highlight=False, emoji=False)


def say(line: str, style: str = "") -> None:
    """Print a line for the person at the terminal, on standard error."""
    words.print(line, style=style, markup=False)


def print_part(part: RenderableType) -> None:
    """Print a part of an answer on standard output: a table, or a line."""
    if isinstance(part, str):
        answers.print(part, markup=False)
    else:
        table.print(part)


class _Warnings(logging.Handler):
    """Prints what is logged, for a person at a terminal who looks into no log."""

    def emit(self, record: logging.LogRecord) -> None:
        say(self.format(record), "yellow")


@contextmanager
def show_warnings(*but: str) -> Iterator[None]:
    """Print what is logged as a warning, or worse, while the block runs; not what is logged in the packages `but`."""
    handler, root = _Warnings(logging.WARNING), logging.getLogger()
    handler.addFilter(lambda record: not record.name.startswith(tuple(f"{package}." for package in but)))
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
