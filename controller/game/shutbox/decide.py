"""Commands decided: which events follow from a command in this phase, or why it is refused (`decide`).

It knows nothing of time, metal or disk, and changes nothing: the events do, once they are in the journal.
"""

from dataclasses import replace
from functools import reduce

from controller.errors import NotNow, SameDice
from controller.game.core.actions import phase_for_eyes
from controller.game.core.commands import ClientCommand, Command, ConfirmTiles, StartGame, Undo
from controller.game.core.english import join_and, plural
from controller.game.core.events import GameEnded, GameEvent, GameResumed, GameStarted, TilesConfirmed
from controller.game.core.interruption import decide_interruption
from controller.game.core.phases import Halted, Moving, TileMismatch
from controller.game.core.players import check_players
from controller.game.shutbox import match as matches
from controller.game.shutbox.actions import check_can_in_box_game, refusal_in_box_game, throw_to_correct, vouched_tiles
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectGame, CorrectThrow, EndTurn, TakeThrow
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
from controller.game.shutbox.evolve import evolve_box_game
from controller.game.shutbox.hands import corrected_board, move_found
from controller.game.shutbox.messages import describe_due, say_dice
from controller.game.shutbox.state import (
    AwaitingThrow,
    Choosing,
    Game,
    TurnDone,
    TurnLost,
    is_cut_short,
    is_outright,
    loses_at_first,
    match_after,
    result_of,
)
from controller.rules.errors import InvalidNotation
from controller.rules.shutbox.ruleset import rules_of
from controller.rules.throw import Throw


def decide_box_game(game: Game, command: Command) -> tuple[GameEvent, ...]:
    """The events that follow from `command` in a game that is on; none if nothing changes.

    Raises `NotNow`, `IllegalMove`, `InvalidNotation` or `InvalidOption`.
    """
    if isinstance(command, ClientCommand):
        check_can_in_box_game(game, command.do)
    held = decide_interruption(game, command, describe_due(game))
    if held is not None:
        return held
    match command:
        case TakeThrow(dice, source):
            faces = _checked(game, dice).dice
            return (FirstRolled(game.turn, faces, source) if game.match.rolling else DiceThrown(faces, source),)
        case CorrectThrow(dice):
            return _correct_throw(game, dice)
        case Undo():
            return _undo(game, vouched=command.vouched)
        case Choose(tiles, why):
            if not isinstance(game.phase, Choosing):
                raise refusal_in_box_game(game, "choose")
            move = game.rules.move(tiles)
            game.rules.after(game.board, game.phase.throw, move)
            return (MoveChosen(tuple(tile.name for tile in move), why),)
        case AcceptLoss():
            return _after_miss(game)
        case EndTurn():
            return _end_turn(game)
        case CorrectGame():
            if found := move_found(game):
                return (MoveChosen(found),)
            return (BoardCorrected(tuple(tile.name for tile in corrected_board(game).standing)),)
        case ConfirmTiles():
            return _confirm_tiles(game)
    raise NotNow(f"nothing of that kind is done in this game: {describe_due(game)}")


def start_box_game(command: StartGame) -> tuple[GameEvent, ...]:
    """The beginning of a game. Raises `BadPlayers`, `InvalidNotation` or `InvalidOption`."""
    check_players(command.players)
    rules = rules_of(command.game, command.options, command.marks)
    return (GameStarted(command.game, rules.chosen, command.players, command.marks),)


def _checked(game: Game, dice: tuple[int, ...]) -> Throw:
    """The throw that these dice make. Raises `InvalidNotation` or `NotNow`."""
    if not all(1 <= face <= game.rules.sides for face in dice):
        faces = ",".join(map(str, dice))
        raise InvalidNotation(f"{faces} cannot be thrown: a die of this game shows 1 to {game.rules.sides}")
    if len(dice) not in game.dice_allowed:
        counts = " or ".join(map(str, sorted(game.dice_allowed)))
        noun = plural(max(game.dice_allowed), "die", "dice")
        raise NotNow(f"this throw is made with {counts} {noun}, not {len(dice)}")
    return Throw(dice)


def _correct_throw(game: Game, dice: tuple[int, ...]) -> tuple[GameEvent, ...]:
    read = throw_to_correct(game)
    if read is None:
        raise refusal_in_box_game(game, "correct")
    lies = isinstance(phase_for_eyes(game.phase), Choosing | TurnLost)
    undone = () if lies else _undo(game, vouched=False)
    throw = _checked(reduce(evolve_box_game, undone, game), dice)
    if throw == read and lies and isinstance(game.phase, Halted):
        # Eyes stand in for the camera that halted the game, and they agree with it.
        return (GameResumed(),)
    if throw == read:
        raise SameDice(f"{say_dice(game, read)} is already in play; say what is there instead")
    return (*undone, ThrowCorrected(read.dice, throw.dice))


def _undo(game: Game, *, vouched: bool) -> tuple[GameEvent, ...]:
    before = game.earlier
    if before is None:
        raise refusal_in_box_game(game, "undo")
    asked = vouched_tiles(game)
    if asked and not vouched:
        tiles = join_and(asked)
        them = plural(len(asked), "it", "them")
        raise NotNow(
            f"{tiles}: somebody vouched for {them}, no sensor sees {them} move back; watch, and say that you do"
        )
    known = game.board.layout.by_name
    back = tuple(name for name, tile in known.items() if before.board.stands(tile) and not game.board.stands(tile))
    return (ChoiceUndone(before.turn, back),)


def _end_turn(game: Game) -> tuple[GameEvent, ...]:
    if not isinstance(game.phase, Halted):
        raise refusal_in_box_game(game, "end_turn")
    if isinstance(game.phase.then, TurnLost):
        return (GameResumed(), *_after_miss(replace(game, phase=game.phase.then)))
    if game.rules.terms.alternate and not game.board.is_shut:
        return (GameResumed(), TurnPassed(game.turn))
    return (GameResumed(), *_end_of_turn(game))


def _after_miss(game: Game) -> tuple[GameEvent, ...]:
    """Nothing can be shut: the turn ends, and with it perhaps the round; or the next player throws."""
    if game.rules.terms.race == "rotation" and len(game.match.order) > 1:
        return (TurnPassed(game.turn),)
    return _end_of_turn(game)


def _confirm_tiles(game: Game) -> tuple[GameEvent, ...]:
    if not isinstance(game.phase, Moving | Halted | TileMismatch):
        raise NotNow(f"no tile is on its way: {describe_due(game)}")
    # A shut box counts once the sensors have seen it.
    if game.board.is_shut and isinstance(game.phase.then, AwaitingThrow):
        return (TilesConfirmed(), *_end_of_turn(game))
    if isinstance(game.phase.then, TurnDone):
        passing = game.rules.terms.alternate and not game.board.is_shut
        return (TilesConfirmed(), *((TurnPassed(game.turn),) if passing else _end_of_turn(game)))
    return (TilesConfirmed(),)


def _end_of_turn(game: Game) -> tuple[GameEvent, ...]:
    """The turn's score, and what it decides: perhaps the round, and with that the game."""
    ended: list[GameEvent] = [TurnEnded(game.turn, game.rules.score(game.board), lost=loses_at_first(game))]
    outright = is_outright(game)
    # `evolve_box_game` alone knows what an event changes: what follows from the score is read off the game after it.
    after = evolve_box_game(game, ended[0])
    left = [seat for seat in game.match.order if after.turn_scores[seat] is None]
    if outright:
        # In a race everybody else stays with the tiles of the start; in other games who has not played has no score.
        if game.rules.terms.race == "rotation":
            ended += [TurnEnded(seat, game.rules.score(game.rules.start())) for seat in left]
    elif game.rules.terms.alternate and len(left) == 1:
        ended.append(TurnEnded(left[0], 0))
    elif left and not is_cut_short(game, after.scores):
        return tuple(ended)
    game = reduce(evolve_box_game, ended, game)
    terms = game.rules.terms
    leading = (game.turn,) if outright else matches.leaders(game.match, game.turn_scores)
    if matches.needs_play_off(terms, leading):
        return (*ended, RoundTied(leading))
    result = result_of(game, matches.winners_of_round(terms, leading), outright=outright)
    ended.append(RoundEnded(result.winners, outright))
    winners = matches.winners_of_match(terms, match_after(game, result), result)
    return tuple(ended) if winners is None else (*ended, GameEnded(winners))
