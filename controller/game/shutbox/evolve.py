"""Events applied to a game of tiles: what each event changes. The one place where such a game becomes another one.

It never refuses, for what it is given has happened. After a power cut the journal is replayed through it, and the
phase says what is due next.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import reduce

from controller.game.core.engine import moved_tiles
from controller.game.core.events import GameAbandoned, GameEnded, GameEvent, GameStarted
from controller.game.core.interruption import evolve_interruption
from controller.game.core.phases import Ended, Halted, Moving, Parked, TileMismatch
from controller.game.shutbox import match as matches
from controller.game.shutbox.events import (
    BoardCorrected,
    ChoiceUndone,
    DiceThrown,
    FirstRolled,
    MoveChosen,
    RoundEnded,
    RoundTied,
    ThrowCorrected,
    TurnEnded,
    TurnPassed,
)
from controller.game.shutbox.state import (
    AwaitingThrow,
    Choosing,
    Game,
    Resting,
    TurnDone,
    TurnLost,
    is_cut_short,
    is_outright,
    match_after,
    result_of,
)
from controller.rules.board import Board
from controller.rules.shutbox.ruleset import rules_of
from controller.rules.throw import Throw


def evolve_box_game(game: Game | None, event: GameEvent) -> Game:
    """The game after `event`; without a game before it, `event` must be `GameStarted`, else `ValueError` is raised."""
    if game is None:
        if not isinstance(event, GameStarted):
            raise ValueError(f"a game cannot begin with {event.kind}")
        return _start(event)
    held = evolve_interruption(game, event)
    if held is not None:
        return held
    match event:
        case GameEnded(winners):
            match_ = matches.settle(game.rules.terms, game.match, winners)
            return replace(game, match=match_, phase=Ended(winners))
        case GameAbandoned():
            match_ = matches.settle(game.rules.terms, game.match, ())
            return replace(game, match=match_, phase=Ended((), given_up=True, before=game))
    after = _apply(game, event)
    if after.board is game.board or not after.believed:
        return after
    # A tile that has to move is no longer believed to be where it is: its sensors are asked again.
    return replace(after, believed=after.believed - moved_tiles(game, after))


def _apply(game: Game, event: GameEvent) -> Game:
    match event:
        case GameStarted():
            return _start(event)
        case FirstRolled():
            match_ = matches.take_first_roll(game.rules.terms, game.match, event.player, sum(event.dice))
            turn = match_.to_roll if match_.rolling else match_.order[0]
            return replace(game, match=match_, turn=turn, phase=AwaitingThrow())
        case DiceThrown():
            phase = _phase_after_throw(game, Throw(event.dice))
            return replace(game, throws=game.throws + 1, phase=phase, earlier=None)
        case ThrowCorrected():
            # The tiles of a choice that was taken back may still be on their way.
            phase = _phase_after_throw(game, Throw(event.dice))
            return replace(game, phase=Moving(phase) if isinstance(game.phase, Moving) else phase)
        case MoveChosen():
            # After a power cut, tiles that lie may be said to be the choice for the throw that lay before.
            return _shut_tiles(_remembered(replace(game, phase=game.resting)), event)
        case ChoiceUndone():
            return _undo(game, event)
        case TurnEnded():
            return _end_turn(_remembered(game), event)
        case TurnPassed():
            return _pass_turn(_remembered(game))
        case RoundTied():
            # Only the tied play another turn, in their order.
            match_ = replace(game.match, order=event.players, play_off=(None,) * len(game.players))
            turn, board = event.players[0], _next_board(game)
            return replace(game, match=match_, turn=turn, board=board, phase=Moving(AwaitingThrow()))
        case RoundEnded():
            return _end_round(game, event)
        case BoardCorrected(standing):
            return _correct_board(game, standing)
    raise ValueError(f"{event.kind} does not happen in this game")


def replay_box_game(events: Iterable[GameEvent]) -> Game | None:
    """The game that these events lead to, from its first event on; None for no events. Raises as `evolve_box_game`."""
    return reduce(evolve_box_game, events, None)


def _start(event: GameStarted) -> Game:
    rules = rules_of(event.game, event.options, event.marks)
    seats = len(event.players)
    match_ = matches.new_match(rules.terms, seats)
    return Game(rules, event.players, 0, rules.start(), (None,) * seats, 0, Moving(AwaitingThrow()), match_)


def _phase_after_throw(game: Game, throw: Throw) -> Resting:
    return Choosing(throw) if game.rules.legal_moves(game.board, throw) else TurnLost(throw)


def _remembered(game: Game) -> Game:
    """The game, which knows itself as it is now, while a throw lies of which nothing has come yet."""
    lies = isinstance(game.phase, Choosing | TurnLost)
    return replace(game, earlier=replace(game, earlier=None)) if lies else game


def _undo(game: Game, event: ChoiceUndone) -> Game:
    """The game before what followed from the last throw; its tiles are brought there."""
    before = game.earlier
    if before is None or isinstance(before.phase, Moving | Halted | Parked | TileMismatch):
        raise ValueError("there is nothing to take back")
    undone = list(game.undone or (0,) * len(game.players))
    undone[event.player] += 1
    # What was vouched for meanwhile still is; what moves is doubted by `evolve`.
    return replace(before, phase=Moving(before.phase), believed=game.believed, undone=tuple(undone))


def _shut_tiles(game: Game, event: MoveChosen) -> Game:
    board = game.board.without(game.rules.move(event.tiles))
    done = isinstance(game.phase, Choosing) and game.rules.ends_turn(game.phase.throw)
    then = TurnDone() if done or game.rules.terms.alternate else AwaitingThrow()
    return replace(game, board=board, phase=Moving(then))


def _correct_board(game: Game, standing: Collection[str]) -> Game:
    """The board as somebody says that it is; a throw that lies is judged by it. A shut one counts once it is seen."""
    columns = game.board.layout.by_column
    board = Board(game.board.layout, tuple(sum(tile.name not in standing for tile in column) for column in columns))
    corrected, then = replace(game, board=board, earlier=None), game.resting
    if isinstance(then, Choosing | TurnLost):
        then = AwaitingThrow() if board.is_shut else _phase_after_throw(corrected, then.throw)
    return replace(corrected, phase=Moving(then))


def _end_turn(game: Game, event: TurnEnded) -> Game:
    """The score, and the next player's start. Where none is left, the board stays for all to see."""
    match_ = game.match
    if event.lost:
        match_ = replace(match_, lost=match_.lost | {event.player})
    scores = matches.set_score(game.turn_scores, event.player, event.score)
    if match_.play_off:
        game = replace(game, match=replace(match_, play_off=scores))
    else:
        game = replace(game, match=match_, scores=scores)
    if event.player != game.turn or is_outright(game) or is_cut_short(game, game.scores):
        return game
    return _pass_turn(game, fresh=not game.rules.terms.alternate)


def _pass_turn(game: Game, *, fresh: bool = False) -> Game:
    """The next seat that still plays this round, on a fresh board or on the one that lies there."""
    order = game.match.order
    at = order.index(game.turn)
    waiting = [seat for seat in (*order[at + 1 :], *order[: at + 1]) if game.turn_scores[seat] is None]
    if not waiting:
        return game
    board = _next_board(game) if fresh else game.board
    return replace(game, turn=waiting[0], board=board, phase=Moving(AwaitingThrow()))


def _next_board(game: Game) -> Board:
    """The board of the next turn: all tiles up, or the one that was left where the players agreed on that."""
    carried = game.rules.options.carry_board and not game.board.is_shut
    return game.board if carried else game.rules.start()


def _end_round(game: Game, event: RoundEnded) -> Game:
    """Add what the round brought; then the next one begins, unless `GameEnded` follows."""
    result = result_of(game, event.winners, outright=event.outright)
    match_ = match_after(game, result)
    if matches.winners_of_match(game.rules.terms, match_, result) is not None:
        return replace(game, match=match_)
    match_ = matches.begin_next_round(game.rules.terms, match_, result)
    fresh = replace(game, match=match_, scores=(None,) * len(game.players), turn=match_.order[0])
    return replace(fresh, board=_next_board(game), phase=Moving(AwaitingThrow()))
