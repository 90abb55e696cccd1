"""The engine of a family of games: a machine of its own, for games that have some things in common with all others.

Which engines there are stands in `controller.game.table.engines`.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import Field
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from controller.game.core.actions import Action
from controller.game.core.commands import Command, StartGame
from controller.game.core.events import GameEvent
from controller.game.core.message import Message, Messages
from controller.game.core.phases import AnyPhase
from controller.game.core.players import Player
from controller.game.core.sight import SnapshotContext
from controller.rules.board import Board
from controller.rules.options import Value
from controller.rules.tiles import Layout, Marks


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


def moved_tiles(before: AnyGame, after: AnyGame) -> frozenset[str]:
    """The tiles that stand in one of two games, and lie in the other."""
    known = before.board.layout.by_name.items()
    return frozenset(name for name, tile in known if before.board.stands(tile) != after.board.stands(tile))


OfFamily = TypeVar("OfFamily", bound=AnyGame)


class Engine(ABC, Generic[OfFamily]):
    """The machine of a family. What its methods are given is a game of this family, or nothing before its start.

    games: the names of its games. state: the class of its games.
    """

    games: Collection[str]
    state: type[OfFamily]

    @abstractmethod
    def rules(self, game: str, options: Mapping[str, object], marks: Marks) -> AnyRules:
        """Return the rules with these options. Raises `InvalidOption` or `InvalidNotation`."""

    @abstractmethod
    def start(self, command: StartGame) -> tuple[GameEvent, ...]:
        """Return the events that begin a game. Raises `BadPlayers`, and as `rules`."""

    @abstractmethod
    def decide(self, game: OfFamily, command: Command) -> tuple[GameEvent, ...]:
        """Return the events that follow from a command; none if nothing changes.

        Raises `NotNow`, `IllegalMove`, `InvalidNotation` or `InvalidOption`.
        """

    @abstractmethod
    def evolve(self, game: OfFamily | None, event: GameEvent) -> OfFamily:
        """Return the game after an event, which is never refused; before its start there is no game."""

    @abstractmethod
    def facts(self, game: OfFamily) -> dict[str, Any]:
        """Return all that a game has come to, as plain values, of which its digest is made.

        Whatever is changed here makes every journal that was ever written differ.
        """

    @abstractmethod
    def actions(self, game: OfFamily, *, can_throw: bool) -> tuple[Action, ...]:
        """Return everything that can be done now. can_throw: see `controller.game.table.engines.actions_of`."""

    @abstractmethod
    def due(self, game: OfFamily) -> str:
        """Return what the game waits for, in a few words that end a refusal."""

    @abstractmethod
    def describe(self, game: OfFamily, dice_wanted: int | None, *, camera_reads: bool, house_throws: bool) -> Message:
        """Return the message for this moment: whose turn it is, what now, what the box waits for.

        dice_wanted: with how many dice a house player wants its throw, where it may choose. camera_reads: False where
        people type what they have thrown. house_throws: a house player throws for itself, and dice of a claim lie
        there without being laid, as at a simulated box.
        """

    @abstractmethod
    def news(self, before: OfFamily | None, events: Sequence[GameEvent], after: OfFamily, by: int | None) -> Messages:
        """Return the news in `events`, which led from one game to the other. by: the seat that acted, if one did."""

    @abstractmethod
    def show(self, game: OfFamily, context: SnapshotContext) -> Mapping[str, Any]:
        """Return the fields of a `Snapshot`, by name, that this family fills in a way of its own.

        `comparing` is True in the context only where that keeps the game waiting.
        """
