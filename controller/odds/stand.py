"""The state of a round for the player at turn, and the interface of the chances to win."""

from dataclasses import dataclass
from typing import Protocol

from controller.odds.advice import After, Before
from controller.odds.aim import Aim
from controller.odds.limits import PLAYERS_OF_A_ROUND
from controller.rules.board import Board
from controller.rules.errors import InvalidOption
from controller.rules.throw import Throw


@dataclass(frozen=True, slots=True)
class RoundState:
    """A round from the view of the player at turn.

    scores: of the players who have played, in playing order. A race of single throws only counts them: one for each
        player before.
    to_come: the number of players still to play.
    """

    scores: tuple[int, ...]
    to_come: int

    @property
    def players(self) -> int:
        """The number of all players."""
        return len(self.scores) + 1 + self.to_come


class Seats(Protocol):
    """The chances to win of one ruleset."""

    def by_seat(self, players: int) -> tuple[float, ...]:
        """Return each seat's chance to win before the first throw, in playing order; a shared win counts as a share.

        They add up to 1; if a round can be lost on the first throw, to 1 minus the chance that all lose it.
        Raises `InvalidOption` unless there are 2 to 12 players.
        """

    def gains(self, players: int) -> tuple[float, ...]:
        """Return the expected gain of each seat in coins if all play for coins; fractions are not rounded.

        They add up to 0. Raises as `by_seat`.
        """

    def before(self, board: Board, state: RoundState) -> Before:
        """Return the chance to win of the player at turn before a throw, and the best number of dice.

        Raises `InvalidOption` if a score cannot occur.
        """

    def after(self, board: Board, throw: Throw, state: RoundState) -> After:
        """Return the chance to win after a throw, and all best moves. Raises as `before`."""

    def aim(self, state: RoundState) -> Aim:
        """Return the same chance as an aim for `Odds`, for the turn of the player at turn.

        Raises as `before`, and `InvalidOption` in a race of single throws, which has no turns of one player.
        """

    def effort(self, state: RoundState) -> int:
        """Return the work of `aim`: boards times the players to be evaluated. Raises as `aim`."""


def check_players(players: int) -> None:
    """Raise `InvalidOption` unless this number of players can play a round."""
    if players not in PLAYERS_OF_A_ROUND:
        first, last = PLAYERS_OF_A_ROUND[0], PLAYERS_OF_A_ROUND[-1]
        raise InvalidOption(f"seats are for {first} to {last} players, not {players}")
