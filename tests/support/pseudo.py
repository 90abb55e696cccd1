"""A language that nobody speaks, in which what is not translated, too narrow or laid out from the left is seen.

Every string is in brackets, longer than the English one by two fifths, with accents, and read from right to left. What
stands in it from outside, such as a name, stays as it is.
"""

import re
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from gettext import NullTranslations
from unittest.mock import patch

from controller.cli.main import main
from controller.messages.words import Words, words_in

_ACCENTS = str.maketrans("aceinouyACEINOUY", "åçéîñöüýÅÇÉÎÑÖÜÝ")
_PLACES = re.compile(r"(%\(\w+\)[sd]|\{\w+\})")
OPENS, CLOSES = "⟦", "⟧"
_STOPS = ".:;!?"
_LONGER, _LONGEST_WORD = 0.4, 8


class PseudoTranslations(NullTranslations):
    """A catalogue that translates every text, and has a plural as English has."""

    def gettext(self, message: str) -> str:
        return disguise(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return disguise(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return disguise(message)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return disguise(msgid1 if n == 1 else msgid2)


def disguise(text: str) -> str:
    """`⟦Gåmés øø⟧` for `Games`: the places of names and numbers stay what they are."""
    said = text.rstrip(_STOPS)
    accented = "".join(part if _PLACES.fullmatch(part) else part.translate(_ACCENTS) for part in _PLACES.split(said))
    # What ends a sentence stays at its end, where pages break it.
    return f"{OPENS}{accented} {_pad(round(len(text) * _LONGER))}{CLOSES}{text[len(said) :]}"


def _pad(length: int) -> str:
    """So many signs, in words that a line may be broken between."""
    return " ".join(textwrap.wrap("ø" * max(1, length), _LONGEST_WORD))


def outside(text: str) -> str:
    """What is left of a text without all that is translated."""
    while text != (shorter := re.sub(f"{OPENS}[^{OPENS}{CLOSES}]*{CLOSES}", "", text)):
        text = shorter
    return text


def pseudo_words(_language: str = "") -> Words:
    """The words of this language, whichever was asked for."""
    return Words("en-XA", PseudoTranslations(), "rtl")


@contextmanager
def pseudo_spoken() -> Iterator[None]:
    """Have whatever is asked for its words in this process answer in this language, as long as the block lasts."""
    words_in.cache_clear()
    try:
        with patch("controller.messages.words.load_words", pseudo_words):
            yield
    finally:
        words_in.cache_clear()


if __name__ == "__main__":
    # The command line in this language: python -m tests.support.pseudo run --mock
    with pseudo_spoken():
        main()
