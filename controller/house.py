"""The house player: a plain opponent that keeps small tiles for later."""

from controller.rules import Board, Move, Ruleset, Throw


def choose_move(rules: Ruleset, board: Board, throw: Throw) -> Move:
    """The legal move with the fewest tiles and among those the highest number: big tiles are hard to shut.

    `throw` must have a legal move on `board`.
    """
    moves = rules.legal_moves(board, throw)
    return min(moves, key=lambda move: (len(move), -max(tile.value for tile in move)))
