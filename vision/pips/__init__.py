"""The dots of a die: spots, which of them make a face, and the die's outline about them."""

from vision.pips.face import FaceFit
from vision.pips.lattice import Candidate
from vision.pips.search import CLOSER_LOOK, FIRST_LOOK, OVERLAP, Edges, Look, all_faces_of, apart, faces_of, spots_in
from vision.pips.spots import Spots, joined

__all__ = [
    "CLOSER_LOOK",
    "FIRST_LOOK",
    "OVERLAP",
    "Candidate",
    "Edges",
    "FaceFit",
    "Look",
    "Spots",
    "all_faces_of",
    "apart",
    "faces_of",
    "joined",
    "spots_in",
]
