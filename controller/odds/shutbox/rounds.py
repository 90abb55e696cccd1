"""The value of a round to each of its players while it is played, if each plays for their own gain.

The players play their turns in order. Between two turns only the lowest score so far and the number of its holders
matter. Backwards from the end: the value of each score to the player at turn follows from the value of a round with one
player fewer to come; this decides how they play; and the chances of their scores give the value of the round to all
others (backward induction, as in the theory of games with perfect information).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from controller.odds.shutbox.model import Floats, Indices, Model
from controller.rules.shutbox.ruleset import Ruleset

# For players who maximise (kinds, players): the chances of each kind of end, (kinds, players).
Ends = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Payoffs:
    """The payoffs of a round.

    win: shared by the players who tie.
    nobody: paid to each player if nobody wins, because all lost on the first throw.
    bonus: paid in addition to `win` to a player who wins at once by shutting the box.
    penalty: what every other player loses in that case.
    """

    win: float = 1.0
    nobody: float = 0.0
    bonus: float = 0.0
    penalty: float = 0.0


@dataclass(frozen=True, eq=False, slots=True)
class Kinds:
    """The kinds of end of a turn: each of the `scores`, then a win at once by shutting the box, then a lost round.

    scores: ascending, shape (scores,).
    wins_at_once, may_lose: whether the game has these two ends.
    shared: whether equal scores share a win.
    """

    scores: NDArray[Any]
    wins_at_once: bool
    may_lose: bool
    shared: bool

    @classmethod
    def of(cls, model: Model) -> "Kinds":
        rules = model.rules
        return cls(np.unique(model.scores), rules.terms.shut_wins, may_lose(rules), rules.terms.shares_rounds)

    def __len__(self) -> int:
        return len(self.scores) + 2

    def of_boards(self, model: Model) -> Indices:
        """Return the kind of end of each board, shape (size,), for a model of the start of the game."""
        kinds = np.searchsorted(self.scores, model.scores)
        if self.wins_at_once and not model.idle:
            kinds[0] = len(self.scores)
        if self.may_lose:
            kinds[-1] = len(self.scores) + 1
        return kinds


def may_lose(rules: Ruleset) -> bool:
    """Return whether a first throw that shuts nothing loses the round, whatever the others do (2-to-go)."""
    return rules.first_move_key is not None and rules.terms.lost != "turn"


@dataclass(frozen=True, slots=True)
class Worth:
    """The value of a round by the lowest score so far: arrays of shape (scores,), or (1,) if nobody holds a score.

    lead: the value to each player who holds that score.
    behind: the value to each player who has played and does not hold it.
    coming: the values to the players still to come, in playing order.
    """

    lead: Floats
    behind: Floats
    coming: tuple[Floats, ...]


@dataclass(frozen=True)
class Round:
    """The values of a round between two turns, by the number of players to come and of holders of the lowest score."""

    kinds: Kinds
    payoffs: Payoffs
    ends: Ends
    _known: dict[tuple[int, int], Worth] = field(default_factory=dict)

    def worth(self, to_come: int, holders: int) -> Worth:
        """Return the value of a moment. Values are cached."""
        if (to_come, holders) not in self._known:
            self._known[to_come, holders] = self._found(to_come, holders)
        return self._known[to_come, holders]

    def goal(self, to_come: int, holders: int) -> Floats:
        """Return the value of each kind of end to the next of the players `to_come`: shape (kinds, scores so far)."""
        below, same = self._if_below(to_come), self._if_above(to_come, holders)
        tied = self._if_tied(to_come, holders).lead if self.kinds.shared else same.behind
        at_once = self.payoffs.win + self.payoffs.bonus
        return self._by_kind(holders, below.lead, tied, same.behind, at_once)

    def players_asked(self, moments: Iterable[tuple[int, int]]) -> int:
        """Return the number of players that `ends` has to evaluate before the values of these moments are known."""
        asked: set[tuple[int, int]] = set()
        self._ask(moments, asked)
        return sum(len(self.kinds.scores) if holders else 1 for _, holders in asked)

    def next_holders(self, holders: int) -> set[int]:
        """Return the possible numbers of holders of the lowest score after one more turn."""
        if not holders:
            return {0, 1} if self.kinds.may_lose else {1}
        return {1, holders, holders + 1} if self.kinds.shared else {1}

    def _ask(self, moments: Iterable[tuple[int, int]], asked: set[tuple[int, int]]) -> None:
        for to_come, holders in moments:
            if to_come and (to_come, holders) not in asked and (to_come, holders) not in self._known:
                asked.add((to_come, holders))
                self._ask([(to_come - 1, more) for more in self.next_holders(holders)], asked)

    def _found(self, to_come: int, holders: int) -> Worth:
        if not to_come:
            if not holders:
                return Worth(np.full(1, self.payoffs.nobody), np.full(1, self.payoffs.nobody), ())
            scores = len(self.kinds.scores)
            return Worth(np.full(scores, self.payoffs.win / holders), np.zeros(scores), ())
        goal = self.goal(to_come, holders)
        chances = self.ends(goal)
        below, tied = self._if_below(to_come), self._if_tied(to_come, holders)
        same = self._if_above(to_come, holders)

        def mean(below: Floats, tied: Floats, same: Floats) -> Floats:
            by_kind = self._by_kind(holders, below, tied, same, -self.payoffs.penalty)
            worth: Floats = (chances * by_kind).sum(axis=0)
            return worth

        return Worth(
            lead=mean(below.behind, tied.lead, same.lead),
            behind=mean(below.behind, tied.behind, same.behind),
            coming=((chances * goal).sum(axis=0), *map(mean, below.coming, tied.coming, same.coming)),
        )

    def _if_below(self, to_come: int) -> Worth:
        """Return the value after a score that alone is the lowest, by that score."""
        return self.worth(to_come - 1, 1)

    def _if_tied(self, to_come: int, holders: int) -> Worth:
        """Return the value after another score equal to the lowest. If the earlier one wins, nothing changes."""
        return (
            self.worth(to_come - 1, holders + 1) if holders and self.kinds.shared else self._if_above(to_come, holders)
        )

    def _if_above(self, to_come: int, holders: int) -> Worth:
        """Return the value after a score that changes nothing. While nobody holds a score, only a lost round is one."""
        if holders or self.kinds.may_lose:
            return self.worth(to_come - 1, holders)
        return Worth(np.zeros(1), np.zeros(1), (np.zeros(1),) * (to_come - 1))

    def _by_kind(self, holders: int, below: Floats, tied: Floats, above: Floats, at_once: float) -> Floats:
        """Return the value of each kind of end, (kinds, scores so far), given its value below, at and above each."""
        scores = self.kinds.scores[:, None]
        so_far = self.kinds.scores if holders else np.full(1, np.inf)
        cases = [scores < so_far, scores == so_far]
        by_score = np.select(cases, [below[:, None], tied], above)
        return np.concatenate([by_score, np.full((1, len(above)), at_once), above[None]])
