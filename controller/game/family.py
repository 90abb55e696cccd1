"""What a family of games is: a machine of its own, for games that have some things in common with all others.

Which families there are stands in `controller.game.families`.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import Field, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from controller.game.actions import Action
from controller.game.commands import Command, StartGame
from controller.game.events import GameEvent
from controller.game.message import Message, Messages
from controller.game.phases import AnyPhase
from controller.game.players import Player
from controller.rules import Board, Layout, Marks, Value

if TYPE_CHECKING:
    from controller.game.snapshot import Snapshot, SnapshotContext


class AnyRules(Protocol):
    """The rules of a game of any family, with the options chosen for it."""

    @property
    def name(self) -> str:
        """The name of the game."""

    @property
    def chosen(self) -> Mapping[str, Value]:
        """Its options, all spelled out."""

    @property
    def layout(self) -> Layout:
        """Its tiles."""

    @property
    def sides(self) -> int:
        """How many sides its dice have."""


class AnyGame(Protocol):
    """A game of any family: a frozen dataclass, of which `phase` and `believed` are fields."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def rules(self) -> AnyRules:
        """What is played."""

    @property
    def players(self) -> tuple[Player, ...]:
        """Who plays, seat by seat."""

    @property
    def board(self) -> Board:
        """What the tiles must show."""

    @property
    def phase(self) -> AnyPhase:
        """What is due next."""

    @property
    def resting(self) -> AnyPhase:
        """The phase that it is in once its tiles are in place and no fault, pause or question holds it."""

    @property
    def believed(self) -> frozenset[str]:
        """The tiles that somebody says are where they should be, whatever their sensors say."""

    @property
    def signs(self) -> tuple[str, ...]:
        """The tiles that the box moves as signs to people now, wherever the game has them."""

    @property
    def is_over(self) -> bool:
        """True if nothing more can happen in this game."""

    @property
    def tells_odds(self) -> bool:
        """False while it is on and nobody may be told its odds, as agreed."""

    @property
    def active(self) -> tuple[int, ...]:
        """The seats that are still in it."""

    @property
    def round(self) -> int:
        """The number of the round that is played, from 1."""

    @property
    def scores(self) -> tuple[int | None, ...]:
        """Per seat the score of this round; None where there is none yet."""

    @property
    def standing(self) -> tuple[int, ...]:
        """Per seat what several rounds have come to; empty for a single round."""


@dataclass(frozen=True, slots=True)
class Family:
    """The machine of a family. What each function is given is a game of this family, or nothing before its start.

    games: the names of its games. state: the class of its games. rules: those of a game with options and marks, raises
    `InvalidOption` or `InvalidNotation`. start: raises what `decide` raises. facts: what a digest is made of. describe:
    the moment, as a sentence, with `dice_wanted` by a house player and whether the camera `reads` these dice; due: what
    a game waits for, in a few words. show: the snapshot of a game, of which it is given the part that all games have;
    `comparing` is True in its context only where that keeps the game waiting.
    """

    games: Collection[str]
    state: type[AnyGame]
    rules: Callable[[str, Mapping[str, object], Marks], AnyRules]
    start: Callable[[StartGame], tuple[GameEvent, ...]]
    decide: Callable[[Any, Command], tuple[GameEvent, ...]]
    evolve: Callable[[Any, GameEvent], AnyGame]
    facts: Callable[[Any], dict[str, Any]]
    actions: Callable[..., tuple[Action, ...]]
    news: Callable[[Any, Sequence[GameEvent], Any, int | None], Messages]
    describe: Callable[[Any, int | None, bool], Message]
    due: Callable[[Any], str]
    show: Callable[[Any, "Snapshot", "SnapshotContext"], "Snapshot"]
