"""The networks of the reader's eye, which tests replace."""

from dataclasses import dataclass
from functools import cache

from vision.network.dice_map import DiceMapper, dice_map
from vision.network.network import FaceClassifier, StanceClassifier, face_network, stance_network


@dataclass(frozen=True, slots=True)
class Networks:
    """What the reader asks: where dice may lie, what a place shows at a glance and in doubt, whether dice lie flat."""

    mapper: DiceMapper
    glance: FaceClassifier
    classify: FaceClassifier
    stance: StanceClassifier


@cache
def packaged() -> Networks:
    """Return the networks that come with the package, loaded on first use."""
    faces = face_network()
    return Networks(dice_map().find, faces.glance, faces.classify, stance_network().classify)
