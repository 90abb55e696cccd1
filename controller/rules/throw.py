"""A throw of the dice: a fact of the game."""

import re
from dataclasses import dataclass
from typing import Self

from controller.rules.errors import InvalidNotation

HIGHEST_FACE = 6  # of the dice of every game but 2012
_MOST_FACES = 20  # the d20 of 2012


@dataclass(frozen=True, slots=True)
class Throw:
    """The faces that were thrown, each 1..20 (the game decides which of them occur), in ascending order."""

    dice: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.dice or any(face not in range(1, _MOST_FACES + 1) for face in self.dice):
            faces = ",".join(map(str, self.dice))
            raise InvalidNotation(f"throw {faces!r}: a die shows 1 to 6, two dice are written 5,3")
        object.__setattr__(self, "dice", tuple(sorted(self.dice)))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `5,3` or `5 3` or `5`. Raises `InvalidNotation`."""
        parts = words_of(text)
        if not all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
            raise InvalidNotation(f"throw {text!r}: a die shows 1 to 6, two dice are written 5,3")
        return cls(tuple(int(part) for part in parts))

    @property
    def total(self) -> int:
        return sum(self.dice)

    def __str__(self) -> str:
        return ",".join(map(str, self.dice))


def words_of(text: str) -> list[str]:
    """Split the text of a throw into words, one for each die."""
    return re.split(r"[\s,]+", text.strip())
