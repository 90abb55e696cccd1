"""The dice of Fleet! and Flash! as the simulated box knows them: six colours, taught from rendered shots.

Nobody has to teach them: the package contains them, one file for each picture of the joker.
`python -m tools.training.claims` makes the files again.
"""

from importlib import resources

from vision.taught.faces import DiceSet
from vision.taught.files import unpack


def load_claim_set(joker: str) -> DiceSet:
    """Load the dice with this picture (boat, bolt) on their sixth face."""
    return unpack((resources.files("vision.sim") / f"claims-{joker}.npz").read_bytes())
