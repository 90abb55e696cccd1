"""What die face lies at a place, told by a small convolutional network: a second opinion beside the lattice of pips.

How its weights were made is told in training/README.md.
"""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.judged import Chances, Slopes

_WEIGHTS = Path(__file__).with_name("faces.onnx")
_QUARTERS = 4
_PLAIN = 0.9  # a chance above which the other turns change nothing
_SOFTENER = 8.0  # levels of grey: flat cloth is not blown up into noise


Planes = NDArray[np.float32]
"""What the network sees, (n, 6, 40, 40)."""


class FaceNetwork:
    """The network with its packaged weights.

    Lifetime: the process; `face_network` keeps one. Concurrency: one thread at a time.
    """

    def __init__(self) -> None:
        self._net = cv2.dnn.readNetFromONNX(np.fromfile(_WEIGHTS, np.uint8))

    def judge(self, crops: Pixels, slopes: Slopes | None) -> Chances:
        """How likely every crop shows what: (n, 8) float32, every row adds up to 1.

        `crops` (n, 40, 40, 3) uint8 BGR are 20 x 20 mm of the plane of the dice's tops, as `View.crops` cuts them.
        `slopes` (n, 2) say from where the camera sees each: which of its sides a flat die shows follows from that.
        0: no top of a die in the middle; 1..6: the value of a die that lies flat there; 7: a cocked die or one upon
        another. Where that is not plain the four quarter turns are looked at and their probabilities averaged.
        """
        if len(crops) == 0:
            return np.zeros((0, 8), np.float32)
        planes = _planes(crops, slopes)
        chances = self._forward(planes)
        doubtful = np.flatnonzero(chances.max(axis=1) < _PLAIN)
        if len(doubtful):
            chances[doubtful] = self._turned(planes[doubtful])
        return chances

    def _turned(self, planes: Planes) -> Chances:
        """The mean of what the four quarter turns say."""
        four = self._forward(_quarter_turns(planes))
        return np.asarray(four.reshape(_QUARTERS, len(planes), -1).mean(axis=0), np.float32)

    def _forward(self, planes: Planes) -> Chances:
        self._net.setInput(planes)
        logits = np.asarray(self._net.forward(), np.float32).reshape(len(planes), -1)
        likely = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(likely / likely.sum(axis=1, keepdims=True), np.float32)


@cache
def face_network() -> FaceNetwork:
    """The one network of this process, loaded when it is first asked for."""
    return FaceNetwork()


def _planes(crops: Pixels, slopes: Slopes | None) -> Planes:
    """What the network sees (n, 6, 40, 40): the crops without their mean colour, divided by their deviation; the
    slope across and down; and 1 where the slope is known.
    """
    planes = np.zeros((len(crops), 6, *crops.shape[1:3]), np.float32)
    flat = crops.astype(np.float32)
    flat -= flat.mean(axis=(1, 2), keepdims=True)
    flat /= np.sqrt((flat * flat).mean(axis=(1, 2, 3), keepdims=True)) + np.float32(_SOFTENER)
    planes[:, :3] = flat.transpose(0, 3, 1, 2)
    if slopes is not None:
        planes[:, 3:5] = slopes[:, :, None, None]
        planes[:, 5] = 1.0
    return planes


def _quarter_turns(planes: Planes) -> Planes:
    """The planes in their four quarter turns (4 n, 6, h, w); a slope turns with the picture."""
    turns = [planes]
    for _ in range(_QUARTERS - 1):
        turned = np.rot90(turns[-1], 1, (2, 3)).copy()
        turned[:, 3:5] = np.stack((turns[-1][:, 4], -turns[-1][:, 3]), axis=1)
        turns.append(turned)
    return np.ascontiguousarray(np.concatenate(turns))
