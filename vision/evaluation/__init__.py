"""Measures how well and how fast pictures of known dice are read."""

from vision.evaluation.baseline import read_blobs
from vision.evaluation.labels import pictures_in, truth_beside
from vision.evaluation.reliability import Bin, most_wrong, reliability_of
from vision.evaluation.scoring import Mark, Tally, Truth, judge, tally_of, truth_of
from vision.evaluation.timing import Times, keep_to_one_core, one_core, stage_times

__all__ = [
    "Bin",
    "Mark",
    "Tally",
    "Times",
    "Truth",
    "judge",
    "keep_to_one_core",
    "most_wrong",
    "one_core",
    "pictures_in",
    "read_blobs",
    "reliability_of",
    "stage_times",
    "tally_of",
    "truth_beside",
    "truth_of",
]
