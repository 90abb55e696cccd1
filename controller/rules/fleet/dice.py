"""Dice of one player, as they lie: a throw, or the dice kept of it; and the dice of a claim, by their colour."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Self

from controller.rules.errors import InvalidNotation
from controller.rules.fleet.faces import FACES, JOKER, JOKER_NAME, NUMBERS, Face
from controller.rules.throw import words_of

SET_SIZE = 6


@dataclass(frozen=True, slots=True, order=True)
class Dice:
    """The faces of 0 to 6 dice in ascending order, jokers last. It does not matter which die shows which face.

    Raises `InvalidNotation` for a face that no die has, and for more than six dice.
    """

    faces: tuple[Face, ...] = ()

    def __post_init__(self) -> None:
        if any(face not in FACES for face in self.faces):
            raise InvalidNotation(f"dice {self}: a die shows 2 to 6 or a {JOKER_NAME}")
        if len(self.faces) > SET_SIZE:
            raise InvalidNotation(f"dice {self}: a player has {SET_SIZE} of them, not {len(self.faces)}")
        object.__setattr__(self, "faces", tuple(sorted(self.faces)))

    @classmethod
    def parse(cls, text: str, joker: str = JOKER_NAME) -> Self:
        """Parse `2,2,3,joker` or `2 2 3 joker`. joker: its other name, such as `boat`. Raises `InvalidNotation`."""
        return cls.of_words(words_of(text), joker) if text.strip() else cls()

    @classmethod
    def of_words(cls, words: Iterable[object], joker: str = JOKER_NAME) -> Self:
        """Return the dice given by one word or number each. Raises `InvalidNotation`."""
        return cls(tuple(_face_of(word, joker) for word in words))

    @classmethod
    def of_counts(cls, counts: Iterable[int]) -> Self:
        """Return dice with each of `FACES` as often as `counts`, in the same order, says."""
        return cls(tuple(face for face, count in zip(FACES, counts, strict=True) for _ in range(count)))

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of dice that show each of `FACES`: shape (6,), each 0..6."""
        return tuple(map(self.faces.count, FACES))

    @property
    def jokers(self) -> int:
        return self.faces.count(JOKER)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number of dice that show each of `NUMBERS`: shape (5,), each 0..6."""
        return tuple(map(self.faces.count, NUMBERS))

    @property
    def parts(self) -> Iterator["Dice"]:
        """Every selection of these dice, each once: from none to all."""
        return map(Dice.of_counts, product(*(range(count + 1) for count in self.counts)))

    @property
    def plain(self) -> list[int | str]:
        """The faces as JSON values: numbers and `"joker"`."""
        return [JOKER_NAME if face == JOKER else face for face in self.faces]

    def tell(self, joker: str = JOKER_NAME) -> str:
        """Return the faces in words, jokers first and by their picture: `boat boat 2 5`."""
        told = [str(face) for face in self.faces if face != JOKER]
        return " ".join([joker] * self.jokers + told)

    def __len__(self) -> int:
        return len(self.faces)

    def __add__(self, other: "Dice") -> "Dice":
        return Dice(self.faces + other.faces)

    def __sub__(self, other: "Dice") -> "Dice":
        """Return these dice without `other`. Raises `ValueError` unless `other` are among them."""
        left = list(self.faces)
        for face in other.faces:
            left.remove(face)
        return Dice(tuple(left))

    def __str__(self) -> str:
        return ",".join(JOKER_NAME if face == JOKER else str(face) for face in self.faces)


def _face_of(word: object, joker: str) -> Face:
    if isinstance(word, str) and word.lower() in (JOKER_NAME, joker):
        return JOKER
    for number in NUMBERS:
        if str(word) == str(number):
            return number
    names = JOKER_NAME if joker == JOKER_NAME else f"{joker} ({JOKER_NAME})"
    raise InvalidNotation(f"no face {word!r}: a die shows 2 to 6 or a {names}")
