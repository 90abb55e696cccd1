"""Exact odds: the value of every board of every game, and the best move. NumPy and the rules only.

odds = odds_of(rules_of("pub"))
odds.before(rules.start(), Aim.parse("score"))
"""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from controller.odds.advice import After, Before, Odds, odds_of
    from controller.odds.aim import Aim
    from controller.odds.best import best_of
    from controller.odds.columns import Column, Columns
    from controller.odds.contest import Wins, play_rounds
    from controller.odds.errors import TooManyBoards
    from controller.odds.limits import (
        BIG,
        BYTES_A_BOARD,
        BYTES_A_BOARD_BY_SEAT,
        MOST_BOARDS,
        MOST_BOARDS_AT_ONCE,
        MOST_BOARDS_BY_SEAT,
        MOST_EFFORT_AT_ONCE,
        PLAYERS_OF_A_ROUND,
    )
    from controller.odds.model import Model, Outcome, boards_of, throws_of
    from controller.odds.move_table import Moves, moves_from
    from controller.odds.playouts import Playouts
    from controller.odds.progress import Progress, silent, span
    from controller.odds.rivals import Rivals
    from controller.odds.seats import seats_of
    from controller.odds.solver import solve
    from controller.odds.stand import RoundState, Seats
    from controller.odds.strength import CHOOSERS, STRENGTHS
    from controller.odds.temper import noise_in_points, perceived, weights_of
    from controller.odds.thumb import heuristic_dice, heuristic_move
    from controller.odds.turns import Tally, simulate
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = [
    "BIG",
    "BYTES_A_BOARD",
    "BYTES_A_BOARD_BY_SEAT",
    "CHOOSERS",
    "MOST_BOARDS",
    "MOST_BOARDS_AT_ONCE",
    "MOST_BOARDS_BY_SEAT",
    "MOST_EFFORT_AT_ONCE",
    "PLAYERS_OF_A_ROUND",
    "STRENGTHS",
    "After",
    "Aim",
    "Before",
    "Column",
    "Columns",
    "Model",
    "Moves",
    "Odds",
    "Outcome",
    "Playouts",
    "Progress",
    "Rivals",
    "RoundState",
    "Seats",
    "Tally",
    "TooManyBoards",
    "Wins",
    "best_of",
    "boards_of",
    "heuristic_dice",
    "heuristic_move",
    "moves_from",
    "noise_in_points",
    "odds_of",
    "perceived",
    "play_rounds",
    "seats_of",
    "silent",
    "simulate",
    "solve",
    "span",
    "throws_of",
    "weights_of",
]
