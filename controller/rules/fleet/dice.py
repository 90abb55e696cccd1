"""Dice of one player, as they lie: a throw, or the dice kept of it; and the dice of a claim, by their colour."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, Self

from controller.rules.errors import InvalidNotation
from controller.rules.throw import words_of

Face = int

# The six faces of a die: five numbers and the joker (S003, "DETAILED DESCRIPTION", FIG. 2).
NUMBERS: tuple[Face, ...] = (2, 3, 4, 5, 6)

# Greater than every number, so that jokers come last in a throw. No rule calculates with it.
JOKER: Face = 7

FACES = (*NUMBERS, JOKER)

# The name of the joker in questions and answers, whatever is drawn on it.
JOKER_NAME = "joker"


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


Kind = Literal["stranger", "not_laid", "too_many", "mixed", "too_few"]


@dataclass(frozen=True, slots=True, order=True)
class LaidDie:
    """One die on the baize: its colour, which identifies its owner, and the face that it shows."""

    colour: str
    face: Face


@dataclass(frozen=True, slots=True)
class ClaimFault:
    """The reason why the dice on the baize are not the claimant's six dice.

    kind: `stranger`: dice of a colour that nobody plays with.
        `not_laid`: no dice of the claimant.
        `too_many`: more than six of them.
        `mixed`: dice of another player among them. Six dice of another player are a claim of their own, not a fault.
        `too_few`: fewer than six, and nothing else is wrong.
    counts: the colours concerned and the number of dice of each: the unknown colours for `stranger`; the claimant's
        and then the other players' for `mixed`; else the claimant's alone (0 for `not_laid`).
    """

    kind: Kind
    counts: tuple[tuple[str, int], ...]

    @property
    def colours(self) -> tuple[str, ...]:
        return tuple(colour for colour, _ in self.counts)


def sort_claim(laid: Sequence[LaidDie], colour: str, colours: Sequence[str]) -> Dice | ClaimFault:
    """Return the six dice of the claimant's `colour` among the dice on the baize, or the fault in the claim.

    "each competitor takes one of the six sets ... of dice, choosing six dice of the same color" (S003, Play of the
    Game)

    colours: the colours of all players in this game, including the claimant's. Raises `ValueError` if `colour` is not
    among them.
    """
    # Faults are in the order in which people have to correct them.
    if colour not in colours:
        raise ValueError(f"nobody plays with {colour}: the colours are {', '.join(colours)}")
    found = Counter(die.colour for die in laid)
    own = found[colour]
    strange = tuple((each, count) for each, count in found.items() if each not in colours)
    if strange:
        return ClaimFault("stranger", strange)
    if not own:
        return ClaimFault("not_laid", ((colour, 0),))
    if own > SET_SIZE:
        return ClaimFault("too_many", ((colour, own),))
    among = tuple((each, found[each]) for each in colours if each != colour and found[each] not in (0, SET_SIZE))
    if among:
        return ClaimFault("mixed", ((colour, own), *among))
    if own < SET_SIZE:
        return ClaimFault("too_few", ((colour, own),))
    return Dice(tuple(die.face for die in laid if die.colour == colour))
