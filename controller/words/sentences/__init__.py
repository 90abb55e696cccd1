"""The sentence of every message: a function of its arguments for each key."""

from collections.abc import Mapping

from controller.game import MessageKey
from controller.words.sentences.motives import MOTIVES
from controller.words.sentences.plain import PLAIN
from controller.words.sentences.races import RACES
from controller.words.sentences.results import RESULTS
from controller.words.sentences.service import SERVICE, fault_texts
from controller.words.sentences.throws import THROWS
from controller.words.sentences.tiles import TILES
from controller.words.speech import Sentence

SENTENCES: Mapping[MessageKey, Sentence] = {
    **PLAIN,
    **MOTIVES,
    **RACES,
    **RESULTS,
    **SERVICE,
    **THROWS,
    **TILES,
}

# In English the core composes its sentences itself; but these name tiles as they are typed, or bear codes.
FOR_TERMINALS: frozenset[MessageKey] = frozenset(
    (*TILES, "choice.made", "choice.explained", "choice.undone", "hand.wrong", "game.halted", "fault", "job.under_way")
)

__all__ = ["FOR_TERMINALS", "SENTENCES", "fault_texts"]
