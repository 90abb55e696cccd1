"""Lists and numbers as people write them, in whatever language, and what can put a text into one."""

from collections.abc import Iterable
from typing import Protocol

from controller.game.core.english import percent


class Translator(Protocol):
    """Gives the translation of an English text."""

    def gettext(self, text: str, /) -> str:
        """The translation of a text; the text itself where there is none."""


class ContextTranslator(Translator, Protocol):
    """Gives the translation of texts that mean something else elsewhere, too."""

    def pgettext(self, context: str, text: str, /) -> str:
        """The translation of a text in a context."""


def list_all(translator: Translator, words: Iterable[str]) -> str:
    """Several things: `a`, `a and b`, `a, b and c`; nothing for none."""
    return _join(words, translator.gettext("{first} and {last}"))


def list_any(translator: Translator, words: Iterable[str]) -> str:
    """A choice: `a`, `a or b`, `a, b or c`; nothing for none."""
    return _join(words, translator.gettext("{first} or {last}"))


def write_decimal(words: ContextTranslator, number: str) -> str:
    """A number with a decimal point, as the language writes it."""
    return number.replace(".", words.pgettext("between whole number and tenths", "."))


def write_share(words: ContextTranslator, share: float) -> str:
    """A share of one in hundredths, as the language writes it."""
    text = percent(share)
    ends = {"under 0.1 %": words.gettext("under 0.1 %"), "over 99.9 %": words.gettext("over 99.9 %")}
    return ends.get(text) or write_decimal(words, text)


def _join(words: Iterable[str], template: str) -> str:
    *first, last = [*words] or [""]
    return template.format(first=", ".join(first), last=last) if first else last
