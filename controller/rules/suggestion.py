"""Suggestions for a misspelt word."""

from collections.abc import Iterable
from difflib import get_close_matches


def describe_known(known: Iterable[str], word: str, they_are: str) -> str:
    """Return the end of a refusal of `word`: the known name it resembles, then all known names after `they_are`."""
    names = list(known)
    near = get_close_matches(word.lower(), names, n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    return f"{meant}{they_are[0].upper() if near else they_are[0]}{they_are[1:]} {', '.join(names)}"
