"""The words of one language: of messages, by their key, and of whatever else is written in English in this program."""

from collections.abc import Iterable
from functools import cache
from gettext import NullTranslations, translation
from importlib.resources import as_file, files
from typing import Literal

from controller.game import Message, TileView, text_of
from controller.settings import Language
from controller.words.language import DEFAULT_LANGUAGE
from controller.words.refusals import explain_code
from controller.words.sentences import FOR_TERMINALS, SENTENCES
from controller.words.speech import Speech
from controller.words.writing import list_all, list_any, write_decimal, write_share

DOMAIN = "shutbox"  # of the catalogues in locale/
_HERE = "controller.words"


class Words:
    """All words in one language.

    catalogue: from English to that language. direction: in which its lines are read.
    """

    def __init__(self, language: str, catalogue: NullTranslations, direction: Literal["ltr", "rtl"] = "ltr") -> None:
        self.language = language
        self.direction = direction
        self._catalogue = catalogue

    def say(self, message: Message, tiles: Iterable[TileView] = ()) -> str:
        """A message of the game as a sentence.

        tiles: those of the table, so that a tile is called by what stands on it. English has the core's own sentence,
        unless that is one for terminals.
        """
        if self.language == DEFAULT_LANGUAGE and message.key not in FOR_TERMINALS:
            return message.text
        speech = Speech(message, self._catalogue, {tile.name: tile for tile in tiles})
        return SENTENCES[message.key](speech)

    def say_all(self, messages: Iterable[Message], tiles: Iterable[TileView] = ()) -> str:
        """What messages say together."""
        known = tuple(tiles)
        return " ".join(self.say(message, known) for message in messages)

    def say_at_terminal(self, messages: Iterable[Message], tiles: Iterable[TileView] = ()) -> str:
        """What messages say together where tiles are typed by their names: in English with these, and with codes."""
        if self.language == DEFAULT_LANGUAGE:
            return text_of(messages)
        return self.say_all(messages, tiles)

    def refuse(self, code: str, line: str) -> str:
        """A refusal: its English `line`, or what its code says in another language, as a sentence."""
        return line if self.language == DEFAULT_LANGUAGE else self.explain(code)

    def explain(self, code: str) -> str:
        """What the code of a refusal says by itself, as a sentence."""
        return explain_code(code, self.gettext)

    def all_of(self, words: Iterable[str]) -> str:
        """Several things as one says them: `a`, `a and b`, `a, b and c`."""
        return list_all(self, words)

    def one_of(self, words: Iterable[str]) -> str:
        """A choice as one says it: `a`, `a or b`, `a, b or c`."""
        return list_any(self, words)

    def decimal(self, number: str) -> str:
        """A number with a decimal point, as the language writes it."""
        return write_decimal(self, number)

    def share(self, share: float) -> str:
        """A share of one in hundredths, as the language writes it."""
        return write_share(self, share)

    def gettext(self, text: str) -> str:
        """The translation of an English text; the text itself where there is none."""
        return self._catalogue.gettext(text)

    def ngettext(self, one: str, many: str, number: int) -> str:
        """The translation of the form that goes with a number."""
        return self._catalogue.ngettext(one, many, number)

    def pgettext(self, context: str, text: str) -> str:
        """The translation of a text that means something else elsewhere."""
        return self._catalogue.pgettext(context, text)

    def npgettext(self, context: str, one: str, many: str, number: int) -> str:
        """The same, of the form that goes with a number."""
        return self._catalogue.npgettext(context, one, many, number)


@cache
def words_in(language: Language) -> Words:
    """The words of a language."""
    return load_words(language)


def load_words(language: Language) -> Words:
    """Read the catalogue of a language; English needs none."""
    if language == DEFAULT_LANGUAGE:
        return Words(language, NullTranslations())
    with as_file(files(_HERE).joinpath("locale")) as folder:
        return Words(language, translation(DOMAIN, folder, [language]))


ENGLISH = words_in(DEFAULT_LANGUAGE)
