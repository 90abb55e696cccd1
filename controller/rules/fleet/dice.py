"""Some of a player's six dice, as they lie: a throw, or what is kept of it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Self

from controller.rules.errors import InvalidNotation
from controller.rules.fleet.faces import FACES, JOKER, JOKER_NAME, NUMBERS, Face
from controller.rules.throw import words_of

# "each competitor takes one of the six sets ... of dice, choosing six dice of the same color" (S003, Play of the Game)
SET_SIZE = 6


@dataclass(frozen=True, slots=True, order=True)
class Dice:
    """The faces of 0 to 6 dice in ascending order, jokers last. Which die of a set shows which face does not matter.

    Raises `InvalidNotation` for a face that no die has, and for more than six of them.
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
        """Read `2,2,3,joker` or `2 2 3 joker`; the joker may also be called `joker`. Raises `InvalidNotation`."""
        return cls.of_words(words_of(text), joker) if text.strip() else cls()

    @classmethod
    def of_words(cls, words: Iterable[object], joker: str = JOKER_NAME) -> Self:
        """The dice of one word or number each. Raises `InvalidNotation`."""
        return cls(tuple(_face_of(word, joker) for word in words))

    @classmethod
    def of_counts(cls, counts: Iterable[int]) -> Self:
        """As many dice of each of `FACES` as its place in `counts` says."""
        return cls(tuple(face for face, count in zip(FACES, counts, strict=True) for _ in range(count)))

    @property
    def counts(self) -> tuple[int, ...]:
        """How many dice show each of `FACES`, in that order: shape (6,), each 0..6."""
        return tuple(map(self.faces.count, FACES))

    @property
    def jokers(self) -> int:
        """How many of them are jokers."""
        return self.faces.count(JOKER)

    @property
    def numbers(self) -> tuple[int, ...]:
        """How many dice show each of `NUMBERS`: shape (5,), each 0..6."""
        return tuple(map(self.faces.count, NUMBERS))

    @property
    def parts(self) -> Iterator["Dice"]:
        """Every choice of some of these dice, each once: from none to all."""
        return map(Dice.of_counts, product(*(range(count + 1) for count in self.counts)))

    @property
    def plain(self) -> list[int | str]:
        """The faces as an answer has them: numbers, and `"joker"`."""
        return [JOKER_NAME if face == JOKER else face for face in self.faces]

    def tell(self, joker: str = JOKER_NAME) -> str:
        """The faces as one says them, jokers first and by their picture: `boat boat 2 5`."""
        told = [str(face) for face in self.faces if face != JOKER]
        return " ".join([joker] * self.jokers + told)

    def __len__(self) -> int:
        return len(self.faces)

    def __add__(self, other: "Dice") -> "Dice":
        return Dice(self.faces + other.faces)

    def __sub__(self, other: "Dice") -> "Dice":
        """These without `other`, which are among them. Raises `ValueError` where they are not."""
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
