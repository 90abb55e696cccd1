"""Cut out the stance network's input, the surroundings of a die's top: does the die lie flat or lean?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Pixels
from vision.field.view import PX_PER_MM, View
from vision.network.classified import Slopes

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


StanceClassifier = Callable[[Stances], NDArray[np.float32]]
"""The chance (n) that each of the dice does not lie flat on the baize."""


class TopFace(Protocol):
    """The top of a die, found by its pips or by whatever is drawn on it."""

    @property
    def middle(self) -> NDArray[np.float64]:
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


def beside_flat(slopes: Slopes) -> NDArray[np.float32]:
    """Return the distance of every pixel of a crop from the silhouette of a flat die with such a face, (n, 48, 48): in
    half edges, -1 to 1, negative inside.

    A flat die's foot is seen beside its top, one edge down: by the slope times the edge nearer to the camera.
    """
    half = np.float32(EDGE_PX / 2)
    line = np.arange(SIDE_PX, dtype=np.float32) - np.float32((SIDE_PX - 1) / 2)
    feet = slopes[None] * (np.linspace(0, EDGE_PX, _STEPS, dtype=np.float32)[:, None, None])
    across = np.abs(line[None, None, None, :] - feet[:, :, 0, None, None])
    down = np.abs(line[None, None, :, None] - feet[:, :, 1, None, None])
    return np.asarray(np.clip((np.maximum(across, down).min(axis=0) - half) / half, -1, 1), np.float32)
