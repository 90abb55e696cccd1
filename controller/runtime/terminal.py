"""Consoles for people: answers and tables on standard output, everything else on standard error.

So the messages stay visible when the answers are piped into another program. Only this file imports Rich, which would
be half of what a help page loads.
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
        """Print nothing more: the reader of the pipe is gone, and the work continues."""
        self.quiet = True


class _Sentences(_Terminal):
    def print(self, *objects: Any, **how: Any) -> None:
        """Print sentences, wrapped between words at a terminal; in a pipe or a file each stays one line."""
        super().print(*objects, **{"soft_wrap": not self.is_terminal, **how})

    def print_indented(self, sentence: str, by: int) -> None:
        """Print a sentence indented by `by` characters, also where it is wrapped."""
        line = Padding(Text(sentence), (0, 0, 0, by), expand=False)
        self.print(line if self.is_terminal else Text(" " * by + sentence))


# Text is never replaced: `a:dog:.jpg` is the name of a file, not an emoji.
words = _Sentences(stderr=True, highlight=False, emoji=False)
answers = _Sentences(highlight=False, emoji=False)
table = _Terminal(highlight=False, emoji=False)


def say(line: str, style: str = "") -> None:
    """Print a line for people, on standard error."""
    words.print(line, style=style, markup=False)


def print_part(part: RenderableType) -> None:
    """Print a part of an answer on standard output: a table, or a line."""
    if isinstance(part, str):
        answers.print(part, markup=False)
    else:
        table.print(part)


class _Warnings(logging.Handler):
    """Prints log records, for a person at a terminal who does not read the log."""

    def emit(self, record: logging.LogRecord) -> None:
        say(self.format(record), "yellow")


@contextmanager
def show_warnings(*but: str) -> Iterator[None]:
    """Print logged warnings and errors during the block, except those of the packages `but`."""
    handler, root = _Warnings(logging.WARNING), logging.getLogger()
    handler.addFilter(lambda record: not record.name.startswith(tuple(f"{package}." for package in but)))
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
