"""What people read, in the language of each: sentences of the game, labels of pages, names of games and faults."""

from controller.settings import Language
from controller.words.names import combination_title, document_title, faces_told, game_title, joker_name, mark_name
from controller.words.options import option_label, option_value, strength_name
from controller.words.words import (
    DEFAULT_LANGUAGE,
    ENGLISH,
    LANGUAGE_NAMES,
    LANGUAGES,
    Words,
    accepted_languages,
    choose_language,
    core_texts,
    fill_in,
    words_in,
)

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
    "fill_in",
    "game_title",
    "joker_name",
    "mark_name",
    "option_label",
    "option_value",
    "strength_name",
    "words_in",
]
