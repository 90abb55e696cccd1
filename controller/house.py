"""The house player: a plain opponent that keeps small tiles for later."""

from collections.abc import Iterable

from controller.rules import Board, Move, Ruleset, Throw


def choose_move(rules: Ruleset, board: Board, throw: Throw) -> Move:
    """The legal move with the fewest tiles and among those the highest number: big tiles are hard to shut.

    `throw` must have a legal move on `board`.
    """
    moves = rules.legal_moves(board, throw)
    return min(moves, key=lambda move: (len(move), -max(tile.value for tile in move)))


def choose_dice(allowed: Iterable[int]) -> int:
    """With how many dice the house has its throw made: the fewest, when only small tiles are left."""
    return min(allowed)
