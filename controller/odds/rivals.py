"""The chance to win if later players are assumed to play for few points."""

from dataclasses import dataclass
from math import comb
from pathlib import Path

from controller.odds.limits import MOST_BOARDS_AT_ONCE
from controller.odds.model import boards_of
from controller.odds.playouts import Playouts
from controller.odds.rounds import may_lose
from controller.odds.stand import RoundState
from controller.odds.turns import simulate
from controller.odds.win import Win
from controller.rules.ruleset import Ruleset

_TURNS = 20_000
_SEED = 1


@dataclass(frozen=True)
class Rivals:
    """Players still to come, all alike and assumed to play for few points: a look-ahead that ends with one's own turn.

    Their actual play depends on the score that they have to beat; calculating it takes long with many players or boards
    (`Seats.aim` does it). Here their scores are those of simulated turns played for the least score.

    scores: the scores of their turns, ascending, and their shares.
    """

    rules: Ruleset
    scores: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, rules: Ruleset, folder: Path | None = None) -> "Rivals":
        """Return the rivals in a game; they play by the heuristic if its odds take long. Raises as `simulate`."""
        if boards_of(rules, rules.start()) > MOST_BOARDS_AT_ONCE:
            return cls(rules, tuple(Playouts.of(rules, rules.start(), _SEED).scores()))
        found = simulate(rules, "best", _TURNS, _SEED, folder=folder).histogram
        return cls(rules, tuple((score, count / _TURNS) for score, count in found.items()))

    def aim(self, state: RoundState) -> Win:
        """Return the aim of the player at turn, as `Seats.aim`."""
        lowest = min(state.scores, default=None)
        edges = {0.0}.union(*((score, score + 1) for score, _ in self.scores))
        if lowest is not None:
            edges |= {lowest, lowest + 1}
        scores = sorted(edges)
        return Win(
            scores=tuple(scores),
            chances=tuple(self._chance(score, lowest, state) for score in scores),
            at_once=1.0 if self.rules.terms.shut_wins else None,
            lost=0.0 if may_lose(self.rules) else None,
        )

    def _chance(self, mine: float, lowest: float | None, state: RoundState) -> float:
        """Return the chance to win with the score `mine`; a shared win counts as a share."""
        if lowest is not None and mine > lowest:
            return 0.0
        above = sum(chance for score, chance in self.scores if score > mine)
        same = sum(chance for score, chance in self.scores if score == mine)
        tied = state.scores.count(int(mine)) if mine == lowest else 0
        if not self.rules.terms.shares_rounds:
            return 0.0 if tied else float((above + same) ** state.to_come)
        return sum(
            comb(state.to_come, others) * same**others * above ** (state.to_come - others) / (tied + 1 + others)
            for others in range(state.to_come + 1)
        )
