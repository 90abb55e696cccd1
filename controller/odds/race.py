"""The race of lucky-7: one throw each in turn until somebody shuts the only tile."""

from dataclasses import dataclass
from functools import cached_property
from math import fsum

from controller.odds.advice import After, Before
from controller.odds.aim import Aim
from controller.odds.model import throws_of
from controller.odds.stand import RoundState, check_players
from controller.rules.board import Board
from controller.rules.errors import InvalidOption
from controller.rules.ruleset import Ruleset
from controller.rules.throw import Throw


@dataclass(frozen=True)
class Race:
    """The chances in a race: one throw each in turn until somebody shuts the only tile; see `Seats`.

    P(seat i) = (1-p)^i p / (1 - (1-p)^N) of N players, i from 0, with the chance p to hit: the geometric series of the
    rounds, as in RULES of S002 with p = 1/6.
    Raises `InvalidOption` if the tile can never be hit.
    """

    rules: Ruleset

    def __post_init__(self) -> None:
        if not self._hit:
            raise InvalidOption("no throw can shut the tile of this race; give it a value from 2 to 12")

    def by_seat(self, players: int) -> tuple[float, ...]:
        check_players(players)
        return self._chances(players)

    def gains(self, players: int) -> tuple[float, ...]:
        # Who hits gets a stake of every other player, and the extra stakes for a shut.
        stakes = self.rules.terms.stake * (1 + self.rules.terms.stakes_for_shut)
        return tuple(stakes * (players * chance - 1) for chance in self.by_seat(players))

    def before(self, board: Board, state: RoundState) -> Before:
        # The chance of the player who throws next: there is no choice.
        if board.is_shut:
            return Before(1.0, None)
        return Before(self._chances(state.players)[0], max(self.rules.dice_allowed(board)))

    def after(self, board: Board, throw: Throw, state: RoundState) -> After:
        # A hit wins; after a miss the player is the last of all to throw again.
        moves = self.rules.legal_moves(board, throw)
        return After(1.0 if moves else self._chances(state.players)[-1], moves)

    def aim(self, state: RoundState) -> Aim:
        raise InvalidOption("in a race of single throws nobody plays a turn through")

    def effort(self, state: RoundState) -> int:
        return 0  # there is a formula

    @cached_property
    def _hit(self) -> float:
        start = self.rules.start()
        throws = throws_of(self.rules, self.rules.options.dice)
        return fsum(chance for throw, chance in throws if self.rules.legal_moves(start, throw))

    def _chances(self, players: int) -> tuple[float, ...]:
        miss = 1 - self._hit
        return tuple(miss**seat * self._hit / (1 - miss**players) for seat in range(players))
