"""Networks beside the pips: two classify a face, in the field and anywhere, the third whether a die lies flat."""

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
from vision.network.network import anywhere_network, face_network, stance_network
from vision.network.stance import StanceClassifier, stances_of

__all__ = [
    "LIKELY",
    "SURE",
    "TILTED",
    "Chances",
    "ClassifiedFace",
    "FaceClassifier",
    "StanceClassifier",
    "anywhere_network",
    "classify_faces",
    "crops",
    "face_network",
    "keep_surest",
    "split_by_agreement",
    "stance_network",
    "stances_of",
]
