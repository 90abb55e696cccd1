"""The game as a pure machine: `decide(game, command)` may refuse, `evolve(game, event)` never does.

Neither knows of time, metal or disk. After a power cut the journal is replayed through `evolve`, and the phase
says what is due next. One game is one match: a single round, or several (see `controller.match`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import assert_never

from controller import match as matches
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
    FirstRolled,
    GameAbandoned,
    GameEnded,
    GameEvent,
    GameHalted,
    GameParked,
    GameResumed,
    GameStarted,
    MoveChosen,
    Player,
    RoundEnded,
    RoundTied,
    ThrowCorrected,
    TilesConfirmed,
    TurnEnded,
    TurnPassed,
)
from controller.match import Match, RoundResult, Scores
from controller.phases import AwaitingThrow, Choosing, Ended, Halted, Moving, Parked, Phase, Resting, TurnDone, TurnLost
from controller.rules import Board, InvalidNotation, Ruleset, Throw, rules_of
from hardware.errors import Fault

MOST_PLAYERS = 12


@dataclass(frozen=True, slots=True)
class Game:
    """One game: who plays, whose turn it is (a seat, from 0), the board, the scores of the round, and the phase.

    The board is what the tiles must show; in `Moving` they are on their way there. `match` is what runs on over
    the rounds.
    """

    rules: Ruleset
    players: tuple[Player, ...]
    turn: int
    board: Board
    scores: Scores
    throws: int
    phase: Phase
    match: Match

    @property
    def player(self) -> Player:
        """The player at turn."""
        return self.players[self.turn]

    @property
    def is_over(self) -> bool:
        """Whether nothing more can happen in this game."""
        return isinstance(self.phase, Ended)

    @property
    def turn_scores(self) -> Scores:
        """The scores that turns are played for now: those of a play-off, else those of the round."""
        return self.match.play_off or self.scores

    @property
    def dice_allowed(self) -> frozenset[int]:
        """With how many dice the next throw may be made."""
        if self.match.rolling:
            return frozenset({self.rules.terms.first_dice})
        return self.rules.dice_allowed(self.board)


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
        case FirstRolled():
            return _first_rolled(game, event)
        case DiceThrown():
            return replace(game, throws=game.throws + 1, phase=_after_throw(game, Throw(event.dice)))
        case ThrowCorrected():
            return replace(game, phase=_after_throw(game, Throw(event.dice)))
        case MoveChosen():
            return _move_chosen(game, event)
        case TurnEnded():
            return _turn_ended(game, event)
        case TurnPassed():
            return _pass_turn(game)
        case RoundTied():
            return _round_tied(game, event)
        case RoundEnded():
            return _round_ended(game, event)
        case GameEnded():
            match_ = matches.settle(game.rules.terms, game.match, event.winners)
            return replace(game, match=match_, phase=Ended(event.winners))
        case GameHalted():
            return replace(game, phase=Halted(event.fault, _then(game.phase)))
        case GameParked():
            return replace(game, phase=Parked(_then(game.phase)))
        case GameResumed():
            return replace(game, phase=Moving(_then(game.phase)))
        case GameAbandoned():
            match_ = matches.settle(game.rules.terms, game.match, ())
            return replace(game, match=match_, phase=Ended((), given_up=True))
        case _:
            assert_never(event)


def replay(events: Iterable[GameEvent]) -> Game | None:
    """The game that these events lead to."""
    return reduce(evolve, events, None)


# What follows from a command.


def _start(game: Game | None, command: StartGame) -> tuple[GameEvent, ...]:
    if game is not None and not game.is_over:
        raise NotNow("a game is on; play it to its end or give it up first")
    check_players(command.players)
    rules = rules_of(command.game, command.options, command.marks)
    return (GameStarted(command.game, rules.chosen, command.players, command.marks),)


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
    if throw.dice[-1] > game.rules.sides:
        raise InvalidNotation(f"throw {throw}: a die of this game shows 1 to {game.rules.sides}")
    if len(throw.dice) not in game.dice_allowed:
        count = " or ".join(map(str, sorted(game.dice_allowed)))
        raise NotNow(f"this throw is made with {count} dice, not {len(throw.dice)}")
    match _seen_phase(game.phase):
        case AwaitingThrow() if game.match.rolling:
            return (FirstRolled(game.turn, throw.dice, command.source),)
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
    return (MoveChosen(tuple(tile.name for tile in move), command.why),)


def _confirm(game: Game) -> tuple[GameEvent, ...]:
    match game.phase:
        case TurnLost():
            return _after_miss(game)
        case Halted() | Parked():
            return (GameResumed(),)
    raise NotNow(f"there is nothing to confirm: {due(game)}")


def _after_miss(game: Game) -> tuple[GameEvent, ...]:
    """Nothing can be shut: the turn ends, and with it perhaps the round; or the next player throws."""
    if game.rules.terms.race == "rotation":
        return (TurnPassed(game.turn),)
    return _end_of_turn(game)


def _confirm_tiles(game: Game) -> tuple[GameEvent, ...]:
    if not isinstance(game.phase, Moving | Halted):
        raise NotNow(f"no tile is on its way: {due(game)}")
    # A shut box counts once the sensors have seen it.
    if game.board.is_shut and isinstance(game.phase.then, AwaitingThrow):
        return (TilesConfirmed(), *_end_of_turn(game))
    if isinstance(game.phase.then, TurnDone):
        passing = game.rules.terms.alternate and not game.board.is_shut
        return (TilesConfirmed(), *((TurnPassed(game.turn),) if passing else _end_of_turn(game)))
    return (TilesConfirmed(),)


def _is_halted_by(game: Game, fault: Fault) -> bool:
    return isinstance(game.phase, Halted) and game.phase.fault == fault


def _end_of_turn(game: Game) -> tuple[GameEvent, ...]:
    """The turn's score, and what it decides."""
    ended: list[GameEvent] = [TurnEnded(game.turn, game.rules.score(game.board), lost=_is_lost(game))]
    outright = _is_outright(game)
    after = evolve(game, ended[0])
    left = [seat for seat in game.match.order if after.turn_scores[seat] is None]
    if outright:
        ended += _scores_of_the_beaten(game, left)
    elif game.rules.terms.alternate and len(left) == 1:
        ended.append(TurnEnded(left[0], 0))
    elif left and not _is_cut_short(game, after.scores):
        return tuple(ended)
    return (*ended, *_end_of_round(reduce(evolve, ended, game), outright=outright))


def _is_outright(game: Game) -> bool:
    """Whether the box is shut and that decides the round; in a play-off the others still have their turn."""
    return game.board.is_shut and matches.shut_wins(game.rules.terms) and not game.match.play_off


def _is_cut_short(game: Game, scores: Scores) -> bool:
    """Whether a lost turn ends the round for those to come too: a 7 (unlucky-7), or a total at the limit."""
    seven = isinstance(game.phase, TurnLost) and game.rules.ends_round(game.phase.throw)
    return seven or matches.limit_reached(game.rules.terms, game.match, scores)


def _scores_of_the_beaten(game: Game, left: Iterable[int]) -> list[GameEvent]:
    """In a race everybody else stays with the tiles of the start; in other games who has not played has no score."""
    if game.rules.terms.race != "rotation":
        return []
    return [TurnEnded(seat, game.rules.score(game.rules.start())) for seat in left]


def _is_lost(game: Game) -> bool:
    """Whether a turn ends on its first throw in a game that calls this losing (2-to-go)."""
    return (
        game.rules.first_move_key is not None and game.rules.terms.lost != "turn" and game.board == game.rules.start()
    )


def _end_of_round(game: Game, *, outright: bool) -> tuple[GameEvent, ...]:
    terms = game.rules.terms
    leading = (game.turn,) if outright else matches.leaders(game.match, game.turn_scores)
    if matches.needs_play_off(terms, leading):
        return (RoundTied(leading),)
    result = RoundResult(matches.winners_of_round(terms, leading), outright)
    winners = matches.winners_of_match(terms, _match_after(game, result), result)
    ended = RoundEnded(result.winners, outright)
    return (ended,) if winners is None else (ended, GameEnded(winners))


def _match_after(game: Game, result: RoundResult) -> Match:
    return matches.after_round(game.rules.terms, game.match, game.scores, result)


# What an event changes.


def _started(event: GameStarted) -> Game:
    # Games journalled before there were matches began with the first seat, without saying so.
    rules = rules_of(event.game, {"first": "chosen", **event.options}, event.marks)
    seats = len(event.players)
    match_ = matches.opening(rules.terms, seats)
    return Game(rules, event.players, 0, rules.start(), (None,) * seats, 0, Moving(AwaitingThrow()), match_)


def _first_rolled(game: Game, event: FirstRolled) -> Game:
    match_ = matches.rolled(game.rules.terms, game.match, event.player, sum(event.dice))
    turn = match_.to_roll if match_.rolling else match_.order[0]
    return replace(game, match=match_, turn=turn, phase=AwaitingThrow())


def _after_throw(game: Game, throw: Throw) -> Resting:
    return Choosing(throw) if game.rules.legal_moves(game.board, throw) else TurnLost(throw)


def _move_chosen(game: Game, event: MoveChosen) -> Game:
    board = game.board.without(game.rules.move(event.tiles))
    done = isinstance(game.phase, Choosing) and game.rules.ends_turn(game.phase.throw)
    then = TurnDone() if done or game.rules.terms.alternate else AwaitingThrow()
    return replace(game, board=board, phase=Moving(then))


def _turn_ended(game: Game, event: TurnEnded) -> Game:
    """The score, and the next player's start. Where none is left, the board stays for all to see."""
    match_ = game.match
    if event.lost:
        match_ = replace(match_, lost=match_.lost | {event.player})
    if match_.play_off:
        game = replace(game, match=replace(match_, play_off=matches.noted(match_.play_off, event.player, event.score)))
    else:
        game = replace(game, match=match_, scores=matches.noted(game.scores, event.player, event.score))
    if event.player != game.turn or _is_outright(game) or _is_cut_short(game, game.scores):
        return game
    return _pass_turn(game, fresh=not game.rules.terms.alternate)


def _pass_turn(game: Game, *, fresh: bool = False) -> Game:
    """The next seat that still plays this round, on a fresh board or on the one that lies there."""
    order = game.match.order
    at = order.index(game.turn)
    waiting = [seat for seat in (*order[at + 1 :], *order[: at + 1]) if _still_plays(game, seat)]
    if not waiting:
        return game
    board = _next_board(game) if fresh else game.board
    return replace(game, turn=waiting[0], board=board, phase=Moving(AwaitingThrow()))


def _still_plays(game: Game, seat: int) -> bool:
    return game.turn_scores[seat] is None


def _next_board(game: Game) -> Board:
    """The board of the next turn: all tiles up, or the one that was left where the players agreed on that."""
    carried = game.rules.options.carry_board and not game.board.is_shut
    return game.board if carried else game.rules.start()


def _round_tied(game: Game, event: RoundTied) -> Game:
    """Only the tied play another turn, in their order."""
    match_ = replace(game.match, order=event.players, play_off=(None,) * len(game.players))
    turn = event.players[0]
    return replace(game, match=match_, turn=turn, board=_next_board(game), phase=Moving(AwaitingThrow()))


def _round_ended(game: Game, event: RoundEnded) -> Game:
    """What the round added; then the next one begins, unless `GameEnded` follows."""
    result = RoundResult(event.winners, event.outright)
    match_ = _match_after(game, result)
    if matches.winners_of_match(game.rules.terms, match_, result) is not None:
        return replace(game, match=match_)
    match_ = matches.next_round(game.rules.terms, match_, result)
    fresh = replace(game, match=match_, scores=(None,) * len(game.players), turn=match_.order[0])
    return replace(fresh, board=_next_board(game), phase=Moving(AwaitingThrow()))


def _then(phase: Phase) -> Resting:
    """What a game is about, whether its tiles are in place or not."""
    return phase.then if isinstance(phase, Moving | Halted | Parked) else phase


def due(game: Game) -> str:
    """What the game waits for, in a few words."""
    match game.phase:
        case AwaitingThrow() if game.match.rolling:
            return f"{game.player.name} throws for who begins"
        case AwaitingThrow():
            return f"{game.player.name} throws"
        case Choosing(throw):
            return f"{game.player.name} chooses tiles for {throw}"
        case TurnLost(throw):
            return f"nothing can be shut with {throw}; confirm or correct the dice"
        case TurnDone():
            return f"the turn of {game.player.name} ends"
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
