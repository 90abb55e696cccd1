"""Errors of the rules: what they refuse.

RulesError (ValueError)
├── InvalidNotation   C-201   not a board, a throw or a move at all
├── InvalidOption     C-202   no such game, option or value
└── IllegalMove       C-203   a move, but not on this board with this throw
"""

from collections.abc import Iterable
from difflib import get_close_matches


class RulesError(ValueError):
    """A refusal by the rules; the message is one line that says what is allowed."""

    code = "C-200"


class InvalidNotation(RulesError):
    """A text that is not a board, a throw or a tile of this game."""

    code = "C-201"


class InvalidOption(RulesError):
    """A game, an option or a value that does not exist."""

    code = "C-202"


class IllegalMove(RulesError):
    """A move that the current board and throw do not allow."""

    code = "C-203"


def describe_known(known: Iterable[str], word: str, they_are: str) -> str:
    """Return the end of a refusal of `word`: the known name it resembles, then all known names after `they_are`."""
    names = list(known)
    near = get_close_matches(word.lower(), names, n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    return f"{meant}{they_are[0].upper() if near else they_are[0]}{they_are[1:]} {', '.join(names)}"
