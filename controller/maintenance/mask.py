"""Remove private data from a report that is passed on: tokens, home folders and, unless asked for, players' names."""

import re
from collections.abc import Iterable
from pathlib import Path

_TOKEN = re.compile(r"(?<![\w-])(?=[\w-]*[0-9A-Z])[\w-]{32,}(?![\w-])", re.ASCII)  # tokens of seats, and digests
_HOME = re.compile(r"/home/[^/\s'\",;:]+")


class Redaction:
    """Replaces names by `player 1` and so on, always the same number for a name, home folders by `~`, tokens by a word.

    names: the people, in the order of their numbers.
    """

    def __init__(self, names: Iterable[str]) -> None:
        spelled = list(dict.fromkeys(names))
        numbers = {name.casefold(): number for number, name in enumerate(spelled, 1)}
        longest_first = sorted(spelled, key=len, reverse=True)
        self._numbers = {f"name{at}": numbers[name.casefold()] for at, name in enumerate(longest_first)}
        # The matched group identifies the name, because casefold and IGNORECASE do not agree for every character.
        groups = "|".join(f"(?P<name{at}>{re.escape(name)})" for at, name in enumerate(longest_first))
        self._names = re.compile(rf"(?<!\w)(?:{groups})(?!\w)", re.IGNORECASE)
        self._home = str(Path.home())

    def hide(self, line: str) -> str:
        """Return the line without private data."""
        hidden = line.replace(self._home, "~") if self._home != "/" else line
        hidden = _TOKEN.sub("(removed)", _HOME.sub("~", hidden))
        if not self._numbers:
            return hidden
        return self._names.sub(lambda found: f"player {self._numbers[found.lastgroup or '']}", hidden)
