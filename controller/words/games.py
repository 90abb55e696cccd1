"""The names by which people call the games, and the documents that these come from."""

from controller.words.translator import Translator


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
