"""What to do in a game: the decisions of house players, and the answers to people who ask what a move is worth."""

from controller.strategy.hints import OddsBook
from controller.strategy.house import House
from controller.strategy.simulation import run_turns, tally_json

__all__ = ["House", "OddsBook", "run_turns", "tally_json"]
