"""The dice of Fleet! and Flash! on a simulated box, which nobody has to teach."""

# A room, not names of it: its pictures are loaded with the first claim that is read.
import vision.sim
from controller.box.claim_dice import ClaimDice, ClaimSet
from controller.rules.fleet import JOKER, NUMBERS
from hardware.sim import CLAIM_COLOURS, JOKER_VALUE


def simulated_claims(joker: str) -> ClaimSet:
    """The dice of a simulated box, with this picture (boat, bolt) as their joker."""
    faces = {JOKER_VALUE: JOKER, **{number: number for number in NUMBERS}}
    return ClaimSet(ClaimDice(CLAIM_COLOURS, faces), lambda: vision.sim.load_claim_set(joker))
