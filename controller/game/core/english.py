"""English as sentences need it, the same wherever the program speaks: lists and plurals."""

from collections.abc import Iterable

_LEAST_SHARE = 0.0005  # below it `57.0 %` would read `0.0 %`


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


def percent(share: float) -> str:
    """A share of one in hundredths: `57.0 %`; what is neither nothing nor all is never told as that."""
    if 0 < share < _LEAST_SHARE:
        return "under 0.1 %"
    return "over 99.9 %" if 1 - _LEAST_SHARE < share < 1 else f"{100 * share:.1f} %"


def as_sentence(text: str) -> str:
    """A refusal as a sentence of its own; what begins with a tile or a number is left as it is."""
    first = text.split(" ", 1)[0].rstrip(",.:;")
    start = text[:1].upper() if first.isalpha() else text[:1]
    return f"{start}{text[1:]}{'' if text.endswith(('.', '?', '!')) else '.'}"


def _join(words: Iterable[str], last_by: str) -> str:
    *first, last = [*words] or [""]
    return f"{', '.join(first)} {last_by} {last}" if first else last
