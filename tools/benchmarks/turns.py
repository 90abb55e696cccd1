"""Turns by chance against a plain loop over the rules that plays them one by one, by the same odds as a dict.

Turns at the same board are thrown for together, so that the more there are the less each takes.
"""

import random
import statistics

from controller.odds.shutbox.advice import Odds, odds_of
from controller.odds.shutbox.aim import Aim
from controller.opponents.simulation import simulate
from controller.rules.board import Board
from controller.rules.shutbox.ruleset import Ruleset, rules_of
from controller.rules.throw import Throw
from tools.benchmarks.measure import seconds

_BASELINE = 2_000
_RUNS = 3


def _policy(odds: Odds, board: Board, known: dict[Board, tuple[float, int]]) -> dict[Board, tuple[float, int]]:
    """The value of every board after `board`, and the best number of dice."""
    if board not in known:
        before = odds.before(board, Aim("score"))
        known[board] = before.value, before.dice or 0
        for tile in board.showing:
            _policy(odds, board.without([tile]), known)
    return known


def _play(rules: Ruleset, policy: dict[Board, tuple[float, int]], chance: random.Random) -> int:
    """One turn."""
    board = rules.start()
    while not board.is_shut:
        throw = Throw(tuple(chance.randint(1, rules.sides) for _ in range(policy[board][1])))
        after = [board.without(move) for move in rules.legal_moves(board, throw)]
        if not after:
            break
        board = min(after, key=lambda each: policy[each][0])
    return rules.score(board)


def _compare(game: str, turns: int) -> None:
    rules, chance = rules_of(game), random.Random(1)
    policy = _policy(odds_of(rules), rules.start(), {})

    def baseline() -> None:
        for _ in range(_BASELINE):
            _play(rules, policy, chance)

    def ours() -> None:
        simulate(rules, "best", turns, seed=1)

    ours()
    baseline()
    pairs = [(turns / seconds(ours), _BASELINE / seconds(baseline)) for _ in range(_RUNS)]
    fast, slow = (statistics.median(side) for side in zip(*pairs, strict=True))
    name = f"turns a second of {turns}, {game}"
    print(f"{name:46} ours {fast:12.0f}      baseline {slow:12.0f}      ratio {fast / slow:9.0f}")


def main() -> None:
    """Print the comparison."""
    for game in ("pub", "two-level"):
        for turns in (20_000, 10_000_000):
            _compare(game, turns)
