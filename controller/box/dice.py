"""The dice that the camera of a box reads: pips, a set taught on this box, or the dice of Fleet! and Flash!.

The dice of Fleet! and Flash! have several colours, each with five numbers and a joker. On a simulated box they need no
teaching.
"""

from typing import TYPE_CHECKING

from controller.settings import Home

if TYPE_CHECKING:
    from vision.taught.faces import DiceSet


def load_dice(home: Home, name: str) -> "DiceSet | None":
    """Load the taught set of this name; None for pips, which need no teaching.

    Raises `BadDice` for a set that is missing or damaged.
    """
    # Imported here because a daemon at rest must not load the code that reads pictures.
    from vision.taught.dice_folder import DiceFolder
    from vision.taught.kinds import PIPS

    return None if name == PIPS else DiceFolder(home.data).load(name)
