"""What a report that is passed on does not tell: tokens, whose home folder it is and, unless asked for, who plays."""

import re
from collections.abc import Iterable
from pathlib import Path

_TOKEN = re.compile(r"(?<![\w-])(?=[\w-]*[0-9A-Z])[\w-]{32,}(?![\w-])", re.ASCII)  # those of seats, and their digests
_HOME = re.compile(r"/home/[^/\s'\",;:]+")


class Mask:
    """Replaces people by `player 1` and so on, everywhere by the same number, home folders by `~`, tokens by a word.

    names: the people, in the order of their numbers.
    """

    def __init__(self, names: Iterable[str]) -> None:
        spelled = list(dict.fromkeys(names))
        numbers = {name.casefold(): number for number, name in enumerate(spelled, 1)}
        longest_first = sorted(spelled, key=len, reverse=True)
        self._numbers = {f"name{at}": numbers[name.casefold()] for at, name in enumerate(longest_first)}
        # What is found says by its group whose name it is: signs may be equal but for their case in more than one way.
        groups = "|".join(f"(?P<name{at}>{re.escape(name)})" for at, name in enumerate(longest_first))
        self._names = re.compile(rf"(?<!\w)(?:{groups})(?!\w)", re.IGNORECASE)
        self._home = str(Path.home())

    def hide(self, line: str) -> str:
        """The line as it may be passed on."""
        hidden = _HOME.sub("~", _replace_folder(line, self._home))
        hidden = _TOKEN.sub("(removed)", hidden)
        return self._names.sub(self._number_of, hidden) if self._numbers else hidden

    def _number_of(self, found: re.Match[str]) -> str:
        return f"player {self._numbers[found.lastgroup or '']}"


def _replace_folder(line: str, home: str) -> str:
    return line.replace(home, "~") if home != "/" else line
