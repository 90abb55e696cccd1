"""The texts of the core that are translated as they are, though the core knows of no language: for the catalogues."""

from collections.abc import Iterator

from controller.rules import GAMES
from controller.rules.fleet import CARDS
from controller.words.sentences import fault_texts

NO_CONTEXT = ""


def core_texts() -> Iterator[tuple[str, str]]:
    """Context and text of each, none twice."""
    summaries = [game.summary for game in GAMES.values()] + [card.summary for card in CARDS.values()]
    yield from dict.fromkeys((*((NO_CONTEXT, summary) for summary in summaries), *fault_texts()))
