"""What stands on a tile, as people call it: colours have names in every language, all else is the owner's own."""

from controller.words.translator import ContextTranslator


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
