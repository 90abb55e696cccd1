"""The least that can be said about odds: one recursion over boards, with the rules alone. Slow, and plainly right."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import product

from controller.rules.board import Board
from controller.rules.shutbox.ruleset import Ruleset
from controller.rules.throw import Throw

Worth = Callable[[Board], float]


def plain_values(rules: Ruleset, end: Worth, *, greatest: bool) -> Worth:
    """The value before a throw of any board; `end` is what a board is worth as the end of a turn."""
    best = max if greatest else min

    @cache
    def value(board: Board) -> float:
        if not any(board.standing):
            return end(board)
        return best(plain_mean(rules, board, dice, value, end, greatest=greatest) for dice in rules.dice_allowed(board))

    return value


def plain_mean(rules: Ruleset, board: Board, dice: int, value: Worth, end: Worth, *, greatest: bool) -> float:
    """The expected value of a throw of `dice` dice; `value` is what the boards after it are worth."""
    best, throws = max if greatest else min, _throws(rules.sides, dice)

    def after(throw: Throw) -> float:
        boards = [board.without(move) for move in rules.legal_moves(board, throw)]
        return best(map(end if rules.ends_turn(throw) else value, boards)) if boards else end(board)

    return sum(times * after(Throw(faces)) for faces, times in throws.items()) / throws.total()


@cache
def _throws(sides: int, dice: int) -> Counter[tuple[int, ...]]:
    """Every throw, and how often it is among all that are equally likely."""
    return Counter(tuple(sorted(faces)) for faces in product(range(1, sides + 1), repeat=dice))
