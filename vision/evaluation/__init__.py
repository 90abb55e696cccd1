"""Measures how well and how fast pictures of known dice are read."""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from vision.evaluation.baseline import read_blobs
    from vision.evaluation.labels import pictures_in, truth_beside
    from vision.evaluation.reliability import Bin, most_wrong, reliability_of
    from vision.evaluation.scoring import Mark, Tally, Truth, judge, tally_of, truth_of
    from vision.evaluation.timing import Times, keep_to_one_core, one_core, stage_times
else:
    __getattr__ = load_on_demand(__name__, __file__)

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
