"""Two networks beside the pips: one classifies the face at a place, the other whether the die leans or lies flat."""

from vision.network.classified import (
    LIKELY,
    SURE,
    TILTED,
    ClassifiedFace,
    FaceClassifier,
    classify_faces,
    crops,
    keep_surest,
    reclassify_from_aside,
    split_by_agreement,
)
from vision.network.network import face_network, stance_network
from vision.network.stance import StanceClassifier, stances_of

__all__ = [
    "LIKELY",
    "SURE",
    "TILTED",
    "ClassifiedFace",
    "FaceClassifier",
    "StanceClassifier",
    "classify_faces",
    "crops",
    "face_network",
    "keep_surest",
    "reclassify_from_aside",
    "split_by_agreement",
    "stance_network",
    "stances_of",
]
