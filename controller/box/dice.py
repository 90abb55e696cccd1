"""The dice that the camera of a box reads: pips, a set taught on this box, or the dice of Fleet! and Flash!.

The dice of Fleet! and Flash! have several colours, each with five numbers and a joker. On a simulated box they need no
teaching.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from controller.rules.fleet.dice import JOKER, NUMBERS, Face, LaidDie
from controller.runtime.home import Home

if TYPE_CHECKING:
    from vision.custom_dice.faces import DiceSet
    from vision.reading import Reading


def load_dice(home: Home, name: str) -> "DiceSet | None":
    """Load the taught set of this name; None for pips, which need no teaching.

    Raises `BadDice` for a set that is missing or damaged.
    """
    # Imported here because a daemon at rest must not load the code that reads pictures.
    from vision.custom_dice.storage import DiceFolder
    from vision.reading import PIPS

    return None if name == PIPS else DiceFolder(home.data).load(name)


_JOKERS = ("boat", "bolt", "joker")
_LEAST_COLOURS = 2


@dataclass(frozen=True, slots=True)
class ClaimDice:
    """The dice that claims are made with.

    colours: the names of the taught colours in their order; each player has one.
    faces: the meaning of the values of a reading.
    """

    colours: tuple[str, ...]
    faces: Mapping[int, Face]

    def laid(self, reading: "Reading") -> tuple[LaidDie, ...]:
        """Return the dice of a reading, from left to right; none for a refused one."""
        return tuple(LaidDie(die.colour, self.faces[die.value]) for die in reading.dice)


@dataclass(frozen=True, slots=True)
class ClaimSet:
    """Dice that claims are made with. load: loads the taught set when the first claim is read."""

    dice: ClaimDice
    load: "Callable[[], DiceSet]"

    @classmethod
    def taught(cls, taught: "DiceSet") -> "ClaimSet | None":
        """Wrap a set that is already loaded; return None if no claims can be made with it."""
        dice = claim_dice_of(taught)
        return cls(dice, lambda: taught) if dice is not None else None


def claim_dice_of(taught: "DiceSet") -> ClaimDice | None:
    """Return the dice of a taught set if claims can be made with them: 2 to 6 and a joker, in at least two colours."""
    numbers: dict[str, Face] = {str(number): number for number in NUMBERS}
    faces = {
        face.value: JOKER if face.label.casefold() in _JOKERS else numbers.get(face.label) for face in taught.faces
    }
    known = {value: face for value, face in faces.items() if face is not None}
    if sorted(known.values()) != [*NUMBERS, JOKER] or len(known) < len(faces) or len(taught.bodies) < _LEAST_COLOURS:
        return None
    return ClaimDice(tuple(body.name for body in taught.bodies), known)


def simulated_claim_dice(joker: str) -> ClaimSet:
    """Return the dice of a simulated box with this picture (boat, bolt) as their joker."""
    # Imported here because only a simulated box needs it.
    from hardware.sim.dice import CLAIM_COLOURS, JOKER_VALUE

    def load() -> "DiceSet":
        # Imported here because its pictures are needed only when the first claim is read.
        from vision.sim.custom_dice import load_claim_set

        return load_claim_set(joker)

    return ClaimSet(ClaimDice(CLAIM_COLOURS, {JOKER_VALUE: JOKER, **{number: number for number in NUMBERS}}), load)
