"""What people read, in the language of each: sentences of the game, labels of pages, names of games and faults."""

from controller.settings import Language
from controller.words.combinations import combination_title, faces_told, joker_name
from controller.words.core_texts import core_texts
from controller.words.games import document_title, game_title
from controller.words.language import (
    DEFAULT_LANGUAGE,
    LANGUAGE_NAMES,
    LANGUAGES,
    accepted_languages,
    choose_language,
)
from controller.words.marks import mark_name
from controller.words.options import option_label, option_value, strength_name
from controller.words.words import ENGLISH, Words, words_in

__all__ = [
    "DEFAULT_LANGUAGE",
    "ENGLISH",
    "LANGUAGES",
    "LANGUAGE_NAMES",
    "Language",
    "Words",
    "accepted_languages",
    "choose_language",
    "combination_title",
    "core_texts",
    "document_title",
    "faces_told",
    "game_title",
    "joker_name",
    "mark_name",
    "option_label",
    "option_value",
    "strength_name",
    "words_in",
]
