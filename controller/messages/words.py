"""The words of one language: of messages, by their key, and of whatever else is written in English in this program."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from gettext import NullTranslations, translation
from importlib.resources import as_file, files
from typing import Literal, get_args

from controller.game.core.message import Language, Message, MessageKey, Messages
from controller.game.table.snapshot import Snapshot, TileView
from controller.messages.box import BOX
from controller.messages.faults import FAULTS, fault_texts
from controller.messages.races import RACES
from controller.messages.refusals import explain_code, explain_name
from controller.messages.results import RESULTS
from controller.messages.speech import PlacedNames, Sentence, Speech, typed_names
from controller.messages.throws import THROWS
from controller.messages.tiles import TILES
from controller.messages.writing import list_all, list_any, write_decimal, write_share
from controller.rules.fleet.cards import CARDS
from controller.rules.shutbox.games import GAMES
from hardware.phrase import Phrase

LANGUAGES: tuple[Language, ...] = get_args(Language)
DEFAULT_LANGUAGE: Language = "en"
# As those call them who speak them.
LANGUAGE_NAMES: Mapping[Language, str] = {"en": "English", "de": "Deutsch", "fr": "Français"}


def choose_language(wanted: Iterable[str]) -> Language:
    """The first of the `wanted` languages (`de`, `de-CH`) that this program speaks; English for none."""
    for each in wanted:
        for language in LANGUAGES:
            if each.strip().lower().partition("-")[0] == language:
                return language
    return DEFAULT_LANGUAGE


def accepted_languages(header: str) -> list[str]:
    """The languages of an `Accept-Language` header, those that are liked best first; refused ones left out."""
    weighed = []
    for each in header.split(","):
        tag, _, parameter = each.partition(";")
        name, _, value = parameter.replace(" ", "").partition("=")
        weight = 1.0
        if name.lower() == "q":
            # The form of RFC 9110: any other float that Python reads, as nan, would have no place in an order.
            weight = float(value) if value.replace(".", "", 1).isdecimal() and value.isascii() else 0.0
        weighed.append((weight, tag.strip()))
    return [tag for weight, tag in sorted(weighed, key=lambda pair: -pair[0]) if weight > 0]


DOMAIN = "shutbox"  # of the catalogues in locale/
_HERE = __name__.rpartition(".")[0]

# The sentence of every message: a function of its arguments for each key.
SENTENCES: Mapping[MessageKey, Sentence] = {**BOX, **FAULTS, **RACES, **RESULTS, **THROWS, **TILES}


class Words:
    """All words in one language.

    catalogue: from English to that language. direction: the direction in which the language is read.
    """

    def __init__(self, language: str, catalogue: NullTranslations, direction: Literal["ltr", "rtl"] = "ltr") -> None:
        self.language = language
        self.direction = direction
        self._catalogue = catalogue

    def say(self, message: Message, tiles: Iterable[TileView] = ()) -> str:
        """Return a message of the game as a sentence. tiles: those of the table, which are called by their marks."""
        return SENTENCES[message.key](Speech(message, self._catalogue, PlacedNames(tiles)))

    def called(self, message: Message) -> str:
        """Return a throw as a caller says it: `Ann: 5 and 3.`"""
        speech = Speech(message, self._catalogue, PlacedNames())
        return speech.fill(self.pgettext("a caller's sentence", "{player}: {faces}."))

    def say_all(self, messages: Iterable[Message], tiles: Iterable[TileView] = ()) -> str:
        """Return what messages say together."""
        known = tuple(tiles)
        return " ".join(self.say(message, known) for message in messages)

    def say_at_terminal(self, messages: Iterable[Message], tiles: Iterable[TileView] = ()) -> str:
        """Return what messages say together at a terminal: in English tiles are named there as they are typed."""
        names = typed_names if self.language == DEFAULT_LANGUAGE else PlacedNames(tiles)
        speeches = ((each.key, Speech(each, self._catalogue, names, at_terminal=True)) for each in messages)
        return " ".join(SENTENCES[key](speech) for key, speech in speeches)

    def refuse(self, code: str, line: str) -> str:
        """A refusal: its English `line`, or what its code says in another language, as a sentence."""
        return line if self.language == DEFAULT_LANGUAGE else self.explain(code)

    def refuse_name(self, name: str, why: str) -> str:
        """Why a name of a player is refused, as a sentence."""
        return explain_name(name, why, self.gettext)

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

    def translate(self, text: str) -> str:
        """Return a phrase of guided work in this language, with the phrases that fill it; other texts as they are."""
        if not isinstance(text, Phrase):
            return text
        arguments = text.arguments.items()
        filled = {name: self.translate(each) if isinstance(each, Phrase) else each for name, each in arguments}
        return self.gettext(text.template).format(**filled)

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
    return load_words(language)


def load_words(language: Language) -> Words:
    """Read the catalogue of a language; English needs none."""
    if language == DEFAULT_LANGUAGE:
        return Words(language, NullTranslations())
    with as_file(files(_HERE).joinpath("locale")) as folder:
        return Words(language, translation(DOMAIN, folder, [language]))


ENGLISH = words_in(DEFAULT_LANGUAGE)


def fill_in(snapshot: Snapshot) -> Snapshot:
    """Return the snapshot with the English of its messages, for programs: each text, and what they say together."""
    told = tuple(replace(each, text=ENGLISH.say_at_terminal((each,))) for each in snapshot.messages)
    filled = replace(snapshot, messages=told)
    return replace(
        filled, say=told[0].text, notice=_join_texts(filled.notice_messages), news=_join_texts(filled.news_messages)
    )


def _join_texts(messages: Messages) -> str:
    return " ".join(message.text for message in messages)


def core_texts() -> Iterator[tuple[str, str]]:
    """Yield context and text of everything that is translated as it is written elsewhere, none twice."""
    summaries = [game.summary for game in GAMES.values()] + [card.summary for card in CARDS.values()]
    yield from dict.fromkeys((*(("", summary) for summary in summaries), *fault_texts()))
