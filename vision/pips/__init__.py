"""Find pips: spots that may be pips, which of them may make a face, and whether it is one, with a square around it."""

from vision.pips.face_candidates import Candidate
from vision.pips.face_check import FaceFit
from vision.pips.gloss import measure_gloss
from vision.pips.search import (
    BESIDE_LOOK,
    CLOSER_LOOK,
    FIRST_LOOK,
    MOST_SPOTS,
    OVERLAP,
    Edges,
    SpotThresholds,
    are_apart,
    find_all_faces,
    find_faces,
    find_pip_spots,
    fit_face,
)
from vision.pips.smear import measure_smear
from vision.pips.spots import Spots, join_spots

__all__ = [
    "BESIDE_LOOK",
    "CLOSER_LOOK",
    "FIRST_LOOK",
    "MOST_SPOTS",
    "OVERLAP",
    "Candidate",
    "Edges",
    "FaceFit",
    "SpotThresholds",
    "Spots",
    "are_apart",
    "find_all_faces",
    "find_faces",
    "find_pip_spots",
    "fit_face",
    "join_spots",
    "measure_gloss",
    "measure_smear",
]
