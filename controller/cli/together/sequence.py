"""The sequence of a match: what its players did, without what happened to tiles, and a chain of digests over it. Pure.

Two boxes tell the same match by the same sequence. What follows from it by the rules (whose turn it is, scores, the
end) is worked out here once more, and goes into the chain: boxes whose rules differ have different digests.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import reduce
from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, StrictBool, StrictInt

from controller.errors import ShutboxError
from controller.game.core.actions import ActionKind
from controller.game.core.commands import Abandon, ClientCommand, ConfirmTiles, Undo
from controller.game.core.events import GameAbandoned, GameEvent, GameResumed, GameStarted
from controller.game.core.phases import Ended, Moving
from controller.game.core.players import LONGEST_NAME, MOST_PLAYERS
from controller.game.shutbox.actions import seat_of
from controller.game.shutbox.commands import MOST_DICE, MOST_TILES, AcceptLoss, Choose, CorrectThrow, TakeThrow
from controller.game.shutbox.events import (
    BoxEvent,
    ChoiceUndone,
    DiceThrown,
    FirstRolled,
    MoveChosen,
    ThrowCorrected,
    TurnEnded,
    TurnPassed,
)
from controller.game.shutbox.state import Game, TurnLost
from controller.game.stn.record import facts_of
from controller.game.table.engines import decide, digest_facts, evolve
from controller.rules.errors import RulesError

Kind = Literal["first", "throw", "correct", "choose", "undo", "accept", "give_up", "play_on"]
ANYBODY: tuple[Kind, ...] = ("give_up", "play_on")  # of no seat: people at either box may
Die = Annotated[StrictInt, Field(ge=1, le=99)]
TileName = Annotated[str, Field(min_length=1, max_length=12)]
OptionValue = StrictBool | StrictInt | Annotated[str, Field(max_length=40)]


@dataclass(frozen=True, slots=True)
class Action:
    """What somebody did. seat: from 0, of whose turn it was a part; None for what everybody may do."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    kind: Kind
    seat: Annotated[int | None, Field(ge=0, lt=MOST_PLAYERS)] = None
    dice: Annotated[tuple[Die, ...], Field(max_length=MOST_DICE, fail_fast=True)] = ()
    tiles: Annotated[tuple[TileName, ...], Field(max_length=MOST_TILES, fail_fast=True)] = ()

    def __str__(self) -> str:
        held = " ".join((*map(str, self.dice), *self.tiles))
        return f"{self.kind.replace('_', ' ')} {held}".rstrip()


@dataclass(frozen=True, slots=True)
class Start:
    """How a match begins: the game, all of its options spelled out, the players seat by seat."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    game: Annotated[str, Field(max_length=40)]
    players: Annotated[tuple[Annotated[str, Field(max_length=LONGEST_NAME)], ...], Field(max_length=MOST_PLAYERS)]
    options: Annotated[Mapping[str, OptionValue], Field(max_length=60)]

    @classmethod
    def of(cls, event: GameStarted) -> Self:
        return cls(event.game, tuple(player.name for player in event.players), dict(event.options))

    @property
    def digest(self) -> str:
        return _digest(json.dumps(asdict(self), sort_keys=True))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def command_of(action: Action) -> ClientCommand:
    """Return the command that does the same at another box.

    What is taken back there is vouched for: once tiles move, their sensors are asked again, whatever people said.
    """
    match action.kind:
        case "first" | "throw":
            return TakeThrow(action.dice)
        case "correct":
            return CorrectThrow(action.dice)
        case "choose":
            return Choose(action.tiles)
        case "accept":
            return AcceptLoss()
        case "give_up":
            return Abandon()
        case "undo" | "play_on":
            return Undo(vouched=True)


def action_of(game: Game, event: GameEvent) -> Action | None:
    """Return what somebody did by this event, which comes after `game`; None for what followed, or befell tiles."""
    match event:
        case FirstRolled(player, dice):
            return Action("first", player, dice)
        case DiceThrown(dice):
            return Action("throw", game.turn, dice)
        case ThrowCorrected(_, dice):
            return Action("correct", game.turn, dice)
        case MoveChosen(tiles):
            return Action("choose", game.turn, tiles=tuple(sorted(tiles)))
        case ChoiceUndone(player):
            return Action("undo", player)
        case TurnEnded(player) | TurnPassed(player) if isinstance(game.resting, TurnLost):
            return Action("accept", player)
        case GameAbandoned():
            return Action("give_up")
        case GameResumed() if isinstance(game.phase, Ended):
            return Action("play_on")
    return None


def settled(game: Game) -> tuple[Game, list[GameEvent]]:
    """Return a game once its tiles have arrived, and the events that this leads to besides."""
    found: list[GameEvent] = []
    while isinstance(game.phase, Moving):
        events = decide(game, ConfirmTiles())
        found += [event for event in events if isinstance(event, BoxEvent) or event.kind == "game_ended"]
        game = reduce(_evolve, events, game)
    return game, found


def _evolve(game: Game, event: GameEvent) -> Game:
    after = evolve(game, event)
    assert isinstance(after, Game)  # noqa: S101  an event leads to no other family
    return after


@dataclass(frozen=True, slots=True)
class Sequence:
    """The actions so far. chain: a digest before the first and after each. game: by the rules, its tiles arrived.

    due: the events that must still follow from the last actions, in the journal of a box whose tiles are on their way.
    """

    start: Start
    actions: tuple[Action, ...]
    chain: tuple[str, ...]
    game: Game
    due: tuple[GameEvent, ...] = ()

    @classmethod
    def begin(cls, event: GameStarted) -> Self:
        start, game = Start.of(event), evolve(None, event)
        if not isinstance(game, Game):
            raise ValueError("a race is no match of two boxes")
        game, due = settled(game)
        return cls(start, (), (start.digest,), game, tuple(due))

    @property
    def n(self) -> int:
        return len(self.actions)

    @property
    def is_over(self) -> bool:
        return self.game.is_over

    def seat_for(self, kind: Kind) -> int | None:
        """Return whose turn an action of this kind would be a part of now; None for what everybody may do."""
        if kind in ANYBODY:
            return None
        asked: ActionKind = "undo" if kind == "undo" else "correct" if kind == "correct" else "choose"
        return self.game.players.index(seat_of(self.game, asked))

    def after(self, action: Action) -> Self:
        """Return the sequence with one more action. Raises `RulesError` or `ShutboxError` where the rules refuse it."""
        events = decide(self.game, command_of(action))
        first, *more = events
        told = action_of(self.game, first)
        if told != replace(action, tiles=tuple(sorted(action.tiles))):
            raise ValueError(f"it would be {told}")
        game, arrived = settled(reduce(_evolve, events, self.game))
        words = json.dumps(asdict(told), sort_keys=True)
        link = _digest(self.chain[-1] + words + digest_facts(facts_of(game)))
        due = tuple(event for event in (*self.due, *more, *arrived) if event.kind != "tiles_confirmed")
        return replace(self, actions=(*self.actions, told), chain=(*self.chain, link), game=game, due=due)


@dataclass
class Reader:
    """Reads the events of a journal, one after the other, into a sequence.

    differs: what of this journal does not follow by the rules; empty while all does.
    """

    sequence: Sequence | None = None
    events: int = 0
    differs: str = ""
    _game: Game | None = field(default=None, repr=False)

    def read(self, event: GameEvent) -> None:
        """Read the next event."""
        self.events += 1
        game, self._game = self._game, _evolve(self._game, event) if self._game is not None else None
        if isinstance(event, GameStarted):
            self.sequence = Sequence.begin(event)
            after = evolve(None, event)
            self._game = after if isinstance(after, Game) else None
            return
        if game is None or self.sequence is None or self.differs:
            return
        action, at = action_of(game, event), f"action {self.sequence.n + 1}"
        if action is not None:
            try:
                self.sequence = self.sequence.after(action)
            except (RulesError, ShutboxError, ValueError) as error:
                self.differs = f"{at} ({action}) of this journal is refused by the rules of this program: {error}"
        elif isinstance(event, BoxEvent) or event.kind == "game_ended":
            if self.sequence.due[:1] == (event,):
                self.sequence = replace(self.sequence, due=self.sequence.due[1:])
            else:
                self.differs = f"before {at} this journal has {event.kind}, which does not follow by the rules"
