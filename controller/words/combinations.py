"""The combinations of a race and the faces of its dice, as people say them."""

from collections.abc import Sequence

from controller.rules.fleet import JOKER
from controller.words.translator import ContextTranslator


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
