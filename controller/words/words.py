"""The words of one language: of messages, by their key, and of whatever else is written in English in this program."""

from collections.abc import Iterable, Sequence
from functools import cache
from gettext import NullTranslations
from typing import Literal, get_args

from controller.game import Message

Language = Literal["en", "de", "fr"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
DEFAULT_LANGUAGE: Language = "en"


class Words:
    """All words in one language.

    catalogue: from English to that language. direction: in which its lines are read.
    """

    def __init__(self, language: str, catalogue: NullTranslations, direction: Literal["ltr", "rtl"] = "ltr") -> None:
        self.language = language
        self.direction = direction
        self._catalogue = catalogue

    def say(self, message: Message) -> str:
        """A message of the game as a sentence; in English where this language has none for its key."""
        return message.text

    def say_all(self, messages: Iterable[Message]) -> str:
        """What messages say together."""
        return " ".join(map(self.say, messages))

    def gettext(self, text: str) -> str:
        """The translation of an English text; the text itself where there is none."""
        return self._catalogue.gettext(text)

    def ngettext(self, one: str, many: str, number: int) -> str:
        """The translation of the form that goes with a number."""
        return self._catalogue.ngettext(one, many, number)


@cache
def words_in(language: Language) -> Words:
    """The words of a language."""
    return Words(language, NullTranslations())


def choose_language(wanted: Sequence[str]) -> Language:
    """The first of the `wanted` languages (`de`, `de-CH`) that this program speaks; English for none."""
    for each in wanted:
        for language in LANGUAGES:
            if each.strip().lower().partition("-")[0] == language:
                return language
    return DEFAULT_LANGUAGE
