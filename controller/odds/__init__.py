"""Exact odds: what every board of every game is worth, and the best move. NumPy and the rules only.

odds = odds_of(rules_of("pub"))
odds.before(rules.start(), Aim.parse("score"))
"""

from controller.odds.advice import After, Before, Odds, odds_of
from controller.odds.aim import Aim
from controller.odds.columns import Column, Columns
from controller.odds.errors import TooManyBoards
from controller.odds.limits import (
    BIG,
    BYTES_A_BOARD,
    BYTES_A_BOARD_BY_SEAT,
    MOST_BOARDS,
    MOST_BOARDS_BY_SEAT,
    PLAYERS_OF_A_ROUND,
)
from controller.odds.model import Model, Outcome, throws_of
from controller.odds.move_table import Moves, moves_from
from controller.odds.seats import Seats, Stand, seats_of
from controller.odds.solve import silent, solve
from controller.odds.sweep import Progress
from controller.odds.thumb import CASUAL, STEADY
from controller.odds.turns import CHOOSERS, Tally, simulate

__all__ = [
    "BIG",
    "BYTES_A_BOARD",
    "BYTES_A_BOARD_BY_SEAT",
    "CASUAL",
    "CHOOSERS",
    "MOST_BOARDS",
    "MOST_BOARDS_BY_SEAT",
    "PLAYERS_OF_A_ROUND",
    "STEADY",
    "After",
    "Aim",
    "Before",
    "Column",
    "Columns",
    "Model",
    "Moves",
    "Odds",
    "Outcome",
    "Progress",
    "Seats",
    "Stand",
    "Tally",
    "TooManyBoards",
    "moves_from",
    "odds_of",
    "seats_of",
    "silent",
    "simulate",
    "solve",
    "throws_of",
]
