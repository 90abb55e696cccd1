"""Run the convolutional networks: which face is on top (`faces.onnx`), and whether the die lies flat
(`stances.onnx`).

tools/training/README.md describes how the weights were made.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.capture.arrays import Flags, Real, Real32
from vision.capture.frame import Pixels
from vision.field.view import PX_PER_MM, View
from vision.libraries import cv2

NOT_FLAT = 7  # class of a die that leans or lies on another; before it come no die (0) and the values 1 to 6

Chances = NDArray[np.float32]
"""The chances of what may lie at a place: (8), adding up to 1, or (n, 8) for n places."""

Slopes = NDArray[np.float32]
"""The camera's position over n places, (n, 2): how far across and near for each mm of height; 0 is straight above."""

FaceClassifier = Callable[[Pixels, Slopes], Chances]
"""Maps crops (n, 40, 40, 3) and the camera's slopes to chances (n, 8)."""

SIDE_PX = 48
EDGE_PX = 24.0  # the face's edge in a crop
_STEPS = 9  # heights at which the body of a die is drawn, including its top and its foot


@dataclass(frozen=True, slots=True, eq=False)
class Stances:
    """The surroundings of some faces, each turned upright with the face in the middle: sides and neighbours show there.

    `crops` (n, 48, 48, 3) uint8 BGR are two edges of the face wide; `slopes` (n, 2) give the camera's position for each
    mm of height, across and down the crop.
    """

    crops: Pixels
    slopes: Slopes


StanceClassifier = Callable[[Stances], Real32]
"""The chance (n) that each of the dice does not lie flat on the baize."""


class TopFace(Protocol):
    """The top of a die, found by its pips or by whatever is drawn on it."""

    @property
    def middle(self) -> Real:
        """Its middle (2) in view pixels."""

    @property
    def turn_rad(self) -> float:
        """Its rotation."""

    @property
    def edge_px(self) -> float:
        """The length of its edge in view pixels."""


def stances_of(view: View, faces: Sequence[TopFace]) -> Stances:
    """Cut out the surroundings of these faces."""
    middles = np.array([face.middle for face in faces]).reshape(-1, 2)
    turns = np.array([face.turn_rad for face in faces])
    cosine, sine = np.cos(turns), np.sin(turns)
    upright = np.array([[cosine, -sine], [sine, cosine]]).transpose(2, 0, 1)
    steps_mm = upright * (np.array([face.edge_px for face in faces]) / PX_PER_MM / EDGE_PX / 2)[:, None, None]
    slopes = np.einsum("ni,nij->nj", view.slopes(middles), upright)
    return Stances(view.patches(view.at_mm(middles), steps_mm, SIDE_PX), slopes.astype(np.float32))


def beside_flat(slopes: Slopes) -> Real32:
    """Return how far the pixels of crops (n, 48, 48) are from the outline of a flat die: -1..1 half edges, < 0 inside.

    The foot of a flat die is one edge below its top, so the picture shows it shifted by the slope times the edge.
    """
    half = np.float32(EDGE_PX / 2)
    line = np.arange(SIDE_PX, dtype=np.float32) - np.float32((SIDE_PX - 1) / 2)
    feet = slopes[None] * (np.linspace(0, EDGE_PX, _STEPS, dtype=np.float32)[:, None, None])
    across = np.abs(line[None, None, None, :] - feet[:, :, 0, None, None])
    down = np.abs(line[None, None, :, None] - feet[:, :, 1, None, None])
    return np.asarray(np.clip((np.maximum(across, down).min(axis=0) - half) / half, -1, 1), np.float32)


_QUARTERS = 4
_PLAIN = 0.95  # a chance above which the other turns change nothing
_SURELY_FLAT = 0.1  # ... and the chance that a die does not lie flat below which they do not
_AT_ONCE = 16  # crops: OpenCV keeps the memory of the most it was ever given, 30 MB for a field full of dice
_SOFTENER = 8.0  # levels of grey: flat cloth is not blown up into noise

Planes = NDArray[np.float32]
"""The input of a network, (n, 5 or 6, h, w); the last two of its planes are the slope across and down."""


class _Network:
    """Packaged weights, run by OpenCV: the box needs no other library.

    Lifetime: the process. Concurrency: one thread at a time.
    """

    def __init__(self, name: str) -> None:
        self._net = cv2.dnn.readNetFromONNX(np.fromfile(Path(__file__).with_name(name), np.uint8))

    def chances(self, planes: Planes) -> Chances:
        """Return the chance of each class (n, classes); every row adds up to 1."""
        logits = np.concatenate([self._logits(planes[at : at + _AT_ONCE]) for at in range(0, len(planes), _AT_ONCE)])
        likely = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(likely / likely.sum(axis=1, keepdims=True), np.float32)

    def _logits(self, planes: Planes) -> Real32:
        self._net.setInput(planes)
        return np.asarray(self._net.forward(), np.float32).reshape(len(planes), -1)

    def chances_over_turns(self, planes: Planes, is_plain: Callable[[Chances], Flags]) -> Chances:
        """Return the same chances; where they are not plain, the mean over the four quarter turns of the crop."""
        chances = self.chances(planes)
        doubtful = np.flatnonzero(~is_plain(chances))
        if len(doubtful):
            turns = [planes[doubtful]]
            for _ in range(_QUARTERS - 1):
                turned = np.rot90(turns[-1], 1, (2, 3)).copy()
                # The slope turns with the picture.
                turned[:, -2], turned[:, -1] = turns[-1][:, -1], -turns[-1][:, -2]
                turns.append(turned)
            others = self.chances(np.ascontiguousarray(np.concatenate(turns[1:])))
            four = np.concatenate((chances[None, doubtful], others.reshape(_QUARTERS - 1, len(doubtful), -1)))
            chances[doubtful] = four.mean(axis=0)
        return chances


class FaceNetwork:
    """Classifies the face at a place: a claim, which the pips must confirm.

    Lifetime: the process; `face_network` keeps one. Concurrency: one thread at a time.
    """

    def __init__(self) -> None:
        self._network = _Network("faces.onnx")

    def classify(self, crops: Pixels, slopes: Slopes) -> Chances:
        """Return the chances of what each crop shows: (n, 8) float32, every row adds up to 1.

        `crops` (n, 40, 40, 3) uint8 BGR are 20 x 20 mm of the plane of the dice's tops, as `View.crops` cuts them.
        `slopes` (n, 2) give the direction from which the camera sees each, and so which sides a flat die shows. Class
        0: no top of a die in the middle; 1..6: the value of a flat die there; 7: a cocked die or one on another. In
        doubt the probabilities of the four quarter turns are averaged.
        """
        if len(crops) == 0:
            return np.zeros((0, 8), np.float32)
        return self._network.chances_over_turns(_planes(crops, slopes), lambda chances: chances.max(axis=1) >= _PLAIN)

    def glance(self, crops: Pixels, slopes: Slopes) -> Chances:
        """Return the same of the crops as they are, in a quarter of the time: which of several shows most?"""
        return self._network.chances(_planes(crops, slopes))


class StanceNetwork:
    """Tells leaning and stacked dice from flat ones by what shows beside their tops.

    The face network sees two millimetres around a top; the lower die of a stack and a leaning die's side lie beyond.

    Lifetime: the process; `stance_network` keeps one. Concurrency: one thread at a time.
    """

    def __init__(self) -> None:
        self._network = _Network("stances.onnx")

    def classify(self, stances: Stances) -> Real32:
        """Return the chance (n) that each die leans or lies on another one.

        If a die is not clearly flat, return the average over the four quarter turns.
        """
        if len(stances.crops) == 0:
            return np.zeros(0, np.float32)
        planes = _planes(stances.crops, stances.slopes, beside_flat(stances.slopes)[:, None])
        return self._network.chances_over_turns(planes, lambda chances: chances[:, 1] <= _SURELY_FLAT)[:, 1]


@cache
def face_network() -> FaceNetwork:
    """Return this process's network for faces, loaded on first use."""
    return FaceNetwork()


@cache
def stance_network() -> StanceNetwork:
    """Return this process's network for stances, loaded on first use."""
    return StanceNetwork()


def _planes(crops: Pixels, slopes: Slopes, *others: Real32) -> Planes:
    """Return crops (n, h, w, 3) without their mean colour, divided by their deviation; other planes, and the slopes."""
    count, height, width = crops.shape[:3]
    # OpenCV, crop by crop, is several times faster than NumPy's means.
    mean, deviation = np.array([cv2.meanStdDev(crop) for crop in crops], np.float32).reshape(count, 2, 3).swapaxes(0, 1)
    colours = crops.transpose(0, 3, 1, 2) - mean[:, :, None, None]
    colours /= np.sqrt((deviation * deviation).mean(axis=1))[:, None, None, None] + np.float32(_SOFTENER)
    constant = np.broadcast_to(slopes[:, :, None, None], (count, 2, height, width))
    return np.concatenate((colours, *others, constant), axis=1, dtype=np.float32)
