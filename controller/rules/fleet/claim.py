"""The dice of a claim: the claimant's six dice on the baize, recognised by their colour, or why there is no claim."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from controller.rules.fleet.dice import SET_SIZE, Dice
from controller.rules.fleet.faces import Face

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

    colours: those of all players in this game, with the claimant's. Raises `ValueError` if that is missing.
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
