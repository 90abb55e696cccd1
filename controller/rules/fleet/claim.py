"""Whose dice lie on the baize: the claimant's six, told by their colour, or why they are no claim.

"each competitor takes one of the six sets ... of dice, choosing six dice of the same color" (S003, Play of the Game)
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from controller.rules.fleet.dice import SET_SIZE, Dice
from controller.rules.fleet.faces import Face

Kind = Literal["stranger", "not_laid", "too_many", "mixed", "too_few"]


@dataclass(frozen=True, slots=True, order=True)
class LaidDie:
    """One die on the baize: its colour, by which it is somebody's, and the face that it shows."""

    colour: str
    face: Face


@dataclass(frozen=True, slots=True)
class ClaimFault:
    """Why what lies there is not the claimant's six dice.

    kind: `stranger`: dice of a colour that nobody plays with; `not_laid`: none of the claimant's; `too_many`: more than
    six of them; `mixed`: some of another colour among them, that are not six, another player's claim beside this one;
    `too_few`: fewer than six, and nothing else is wrong.
    counts: the colours that it is about, and how many dice there are of each: the strangers' for `stranger`, the
    claimant's and then those that are among them for `mixed`, else the claimant's alone (0 for `not_laid`).
    """

    kind: Kind
    counts: tuple[tuple[str, int], ...]

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours that it is about."""
        return tuple(colour for colour, _ in self.counts)


def sort_claim(laid: Sequence[LaidDie], colour: str, colours: Sequence[str]) -> Dice | ClaimFault:
    """The six dice of the claimant's `colour` among those that lie on the baize, or why they are not claimed.

    colours: those of all players in this game, the claimant's too. Raises `ValueError` where it is not among them.

    What is told first is what must be put right whatever else is wrong.
    """
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
