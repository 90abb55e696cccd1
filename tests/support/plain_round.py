"""A round as the game itself plays it, by recursion over all that can happen in it. Slow, and plainly right."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from controller.game.shutbox.match import RoundResult, end_round, leaders, new_match, settle, winners_of_round
from controller.rules.board import Board
from controller.rules.shutbox.ruleset import Ruleset
from controller.rules.throw import Throw

Shares = NDArray[np.float64]
_EQUAL = 1e-12


@dataclass(frozen=True, slots=True)
class Ended:
    """A turn that is over."""

    score: int
    shut: bool
    lost: bool


Paid = Callable[[Ruleset, tuple[Ended, ...], int], Shares]


def plain_round(rules: Ruleset, players: int, paid: Paid, ended: tuple[Ended, ...] = ()) -> Shares:
    """What the round is worth to each player after the turns `ended`, if each plays for the most that he is paid."""
    throws = {dice: Counter(map(Throw, product(range(1, 7), repeat=dice))) for dice in rules.dice_counts}

    @cache
    def moves(board: Board, throw: Throw) -> tuple[tuple[Board, bool], ...]:
        return tuple((board.without(move), rules.ends_turn(throw)) for move in rules.legal_moves(board, throw))

    @cache
    def worth(ended: tuple[Ended, ...]) -> Shares:
        outright = bool(ended) and ended[-1].shut and rules.terms.shut_wins
        return paid(rules, ended, players) if outright or len(ended) == players else turn(ended)

    def turn(ended: tuple[Ended, ...]) -> Shares:
        def end(board: Board) -> Shares:
            loses = rules.first_move_key is not None and rules.terms.lost != "turn"
            lost = loses and board == rules.start()
            return worth((*ended, Ended(rules.score(board), board.is_shut, lost)))

        @cache
        def value(board: Board) -> Shares:
            if board.is_shut:
                return end(board)
            return first_best([mean(board, dice) for dice in sorted(rules.dice_allowed(board), reverse=True)])

        def mean(board: Board, dice: int) -> Shares:
            parts = (times * after(board, throw) for throw, times in throws[dice].items())
            return sum(parts, np.zeros(players)) / throws[dice].total()

        def after(board: Board, throw: Throw) -> Shares:
            found = [(end if over else value)(board) for board, over in moves(board, throw)]
            return first_best(found) if found else end(board)

        def first_best(found: list[Shares]) -> Shares:
            best = found[0]
            for other in found[1:]:
                best = other if other[len(ended)] > best[len(ended)] + _EQUAL else best
            return best

        return value(rules.start())

    return worth(ended)


def shares(rules: Ruleset, ended: tuple[Ended, ...], players: int) -> Shares:
    """Who wins, as the match has it: each of several winners gets an equal share."""
    winners = _result(rules, ended, players).winners
    return np.array([(seat in winners) / max(1, len(winners)) for seat in range(players)])


def coins(rules: Ruleset, ended: tuple[Ended, ...], players: int) -> Shares:
    """What the ledger of the match says once all is settled."""
    match = replace(new_match(rules.terms, players), order=tuple(range(players)))
    result = _result(rules, ended, players)
    match = end_round(rules.terms, match, (0,) * players, result)
    return np.array(settle(rules.terms, match, result.winners).ledger.balances, float)


def _result(rules: Ruleset, ended: tuple[Ended, ...], players: int) -> RoundResult:
    seats = range(players)
    match = replace(new_match(rules.terms, players), order=tuple(seats))
    match = replace(match, lost=frozenset(seat for seat, each in enumerate(ended) if each.lost))
    if ended[-1].shut and rules.terms.shut_wins:
        return RoundResult((len(ended) - 1,), outright=True)
    leading = leaders(match, tuple(each.score for each in ended) + (None,) * (players - len(ended)))
    return RoundResult(winners_of_round(rules.terms, leading))
