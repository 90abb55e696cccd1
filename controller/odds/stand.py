"""The question after a chance to win (`Stand`), and the interface of those who answer it (`Seats`)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from controller.odds.aim import Aim
from controller.odds.limits import PLAYERS_OF_A_ROUND
from controller.rules import Board, InvalidOption, Throw

if TYPE_CHECKING:
    from controller.odds.advice import After, Before


@dataclass(frozen=True, slots=True)
class Stand:
    """The moment of a player in his round: the scores of those who have played, in playing order, and how many are
    to play after him. In a race of single throws scores are but counted: one for each player before him."""

    scores: tuple[int, ...]
    to_come: int


class Seats(Protocol):
    """The chances to win of one ruleset."""

    def by_seat(self, players: int) -> tuple[float, ...]:
        """The chance of each seat to win, in playing order, before the first throw; a shared win counts as a share.

        They add up to 1; where a round can be lost on the first throw, to 1 less the chance that all lose it.
        Raises `InvalidOption` unless there are 2 to 12 players.
        """

    def gains(self, players: int) -> tuple[float, ...]:
        """The expected gain of each seat in coins, if all play for coins; what does not divide is not rounded.

        They add up to 0. Raises as `by_seat`.
        """

    def before(self, board: Board, stand: Stand) -> "Before":
        """The chance to win of the player at turn before his throw, and with how many dice to throw.

        Raises `InvalidOption` where a score cannot occur.
        """

    def after(self, board: Board, throw: Throw, stand: Stand) -> "After":
        """The chance to win after a throw, and all best moves. Raises as `before`."""

    def aim(self, stand: Stand) -> Aim:
        """The same chance as an aim of the turn that the player at turn plays through, for `Odds` to work with.

        Raises as `before`, and `InvalidOption` in a race of single throws, where nobody has a turn of his own.
        """

    def effort(self, stand: Stand) -> int:
        """The work that `aim` has to do: boards, counted for each player that has to be looked at. Raises as `aim`."""


def check_players(players: int) -> None:
    """Raise `InvalidOption` unless so many can play a round."""
    if players not in PLAYERS_OF_A_ROUND:
        first, last = PLAYERS_OF_A_ROUND[0], PLAYERS_OF_A_ROUND[-1]
        raise InvalidOption(f"seats are for {first} to {last} players, not {players}")
