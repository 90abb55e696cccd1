"""The game as a pure machine: `decide(game, command)` may refuse, `evolve(game, event)` never does.

Neither knows of time, metal or disk. After a power cut the journal is replayed through `evolve`, and the phase
says what is due next.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import assert_never

from controller.commands import (
    Abandon,
    Choose,
    Command,
    Confirm,
    ConfirmTiles,
    Park,
    ReportFault,
    StartGame,
    TakeThrow,
)
from controller.errors import NotNow
from controller.events import (
    DiceThrown,
    GameAbandoned,
    GameEnded,
    GameEvent,
    GameHalted,
    GameParked,
    GameResumed,
    GameStarted,
    MoveChosen,
    Player,
    ThrowCorrected,
    TilesConfirmed,
    TurnEnded,
)
from controller.phases import AwaitingThrow, Choosing, Ended, Halted, Moving, Parked, Phase, Resting, TurnLost
from controller.rules import Board, InvalidNotation, Ruleset, Throw, rules_of
from hardware.errors import Fault

MOST_PLAYERS = 12


@dataclass(frozen=True, slots=True)
class Game:
    """One game: who plays, whose turn it is (a seat, from 0), the board, the scores so far, and the phase.

    The board is what the tiles must show; in `Moving` they are on their way there.
    """

    rules: Ruleset
    players: tuple[Player, ...]
    turn: int
    board: Board
    scores: tuple[int | None, ...]
    throws: int
    phase: Phase

    @property
    def player(self) -> Player:
        """The player at turn."""
        return self.players[self.turn]

    @property
    def is_over(self) -> bool:
        """Whether nothing more can happen in this game."""
        return isinstance(self.phase, Ended)


def decide(game: Game | None, command: Command) -> tuple[GameEvent, ...]:
    """What follows from `command`. Raises `NotNow`, `IllegalMove`, `InvalidNotation` or `InvalidOption`."""
    if isinstance(command, StartGame):
        return _start(game, command)
    if game is None or game.is_over:
        if isinstance(command, Park):
            return ()
        raise NotNow("no game is on; start one first")
    match command:
        case TakeThrow():
            return _take_throw(game, command)
        case Choose():
            return _choose(game, command)
        case Confirm():
            return _confirm(game)
        case ConfirmTiles():
            return _confirm_tiles(game)
        case ReportFault():
            return () if _is_halted_by(game, command.fault) else (GameHalted(command.fault),)
        case Park():
            return () if isinstance(game.phase, Parked) else (GameParked(),)
        case Abandon():
            return (GameAbandoned(),)
        case _:
            assert_never(command)


def evolve(game: Game | None, event: GameEvent) -> Game:
    """The game after `event`."""
    if isinstance(event, GameStarted):
        return _started(event)
    if game is None:
        raise ValueError(f"a game cannot begin with {event.kind}")
    match event:
        case TilesConfirmed():
            return replace(game, phase=_then(game.phase))
        case DiceThrown():
            return replace(game, throws=game.throws + 1, phase=_after_throw(game, Throw(event.dice)))
        case ThrowCorrected():
            return replace(game, phase=_after_throw(game, Throw(event.dice)))
        case MoveChosen():
            board = game.board.without(game.rules.move(event.tiles))
            return replace(game, board=board, phase=Moving(AwaitingThrow()))
        case TurnEnded():
            return _turn_ended(game, event)
        case GameEnded():
            return replace(game, phase=Ended(event.winners))
        case GameHalted():
            return replace(game, phase=Halted(event.fault, _then(game.phase)))
        case GameParked():
            return replace(game, phase=Parked(_then(game.phase)))
        case GameResumed():
            return replace(game, phase=Moving(_then(game.phase)))
        case GameAbandoned():
            return replace(game, phase=Ended(()))
        case _:
            assert_never(event)


def replay(events: Iterable[GameEvent]) -> Game | None:
    """The game that these events lead to."""
    return reduce(evolve, events, None)


def _start(game: Game | None, command: StartGame) -> tuple[GameEvent, ...]:
    if game is not None and not game.is_over:
        raise NotNow("a game is on; play it to its end or give it up first")
    check_players(command.players)
    rules = rules_of(command.game, command.options)
    return (GameStarted(command.game, rules.chosen, command.players),)


def check_players(players: Sequence[Player]) -> None:
    """Raise `InvalidNotation` unless these can sit down together."""
    names = [player.name for player in players]
    if not 1 <= len(names) <= MOST_PLAYERS or len(set(names)) < len(names) or not all(map(_is_name, names)):
        shown = ", ".join(map(repr, names)) or "(none)"
        raise InvalidNotation(f"players {shown}: 1 to {MOST_PLAYERS} different names of 1 to 24 characters")


def _is_name(name: str) -> bool:
    return 1 <= len(name) <= 24 and name == name.strip() and name.isprintable()


def _take_throw(game: Game, command: TakeThrow) -> tuple[GameEvent, ...]:
    throw = Throw(command.dice)
    allowed = game.rules.dice_allowed(game.board)
    if len(throw.dice) not in allowed:
        count = " or ".join(map(str, sorted(allowed)))
        raise NotNow(f"this throw is made with {count} dice, not {len(throw.dice)}")
    match _seen_phase(game.phase):
        case AwaitingThrow():
            return (DiceThrown(throw.dice, command.source),)
        case Choosing(read) | TurnLost(read):
            return (ThrowCorrected(read.dice, throw.dice),)
    raise NotNow(f"no throw can be taken now: {due(game)}")


def _seen_phase(phase: Phase) -> Phase:
    """Eyes can stand in for a camera that is at fault: to them, the game it halted goes on."""
    return phase.then if isinstance(phase, Halted) and phase.fault.code.startswith("V-") else phase


def _choose(game: Game, command: Choose) -> tuple[GameEvent, ...]:
    if not isinstance(game.phase, Choosing):
        raise NotNow(f"nothing can be chosen now: {due(game)}")
    move = game.rules.move(command.tiles)
    game.rules.after(game.board, game.phase.throw, move)
    return (MoveChosen(tuple(tile.name for tile in move)),)


def _confirm(game: Game) -> tuple[GameEvent, ...]:
    match game.phase:
        case TurnLost():
            return _end_of_turn(game)
        case Halted() | Parked():
            return (GameResumed(),)
    raise NotNow(f"there is nothing to confirm: {due(game)}")


def _confirm_tiles(game: Game) -> tuple[GameEvent, ...]:
    if not isinstance(game.phase, Moving | Halted):
        raise NotNow(f"no tile is on its way: {due(game)}")
    # A shut box counts once the sensors have seen it.
    shut = game.board.is_shut and isinstance(game.phase.then, AwaitingThrow)
    return (TilesConfirmed(), *_end_of_turn(game)) if shut else (TilesConfirmed(),)


def _is_halted_by(game: Game, fault: Fault) -> bool:
    return isinstance(game.phase, Halted) and game.phase.fault == fault


def _end_of_turn(game: Game) -> tuple[GameEvent, ...]:
    ended = TurnEnded(game.turn, game.rules.score(game.board))
    scores = _with_score(game, ended)
    if _wins_at_once(game):
        return ended, GameEnded((game.turn,))
    return (ended, GameEnded(_lowest(scores))) if None not in scores else (ended,)


def _wins_at_once(game: Game) -> bool:
    return game.board.is_shut and game.rules.options.shut == "immediate"


def _lowest(scores: tuple[int | None, ...]) -> tuple[int, ...]:
    best = min(score for score in scores if score is not None)
    return tuple(seat for seat, score in enumerate(scores) if score == best)


def _with_score(game: Game, ended: TurnEnded) -> tuple[int | None, ...]:
    return (*game.scores[: ended.player], ended.score, *game.scores[ended.player + 1 :])


def _started(event: GameStarted) -> Game:
    rules = rules_of(event.game, event.options)
    scores = (None,) * len(event.players)
    return Game(rules, event.players, 0, rules.start(), scores, 0, Moving(AwaitingThrow()))


def _after_throw(game: Game, throw: Throw) -> Resting:
    return Choosing(throw) if game.rules.legal_moves(game.board, throw) else TurnLost(throw)


def _turn_ended(game: Game, event: TurnEnded) -> Game:
    """The next player's start. Where none is left, `GameEnded` follows and the board stays for all to see."""
    scores = _with_score(game, event)
    if None not in scores or _wins_at_once(game):
        return replace(game, scores=scores)
    carried = game.rules.options.carry_board and not game.board.is_shut
    return replace(
        game,
        scores=scores,
        turn=game.turn + 1,
        board=game.board if carried else game.rules.start(),
        phase=Moving(AwaitingThrow()),
    )


def _then(phase: Phase) -> Resting:
    """What a game is about, whether its tiles are in place or not."""
    return phase.then if isinstance(phase, Moving | Halted | Parked) else phase


def due(game: Game) -> str:
    """What the game waits for, in a few words."""
    match game.phase:
        case AwaitingThrow():
            return f"{game.player.name} throws"
        case Choosing(throw):
            return f"{game.player.name} chooses tiles for {throw}"
        case TurnLost(throw):
            return f"nothing can be shut with {throw}; confirm or correct the dice"
        case Moving():
            return "the tiles are moving"
        case Halted(fault):
            return f"{fault.part} needs help"
        case Parked():
            return "the game is paused"
        case Ended():
            return "the game is over"
        case _:
            assert_never(game.phase)
