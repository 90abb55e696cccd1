"""A third family of games, for tests: players toss a coin in turn, and who has three heads first wins.

It is as small as a family can be, with commands and events that there are. What it consists of is all that the core
asks of a family.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from controller.errors import NotNow
from controller.game.core.actions import LABELS, Action, ActionKind, actions_at_end, refuse
from controller.game.core.commands import ClientCommand, Command, ConfirmTiles, StartGame
from controller.game.core.engine import Engine
from controller.game.core.events import GameAbandoned, GameEnded, GameEvent, GameStarted, TilesConfirmed
from controller.game.core.interruption import decide_interruption, evolve_interruption
from controller.game.core.message import Message, Messages, compose
from controller.game.core.phases import Ended, Halted, Held, Moving, Parked, TileMismatch, phase_name
from controller.game.core.players import Player, by_name, check_players
from controller.game.core.sight import SnapshotContext
from controller.game.shutbox.commands import TakeThrow
from controller.game.shutbox.events import DiceThrown
from controller.game.shutbox.state import AwaitingThrow
from controller.rules.board import Board
from controller.rules.errors import IllegalMove, InvalidOption
from controller.rules.options import Value
from controller.rules.tiles import NO_MARKS, Layout, Marks

HEAD, TAIL = 1, 2
HEADS_TO_WIN = 3
Resting = AwaitingThrow | Ended


@dataclass(frozen=True)
class CoinRules:
    """The rules, which have no options."""

    name: str = "coins"
    chosen: Mapping[str, Value] = field(default_factory=dict)
    layout: Layout = field(default_factory=lambda: Layout(1, HEADS_TO_WIN))
    sides: int = 2


@dataclass(frozen=True, slots=True)
class Coins:
    """One game: per seat its heads, and whose turn it is."""

    players: tuple[Player, ...]
    heads: tuple[int, ...]
    phase: Resting | Held[Resting]
    turn: int = 0
    believed: frozenset[str] = frozenset()
    rules: CoinRules = CoinRules()

    @property
    def board(self) -> Board:
        return Board.start(self.rules.layout)

    @property
    def resting(self) -> Resting:
        phase = self.phase
        return phase.then if isinstance(phase, Moving | Halted | Parked | TileMismatch) else phase

    @property
    def signs(self) -> tuple[str, ...]:
        return ()

    @property
    def is_over(self) -> bool:
        return isinstance(self.phase, Ended)

    @property
    def tells_odds(self) -> bool:
        return True

    @property
    def active(self) -> tuple[int, ...]:
        return tuple(range(len(self.players)))

    @property
    def round(self) -> int:
        return 1

    @property
    def scores(self) -> tuple[int | None, ...]:
        return self.heads

    @property
    def standing(self) -> tuple[int, ...]:
        return self.heads


class CoinEngine(Engine[Coins]):
    games = ("coins",)
    state = Coins

    def rules(self, game: str, options: Mapping[str, object], marks: Marks) -> CoinRules:
        if options or marks != NO_MARKS:
            raise InvalidOption(f"{game} has neither options nor marks")
        return CoinRules()

    def start(self, command: StartGame) -> tuple[GameEvent, ...]:
        check_players(command.players)
        return (GameStarted("coins", self.rules(command.game, command.options, command.marks).chosen, command.players),)

    def decide(self, game: Coins, command: Command) -> tuple[GameEvent, ...]:
        if isinstance(command, ClientCommand) and command.do not in {action.kind for action in self.actions(game)}:
            raise refuse(command.do, self.due(game), self.actions(game))
        held = decide_interruption(game, command, self.due(game))
        if held is not None:
            return held
        match command:
            case ConfirmTiles():
                return (TilesConfirmed(),)
            case TakeThrow(dice, source):
                if dice not in ((HEAD,), (TAIL,)):
                    raise IllegalMove("a coin shows 1 or 2")
                thrown = DiceThrown(dice, source)
                wins = game.heads[game.turn] + (dice == (HEAD,)) == HEADS_TO_WIN
                return (thrown, GameEnded((game.turn,))) if wins else (thrown,)
        raise NotNow("nothing of that kind is done with coins")

    def evolve(self, game: Coins | None, event: GameEvent) -> Coins:
        if isinstance(event, GameStarted):
            return Coins(event.players, (0,) * len(event.players), Moving(AwaitingThrow()))
        if game is None:
            raise ValueError("coins begin with their start")
        held = evolve_interruption(game, event)
        if held is not None:
            return held
        match event:
            case DiceThrown(dice):
                heads = tuple(each + (seat == game.turn and dice == (HEAD,)) for seat, each in enumerate(game.heads))
                return replace(game, heads=heads, turn=(game.turn + 1) % len(game.players))
            case GameEnded(winners):
                return replace(game, phase=Ended(winners))
            case GameAbandoned():
                return replace(game, phase=Ended((), given_up=True, before=game))
        raise ValueError(f"{event.kind} does not happen with coins")

    def facts(self, game: Coins) -> dict[str, Any]:
        return {
            "game": game.rules.name,
            "players": [player.name for player in game.players],
            "heads": game.heads,
            "turn": game.turn,
            "believed": sorted(game.believed),
            "phase": [phase_name(game.phase), asdict(game.phase)],
        }

    def actions(self, game: Coins, *, can_throw: bool = True) -> tuple[Action, ...]:
        if isinstance(game.phase, Ended):
            return actions_at_end(game.phase, game.players)
        everybody = tuple(player.name for player in game.players)
        kinds: dict[ActionKind, tuple[str, ...]] = {"park": everybody, "abandon": everybody}
        if isinstance(game.phase, AwaitingThrow) and can_throw:
            kinds["dice"] = (game.players[game.turn].name,)
        if isinstance(game.phase, Parked):
            kinds["go_on"] = everybody
        if isinstance(game.phase, Halted):
            kinds["try_again"] = everybody
        return tuple(Action(kind, LABELS[kind], by) for kind, by in kinds.items())

    def news(self, before: Coins | None, events: Sequence[GameEvent], after: Coins, by: int | None) -> Messages:
        if before is None or not any(isinstance(event, DiceThrown) for event in events):
            return ()
        name, heads = before.players[before.turn].name, after.heads[before.turn]
        return (compose("turn.ended", player=name, score=heads),)

    def describe(self, game: Coins, dice_wanted: int | None, *, camera_reads: bool, house_throws: bool) -> Message:
        if isinstance(game.phase, Ended):
            return compose("game.unwon")
        name = game.players[game.turn].name
        return compose("throw.awaited", player=name, thrower=name, by_house=False, counts=(1,), sides=2)

    def due(self, game: Coins) -> str:
        return "the game is over" if game.is_over else f"{game.players[game.turn].name} tosses the coin"

    def show(self, game: Coins, context: SnapshotContext) -> Mapping[str, Any]:
        return {
            "scores": by_name(game.players, game.scores),
            "turn": game.players[game.turn].name,
            "example": str(HEAD),
            "actions": self.actions(game, can_throw=not context.comparing),
        }


TOSSING = CoinEngine()
