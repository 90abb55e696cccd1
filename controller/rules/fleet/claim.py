"""stub"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from controller.rules.fleet.dice import Dice
from controller.rules.fleet.faces import Face


@dataclass(frozen=True, slots=True)
class LaidDie:
    """A die on the baize."""

    colour: str
    face: Face


@dataclass(frozen=True, slots=True)
class ClaimFault:
    """Why it is no claim."""

    kind: Literal["missing", "too_few", "too_many", "mixed", "stranger"]
    colour: str
    seen: int = 0
    other: str = ""


def sort_claim(laid: Sequence[LaidDie], colour: str, colours: Collection[str]) -> Dice | ClaimFault:
    """The dice."""
    mine = [die.face for die in laid if die.colour == colour]
    if len(mine) != 6:
        return ClaimFault("too_few", colour, len(mine))
    return Dice(tuple(mine))
