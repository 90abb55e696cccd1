"""What people read, in the language of each: sentences of the game, labels of pages, names of games and faults."""

from controller.words.words import DEFAULT_LANGUAGE, LANGUAGES, Language, Words, choose_language, words_in

__all__ = ["DEFAULT_LANGUAGE", "LANGUAGES", "Language", "Words", "choose_language", "words_in"]
