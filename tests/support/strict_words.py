"""The words of a language that fail where a text has no translation, in place of falling back on English."""

from gettext import NullTranslations, translation
from typing import NoReturn

from controller.messages.words import Words
from tests.support.catalogues import FOLDER


class Untranslated(NullTranslations):
    """What is asked where a catalogue has nothing."""

    def gettext(self, message: str) -> NoReturn:
        raise LookupError(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> NoReturn:
        raise LookupError(msgid1)

    def pgettext(self, context: str, message: str) -> NoReturn:
        raise LookupError(message)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> NoReturn:
        raise LookupError(msgid1)


def strict_words(language: str) -> Words:
    """The words of a language, which fail where English would stand in for them."""
    catalogue = translation("shutbox", FOLDER, [language])
    catalogue.add_fallback(Untranslated())
    return Words(language, catalogue)
