"""The dice that the camera of a box reads: pips, or one of the sets that were taught on it."""

from controller.settings import Home
from vision.taught import PIPS, DiceFolder, TaughtSet


def load_dice(home: Home, name: str) -> TaughtSet | None:
    """Load the taught set of this name; None for pips, which nobody needs to teach.

    Raises `BadDice` for a set that is not there or is damaged.
    """
    return None if name == PIPS else DiceFolder(home.data).load(name)
