"""Run the networks: what a face shows, in a field or anywhere, whether a die lies flat, where dice may lie."""

from vision.network.classified import (
    LIKELY,
    SURE,
    TILTED,
    Chances,
    ClassifiedFace,
    FaceClassifier,
    classify_faces,
    crops,
    keep_surest,
    split_by_agreement,
)
from vision.network.dice_map import MAP_STRIDE_PX, DiceMapper, MappedDice, dice_map, map_planes
from vision.network.network import anywhere_network, face_network, stance_network
from vision.network.stance import StanceClassifier, stances_of

__all__ = [
    "LIKELY",
    "MAP_STRIDE_PX",
    "SURE",
    "TILTED",
    "Chances",
    "ClassifiedFace",
    "DiceMapper",
    "FaceClassifier",
    "MappedDice",
    "StanceClassifier",
    "anywhere_network",
    "classify_faces",
    "crops",
    "dice_map",
    "face_network",
    "keep_surest",
    "map_planes",
    "split_by_agreement",
    "stance_network",
    "stances_of",
]
