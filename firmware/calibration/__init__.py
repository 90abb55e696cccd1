"""Finds the end points of the servos by small strokes that pure generators decide."""

from firmware.calibration.columns import Failure, Outcome, measure_tiles
from firmware.calibration.measure import Proposal
from firmware.calibration.stroker import LidClosed, Stroker
from firmware.calibration.strokes import LONGEST_PRESS_S, Stroke

__all__ = ["LONGEST_PRESS_S", "Failure", "LidClosed", "Outcome", "Proposal", "Stroke", "Stroker", "measure_tiles"]
