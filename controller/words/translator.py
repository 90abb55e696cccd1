"""What can put an English text into a language: words themselves, and a message on its way into one."""

from typing import Protocol


class Translator(Protocol):
    """Gives the translation of an English text."""

    def gettext(self, text: str, /) -> str:
        """The translation of a text; the text itself where there is none."""


class ContextTranslator(Translator, Protocol):
    """Gives the translation of texts that mean something else elsewhere, too."""

    def pgettext(self, context: str, text: str, /) -> str:
        """The translation of a text in a context."""
