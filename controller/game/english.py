"""English as sentences need it, the same wherever the program speaks: lists and plurals."""

from collections.abc import Iterable


def join_and(words: Iterable[str]) -> str:
    """A list as one says it: `a`, `a and b`, `a, b and c`; nothing for no words."""
    return _join(words, "and")


def join_or(words: Iterable[str]) -> str:
    """A choice as one says it: `a`, `a or b`, `a, b or c`; nothing for no words."""
    return _join(words, "or")


def plural(number: int, one: str, many: str) -> str:
    """The form that goes with a number: `one` for exactly 1, else `many`."""
    return one if number == 1 else many


def count(number: int, noun: str) -> str:
    """A number of things whose plural ends in s: `1 point`, `2 points`, `0 points`."""
    return f"{number} {plural(number, noun, f'{noun}s')}"


def _join(words: Iterable[str], last_by: str) -> str:
    *first, last = [*words] or [""]
    return f"{', '.join(first)} {last_by} {last}" if first else last
