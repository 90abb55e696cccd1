"""Dice as somebody types them in a race: numbers, and a joker by its picture or by its first letter."""

import re
from collections.abc import Sequence

from controller.cli.not_understood import NotUnderstood
from controller.game import RaceView
from controller.rules.fleet import JOKER_NAME, NUMBERS
from controller.words import Words, joker_name

_DIGITS = re.compile(r"[2-6]+")


def parse_faces(typed: Sequence[str], race: RaceView, words: Words) -> tuple[int | str, ...]:
    """The faces, `2 2 boat` or `22 b`. Raises `NotUnderstood` for a word that is no face of these dice."""
    faces: list[int | str] = []
    for word in typed:
        if _DIGITS.fullmatch(word):
            faces += map(int, word)
        elif any(call.startswith(word) for call in _calls(race, words)):
            faces.append(JOKER_NAME)
        else:
            joker = joker_name(words, race.joker)
            text = words.gettext("{word} is no face of these dice: they show {first} to {last} and {joker}.")
            told = text.format(word=repr(word), first=NUMBERS[0], last=NUMBERS[-1], joker=joker)
            raise NotUnderstood(told)
    return tuple(faces)


def _calls(race: RaceView, words: Words) -> tuple[str, ...]:
    """What a joker is called."""
    return JOKER_NAME, race.joker, joker_name(words, race.joker).lower()
