"""The dice of Fleet! and Flash! on this box: taught dice of several colours, that bear five numbers and a joker."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from controller.rules.fleet import JOKER, NUMBERS, Face, LaidDie

if TYPE_CHECKING:
    from vision.reading import Reading
    from vision.taught import TaughtSet

_JOKERS = ("boat", "bolt", "joker")
_LEAST_COLOURS = 2


@dataclass(frozen=True, slots=True)
class ClaimDice:
    """The dice that claims are made with.

    colours: the names of the taught bodies, in their order; each may be a player's. faces: what the values of a
    reading stand for.
    """

    colours: tuple[str, ...]
    faces: Mapping[int, Face]

    def laid(self, reading: "Reading") -> tuple[LaidDie, ...]:
        """The dice of a reading of claims, from left to right; of a refusal none."""
        return tuple(LaidDie(die.colour, self.faces[die.value]) for die in reading.dice)


@dataclass(frozen=True, slots=True)
class ClaimSet:
    """Dice that claims are made with, and how what was taught of them is loaded, once a claim is read."""

    dice: ClaimDice
    load: "Callable[[], TaughtSet]"

    @classmethod
    def taught(cls, taught: "TaughtSet") -> "ClaimSet | None":
        """A set that is loaded already; None where no claims can be made with it."""
        dice = claim_dice_of(taught)
        return cls(dice, lambda: taught) if dice is not None else None


def claim_dice_of(taught: "TaughtSet") -> ClaimDice | None:
    """The dice of a taught set, if claims can be made with them: 2 to 6 and a joker, in two colours or more."""
    faces = {face.value: _face_of(face.label) for face in taught.faces}
    known = {value: face for value, face in faces.items() if face is not None}
    if sorted(known.values()) != [*NUMBERS, JOKER] or len(known) < len(faces) or len(taught.bodies) < _LEAST_COLOURS:
        return None
    return ClaimDice(tuple(body.name for body in taught.bodies), known)


def _face_of(label: str) -> Face | None:
    """The face that a label such as `2` or `boat` names; None for any other."""
    if label.casefold() in _JOKERS:
        return JOKER
    return next((number for number in NUMBERS if label == str(number)), None)
