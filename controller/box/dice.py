"""The dice that the camera of a box reads: pips, or one of the sets that were taught on it."""

from typing import TYPE_CHECKING

import vision.taught
from controller.settings import Home

if TYPE_CHECKING:
    from vision.taught import TaughtSet


def load_dice(home: Home, name: str) -> "TaughtSet | None":
    """Load the taught set of this name; None for pips, which nobody needs to teach.

    Raises `BadDice` for a set that is not there or is damaged.
    """
    return None if name == vision.taught.PIPS else vision.taught.DiceFolder(home.data).load(name)
