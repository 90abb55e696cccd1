"""Decide which faces to accept: each is read twice, by its pips and by the network, and both must agree."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Pixels
from vision.pips.face_check import FaceFit
from vision.pips.search import are_apart

TILTED = 7  # class of a die that is not flat; before it come no die (0) and the values 1 to 6

Chances = NDArray[np.float32]
"""The chances of what may lie at a place: (8), adding up to 1, or (n, 8) for n places."""

LIKELY, SURE = 0.3, 0.6  # least chance for a face that passed the firm demands, and for another
_SURE_OF_ONE = 0.85  # any pip may look like the only one
_LEAST = 1e-6  # avoids a division by 0
CROP_PX = 40  # the size that the network was trained on

Slopes = NDArray[np.float32]
"""The camera's position over n places, (n, 2): how far across and near for each mm of height; 0 is straight above."""

FaceClassifier = Callable[[Pixels, Slopes], Chances]
"""Maps crops (n, 40, 40, 3) and the camera's slopes to chances (n, 8)."""


@dataclass(frozen=True, slots=True, eq=False)
class ClassifiedFace:
    """A face as its pips show it, with the network's classes of the same place.

    Where they differ neither is accepted alone; both are kept, and a doubt offers both values.
    """

    face: FaceFit
    chances: Chances

    @property
    def agreement(self) -> float:
        """The network's chance of the value that the pips show."""
        return float(self.chances[self.face.value])

    @property
    def likeliest(self) -> int:
        """The value that the network finds likeliest."""
        return int(np.argmax(self.chances[1:TILTED])) + 1

    @property
    def next_likely(self) -> int:
        """The network's most likely value, other than the one that the pips show."""
        others = self.chances[1:TILTED].copy()
        others[self.face.value - 1] = -1.0
        return int(np.argmax(others)) + 1

    def as_flat(self) -> "ClassifiedFace":
        """Return the same face, known to lie flat: the chance of a tilt is shared out among the other classes."""
        chances = self.chances.copy()
        chances[TILTED] = 0.0
        return replace(self, chances=chances / max(float(chances.sum()), _LEAST))

    @property
    def tilt_chance(self) -> float:
        """The network's chance that the die leans or lies on another."""
        return float(self.chances[TILTED])


def split_by_agreement(dice: Sequence[ClassifiedFace], least: float) -> tuple[list[ClassifiedFace], list[FaceFit]]:
    """Return the dice whose value, or tilt, has at least this chance by the network, and the faces of the others."""
    believed = [max(die.agreement, die.tilt_chance) >= least for die in dice]
    return (
        [die for die, ok in zip(dice, believed, strict=True) if ok],
        [die.face for die, ok in zip(dice, believed, strict=True) if not ok],
    )


def keep_surest(dice: Sequence[ClassifiedFace]) -> list[ClassifiedFace]:
    """Return the dice on whose value the network surely agrees; of those that overlap only the surest."""
    kept: list[ClassifiedFace] = []
    for die in sorted(dice, key=lambda die: -die.agreement):
        enough = _SURE_OF_ONE if die.face.value == 1 else SURE
        if die.agreement >= enough and all(are_apart(die.face, other.face) for other in kept):
            kept.append(die)
    return kept
