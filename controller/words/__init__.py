"""What people read, in the language of each: sentences of the game, labels of pages, names of games and faults."""

from controller.words.games import document_title, game_title
from controller.words.options import option_label, option_value, strength_name
from controller.words.words import DEFAULT_LANGUAGE, LANGUAGES, Language, Words, choose_language, words_in

__all__ = [
    "DEFAULT_LANGUAGE",
    "LANGUAGES",
    "Language",
    "Words",
    "choose_language",
    "document_title",
    "game_title",
    "option_label",
    "option_value",
    "strength_name",
    "words_in",
]
