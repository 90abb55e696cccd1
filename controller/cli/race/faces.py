"""Dice as people type them in a race: numbers, and a joker by its picture or by its first letter."""

from collections.abc import Sequence

from controller.cli.not_understood import NotUnderstood
from controller.game.fleet.engine import RaceView
from controller.rules.fleet.faces import JOKER_NAME, NUMBERS
from controller.words.names import joker_name
from controller.words.words import Words

_DIGITS = frozenset(map(str, NUMBERS))


def parse_faces(typed: Sequence[str], race: RaceView, words: Words) -> tuple[int | str, ...]:
    """Parse faces such as `2 2 boat` or `22b`. Raises `NotUnderstood` for a word that is no face of these dice."""
    calls = (JOKER_NAME, race.joker, joker_name(words, race.joker).lower())
    faces: list[int | str] = []
    for word in typed:
        if any(call.startswith(word) for call in calls):
            faces.append(JOKER_NAME)
        elif all(letter in _DIGITS or letter in {call[0] for call in calls} for letter in word):
            faces += (int(letter) if letter in _DIGITS else JOKER_NAME for letter in word)
        else:
            text = words.gettext("{word} is no face of these dice: they show {first} to {last} and {joker}.")
            joker = joker_name(words, race.joker)
            raise NotUnderstood(text.format(word=repr(word), first=NUMBERS[0], last=NUMBERS[-1], joker=joker))
    return tuple(faces)
