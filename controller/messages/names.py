"""The names by which people call games, documents, combinations, faces and colours."""

from collections.abc import Sequence

from controller.messages.writing import ContextTranslator, Translator
from controller.rules.fleet.dice import JOKER


def game_title(words: Translator, game: str) -> str:
    """The name of a game; its key for one that has none."""
    _ = words.gettext
    titles = {
        "two-level": _("Two Level"),
        "double-shutter": _("Double Shutter"),
        "pub": _("Pub"),
        "traditional": _("Traditional"),
        "maker": _("Maker's rules"),
        "golf": _("Golf"),
        "missionary": _("Missionary"),
        "2-to-go": _("Two to go"),
        "3-to-go": _("Three to go"),
        "3-down-extreme": _("Three down"),
        "lucky-7": _("Lucky 7"),
        "unlucky-7": _("Unlucky 7"),
        "against-all-odds": _("Against all odds"),
        "even-stevens": _("Even Stevens"),
        "full-house": _("Full house"),
        "the-300": _("The 300"),
        "thai": _("Thai style"),
        "digital": _("Digital"),
        "2012": _("2012"),
        "dominoes": _("Dominoes"),
        "fleet": _("Fleet!"),
        "flash": _("Flash!"),
    }
    return titles.get(game, game)


def document_title(words: Translator, document: str) -> str:
    """The name of a document that games come from, as it stands after "as in"; its key for one that has none."""
    _ = words.gettext
    titles = {
        "S000": _("the Two Level patent"),
        "S001": _("the rules of the pubs"),
        "S002": _("the encyclopedia"),
        "S003": _("the Fleet! patent"),
        "S004": _("the maker's rules"),
    }
    return titles.get(document, document)


def combination_title(words: ContextTranslator, name: str, joker: str) -> str:
    """A combination as the sheet calls it; its key for one that has no name. joker: what the sixth face shows."""
    _ = words.gettext
    titles = {
        "all-twos": _("All Twos"),
        "all-threes": _("All Threes"),
        "all-fours": _("All Fours"),
        "all-fives": _("All Fives"),
        "all-sixes": _("All Sixes"),
        "three-pairs": _("Three Pairs"),
        "pair-and-four": _("One Pair and One Four-of-a-Kind"),
        "two-threes": _("Two Three-of-a-Kind"),
        "straight": _("Straight"),
        "six-of-a-kind": _("Six of a Kind"),
        "all-even": _("All Even"),
        "all-odd": _("All Odd"),
    }
    jokers = {"boat": _("All Boats"), "bolt": _("All Bolts")}
    return titles.get(name) or (jokers.get(joker, name) if name == "all-jokers" else name)


def joker_name(words: ContextTranslator, joker: str) -> str:
    """What a joker shows, as it stands among the faces of a throw; its key for a picture that has no name."""
    names = {
        "boat": words.pgettext("on a die", "boat"),
        "bolt": words.pgettext("on a die", "bolt"),
    }
    return names.get(joker, joker)


def faces_told(words: ContextTranslator, faces: Sequence[int], joker: str) -> str:
    """The faces of dice as one says them, jokers first and by their picture: `boat boat 2 5`."""
    numbers = [str(face) for face in faces if face != JOKER]
    return " ".join([joker_name(words, joker)] * (len(faces) - len(numbers)) + numbers)


def mark_name(words: ContextTranslator, mark: str) -> str:
    """The name of a mark: of one that is a colour in English in this language, of any other the mark as it is."""
    # Translators: stands alone, and behind "tile".
    names = {
        "red": words.pgettext("a colour", "red"),
        "orange": words.pgettext("a colour", "orange"),
        "yellow": words.pgettext("a colour", "yellow"),
        "green": words.pgettext("a colour", "green"),
        "turquoise": words.pgettext("a colour", "turquoise"),
        "blue": words.pgettext("a colour", "blue"),
        "purple": words.pgettext("a colour", "purple"),
        "pink": words.pgettext("a colour", "pink"),
        "brown": words.pgettext("a colour", "brown"),
        "black": words.pgettext("a colour", "black"),
        "grey": words.pgettext("a colour", "grey"),
        "white": words.pgettext("a colour", "white"),
        "gold": words.pgettext("a colour", "gold"),
        "silver": words.pgettext("a colour", "silver"),
    }
    return names.get(mark, mark)
