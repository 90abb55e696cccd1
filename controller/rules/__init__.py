"""The rules as a library: boards, throws, moves, scores. Standard library only; every value is immutable.

rules = rules_of("two-level", {"reveal": "same_throw"})
board = rules.start()
rules.legal_moves(board, rules.throw("5,5"))
board = rules.after(board, throw, move)      # a new board, or IllegalMove
assert rules.board(str(board)) == board
"""

from controller.rules.board import Board
from controller.rules.dominoes import pips_named
from controller.rules.errors import IllegalMove, InvalidNotation, InvalidOption, RulesError
from controller.rules.game_options import Options, Terms
from controller.rules.games import GAMES, GamePreset
from controller.rules.marks import NO_MARKS, Marks, is_mark
from controller.rules.options import Choice, Value
from controller.rules.ruleset import Move, Ruleset, rules_of
from controller.rules.suggestion import describe_known
from controller.rules.throw import Throw
from controller.rules.tiles import Layout, Tile

__all__ = [
    "GAMES",
    "NO_MARKS",
    "Board",
    "Choice",
    "GamePreset",
    "IllegalMove",
    "InvalidNotation",
    "InvalidOption",
    "Layout",
    "Marks",
    "Move",
    "Options",
    "RulesError",
    "Ruleset",
    "Terms",
    "Throw",
    "Tile",
    "Value",
    "describe_known",
    "is_mark",
    "pips_named",
    "rules_of",
]
