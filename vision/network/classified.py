"""Decides which faces are believed: each is read twice, by its pips and by the network, and both must agree."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.capture import Pixels, cv2
from vision.pips import FaceFit, are_apart

TILTED = 7  # the chance that a die lies there which is not flat; before it those of no die (0) and of 1 to 6

Chances = NDArray[np.float32]
"""The chances of what may lie at a place: (8), adding up to 1, or (n, 8) for n places."""

LIKELY, SURE = 0.3, 0.6  # chance that the network must give a face that stands firm, and one that does not
_SURE_OF_ONE = 0.85  # any pip may be taken for the only one
_LEAST = 1e-6  # no chance is taken for none at all
_SEVERAL, _HARDLY = 2, 0.1  # fewer dice say nothing of where the camera hangs; what leans by less than this is flat
# Where a camera may hang: straight above, and 14, 27 and 37 degrees off it in eight directions.
_AROUND = np.arange(8) * (np.pi / 4)
_SLOPES = np.array(
    [(0.0, 0.0), *((far * np.cos(turn), far * np.sin(turn)) for far in (0.25, 0.5, 0.75) for turn in _AROUND)],
    np.float32,
)
_PERSPECTIVE = 0.3  # by so much the slopes of two dice in a picture may differ from the common one
# ... which is looked at more finely, too.
_FINER = np.array([(x, y) for x in (-0.12, 0.0, 0.12) for y in (-0.12, 0.0, 0.12) if x or y], np.float32)
CROP_PX = 40  # what the network was trained on
_EDGE_PX = 32.0  # a die of 16 mm in a crop of 20 mm

Slopes = NDArray[np.float32]
"""The camera's place over n places, (n, 2): how far across and near for each mm of height; 0 is straight above."""

FaceClassifier = Callable[[Pixels, Slopes | None], Chances]
"""Crops (n, 40, 40, 3) and the camera's slopes, None where nobody knows them, to chances (n, 8)."""


@dataclass(frozen=True, slots=True, eq=False)
class ClassifiedFace:
    """A face as its pips say, with the network's classes of the same place.

    Neither is believed alone where they differ; so both are kept, and a doubt offers both values.
    """

    face: FaceFit
    chances: Chances

    @property
    def agreement(self) -> float:
        """The network's chance of the value that the pips show."""
        return float(self.chances[self.face.value])

    @property
    def likeliest(self) -> int:
        """The value that the network holds for the likeliest."""
        return int(np.argmax(self.chances[1:TILTED])) + 1

    @property
    def next_likely(self) -> int:
        """The value that the network holds for the likeliest if it is not the one that the pips show."""
        others = self.chances[1:TILTED].copy()
        others[self.face.value - 1] = -1.0
        return int(np.argmax(others)) + 1

    def as_flat(self) -> "ClassifiedFace":
        """The same, known to lie flat: the chance that it might not is shared out among the other classes."""
        chances = self.chances.copy()
        chances[TILTED] = 0.0
        return replace(self, chances=chances / max(float(chances.sum()), _LEAST))

    @property
    def tilt_chance(self) -> float:
        """The network's chance that the die leans or lies upon another."""
        return float(self.chances[TILTED])


def classify_faces(
    classify: FaceClassifier, pixels: Pixels, faces: Sequence[FaceFit], least: float
) -> tuple[list[ClassifiedFace], list[FaceFit]]:
    """Classify the faces of a picture of unknown scale; see `split_by_agreement`."""
    edges = np.array([face.edge_px for face in faces])
    chances = classify(crops(pixels, np.array([face.middle for face in faces]).reshape(-1, 2), edges), None)
    return split_by_agreement([ClassifiedFace(face, row) for face, row in zip(faces, chances, strict=True)], least)


def reclassify_from_aside(
    classify: FaceClassifier, pixels: Pixels, dice: Sequence[ClassifiedFace]
) -> list[ClassifiedFace]:
    """The dice of a picture of unknown scale classified anew, as seen from where most of them look flat.

    From aside flat dice show a side, all of them about the same one: a camera that is near sees each of them from a
    little elsewhere. One die alone says nothing of where the camera hangs.
    """
    if len(dice) < _SEVERAL or all(die.tilt_chance < _HARDLY for die in dice):
        return list(dice)
    seen = crops(pixels, np.array([die.face.middle for die in dice]), np.array([die.face.edge_px for die in dice]))
    values = [die.face.value for die in dice]
    common, tries = _look_from_common_place(classify, seen, values)
    tries += [classify(seen, np.tile(common + off, (len(dice), 1))) for off in _FINER]
    every, rows = np.stack(tries), np.arange(len(dice))
    own = every[:, rows, values].argmax(axis=0)
    return [ClassifiedFace(die.face, every[way, row]) for row, (die, way) in enumerate(zip(dice, own, strict=True))]


def _look_from_common_place(
    classify: FaceClassifier, seen: Pixels, values: Sequence[int]
) -> tuple[Slopes, list[Chances]]:
    """The slope from which the dice with these values look most as they should all together, and the chances (n, 8) of
    them from there and from the slopes near to it.

    Die by die it is the slope that is the most likely so far that is followed, for every other die makes it less
    likely: so most slopes are given up after a few dice.
    """
    likely = np.zeros(len(_SLOPES))
    told: list[list[Chances]] = [[] for _ in _SLOPES]
    while len(told[way := int(likely.argmax())]) < len(values):
        die = len(told[way])
        chances = classify(seen[die : die + 1], _SLOPES[way : way + 1])
        likely[way] += np.log(chances[0, values[die]] + _LEAST)
        told[way].append(chances)
    common, tries = _SLOPES[way], []
    for near in np.flatnonzero(np.linalg.norm(_SLOPES - common, axis=1) < _PERSPECTIVE):
        rest = seen[len(told[near]) :]
        if len(rest):
            told[near].append(classify(rest, np.tile(_SLOPES[near], (len(rest), 1))))
        tries.append(np.concatenate(told[near]))
    return common, tries


def split_by_agreement(dice: Sequence[ClassifiedFace], least: float) -> tuple[list[ClassifiedFace], list[FaceFit]]:
    """The dice whose value the network grants this chance at least, or whose tilt; and the faces of the others."""
    believed = [max(die.agreement, die.tilt_chance) >= least for die in dice]
    return (
        [die for die, ok in zip(dice, believed, strict=True) if ok],
        [die.face for die, ok in zip(dice, believed, strict=True) if not ok],
    )


def keep_surest(dice: Sequence[ClassifiedFace]) -> list[ClassifiedFace]:
    """The dice on whose value the network surely agrees; of any that overlap the one it is surest of."""
    kept: list[ClassifiedFace] = []
    for die in sorted(dice, key=lambda die: -die.agreement):
        enough = _SURE_OF_ONE if die.face.value == 1 else SURE
        if die.agreement >= enough and all(are_apart(die.face, other.face) for other in kept):
            kept.append(die)
    return kept


def crops(pixels: Pixels, places: NDArray[np.float64], edges_px: NDArray[np.float64]) -> Pixels:
    """The surroundings of places (n, 2) of a picture in which dice have these edges (n), in px: (n, 40, 40, 3)."""
    found = np.zeros((len(places), CROP_PX, CROP_PX, 3), np.uint8)
    for index, ((x, y), edge) in enumerate(zip(places, edges_px, strict=True)):
        side = max(2, round(CROP_PX * edge / _EDGE_PX))
        patch = cv2.getRectSubPix(pixels, (side, side), (float(x), float(y)))
        found[index] = cv2.resize(patch, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA)
    return found
