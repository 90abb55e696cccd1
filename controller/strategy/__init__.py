"""Plays for the house, and answers what should be done and what it is worth."""

from controller.strategy.hints import OddsBook
from controller.strategy.house import House
from controller.strategy.simulation import run_turns, tally_json

__all__ = ["House", "OddsBook", "run_turns", "tally_json"]
