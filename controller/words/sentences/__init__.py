"""The sentence of every message in another language than English: a function of its arguments for each key."""

from collections.abc import Mapping

from controller.game import MessageKey
from controller.words.sentences.plain import PLAIN
from controller.words.sentences.results import RESULTS
from controller.words.sentences.service import SERVICE, fault_texts
from controller.words.sentences.throws import THROWS
from controller.words.sentences.tiles import TILES
from controller.words.speech import Sentence

SENTENCES: Mapping[MessageKey, Sentence] = {**PLAIN, **RESULTS, **SERVICE, **THROWS, **TILES}

__all__ = ["SENTENCES", "fault_texts"]
