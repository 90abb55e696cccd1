"""The dice of Fleet! and Flash! on a simulated box, which need no teaching."""

from typing import TYPE_CHECKING

from controller.box.claim_dice import ClaimDice, ClaimSet
from controller.rules.fleet.faces import JOKER, NUMBERS

if TYPE_CHECKING:
    from vision.taught.faces import DiceSet


def simulated_claim_dice(joker: str) -> ClaimSet:
    """Return the dice of a simulated box with this picture (boat, bolt) as their joker."""
    # Imported here because only a simulated box needs it.
    from hardware.sim.claim_set import CLAIM_COLOURS, JOKER_VALUE

    def load() -> "DiceSet":
        # Imported here because its pictures are needed only when the first claim is read.
        from vision.sim.claims import load_claim_set

        return load_claim_set(joker)

    return ClaimSet(ClaimDice(CLAIM_COLOURS, {JOKER_VALUE: JOKER, **{number: number for number in NUMBERS}}), load)
