"""The networks' opinion of a place: which value, and whether the die lies flat."""

from vision.network.classified import LIKELY, SURE, TILTED, Judge, Judged, crops, from_aside, judged, sifted, surest
from vision.network.network import face_network, stance_network
from vision.network.stance import StanceJudge, stances_of

__all__ = [
    "LIKELY",
    "SURE",
    "TILTED",
    "Judge",
    "Judged",
    "StanceJudge",
    "crops",
    "face_network",
    "from_aside",
    "judged",
    "sifted",
    "stance_network",
    "stances_of",
    "surest",
]
