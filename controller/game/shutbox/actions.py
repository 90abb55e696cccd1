"""What can be done now in a game in which tiles are shut, and by whom."""

from collections.abc import Iterator

from controller.errors import NotNow
from controller.game.core.actions import (
    LABELS,
    Action,
    ActionKind,
    actions_at_end,
    phase_for_eyes,
    refuse,
    roles_of,
    who_may_give_up,
)
from controller.game.core.phases import Ended, Halted, Parked, TileMismatch
from controller.game.core.players import Player
from controller.game.shutbox.hands import can_correct_game
from controller.game.shutbox.messages import describe_due
from controller.game.shutbox.state import (
    AwaitingThrow,
    Choosing,
    Game,
    TurnLost,
    can_be_believed,
    can_end_turn,
    can_undo,
    ends_by_itself,
    has_gone_on,
    is_shared,
    points_at_end,
    thrower_of,
)
from controller.rules.throw import Throw


def actions_of_box_game(game: Game, *, can_throw: bool = True) -> tuple[Action, ...]:
    """Everything that a person, or a house player, can do now.

    can_throw: False while the camera reads dice that lie there, where it does not know those of this game, and after a
    start until the tiles were looked at.
    """
    if isinstance(game.phase, Ended):
        return actions_at_end(game.phase, game.players)
    found = []
    for kind in _kinds(game):
        counts: tuple[int, ...] = ()
        if kind in ("roll", "dice"):
            counts = tuple(sorted(game.dice_allowed))
        if kind == "correct":
            counts = tuple(sorted(_thrown_by(game).dice_allowed))
        if kind != "roll" or can_throw:
            vouched = vouched_tiles(game) if kind == "undo" else ()
            points = points_at_end(game) if kind == "end_turn" else None
            found.append(Action(kind, LABELS[kind], _who(game, kind), counts, vouched, points, roles_of(kind)))
    return tuple(found)


def check_can_in_box_game(game: Game, kind: ActionKind) -> None:
    """Raise `NotNow`, which says what can be done instead, if no such action is possible now."""
    if kind not in {action.kind for action in actions_of_box_game(game)}:
        raise refusal_in_box_game(game, kind)


def refusal_in_box_game(game: Game, kind: ActionKind) -> NotNow:
    """The refusal of an action that is not possible now, with those that are."""
    if kind in ("undo", "correct") and game.earlier is not None and is_shared(game) and has_gone_on(game, game.earlier):
        return NotNow(
            "nothing of that turn is taken back: it is over, and the other box of this match may have gone on"
        )
    if kind == "abandon" and is_shared(game):
        return NotNow("the turn is over, and perhaps the game: it is given up once the tiles are in place")
    if kind in ("end_turn", "correct_game") and is_shared(game):
        return NotNow("that is not done in a match of two boxes: the other box could not follow; mend the tile instead")
    return refuse(kind, describe_due(game), actions_of_box_game(game))


def _kinds(game: Game) -> Iterator[ActionKind]:
    match game.phase:
        case AwaitingThrow():
            yield "roll"
        case Choosing():
            yield "choose"
        case TurnLost():
            yield "accept"
        case Parked():
            yield "go_on"
        case Halted():
            yield "try_again"
        case TileMismatch():
            yield "put_right"
    phase = phase_for_eyes(game.phase)
    if isinstance(phase, AwaitingThrow):
        yield "dice"
    if isinstance(phase, Choosing | TurnLost) or can_undo(game):
        yield "correct"
    if can_undo(game):
        yield "undo"
    if can_be_believed(game):
        yield "believe"
    if can_end_turn(game):
        yield "end_turn"
    if can_correct_game(game):
        yield "correct_game"
    if not isinstance(game.phase, Parked):
        yield "park"
    if not (is_shared(game) and ends_by_itself(game)):
        yield "abandon"


def throw_to_correct(game: Game) -> Throw | None:
    """The throw that a correction is about: the one that lies, or the last one, of which something has come."""
    phase = phase_for_eyes(_thrown_by(game).phase)
    return phase.throw if isinstance(phase, Choosing | TurnLost) else None


def vouched_tiles(game: Game) -> tuple[str, ...]:
    """The tiles that move when the last choice is taken back, and that somebody vouched for."""
    before = game.earlier
    if before is None:
        return ()
    moved = (
        name for name, tile in game.board.layout.by_name.items() if game.board.stands(tile) != before.board.stands(tile)
    )
    return tuple(name for name in moved if name in game.believed)


def seat_of(game: Game, kind: ActionKind) -> Player:
    """The player whose turn an action is a part of: that of the last choice, where this is taken back or corrected."""
    if kind == "undo" and game.earlier is not None:
        return game.earlier.player
    return _thrown_by(game).player if kind == "correct" else game.player


def _thrown_by(game: Game) -> Game:
    """The game in which the throw lies, or lay, that a correction is about."""
    lies = isinstance(phase_for_eyes(game.phase), Choosing | TurnLost)
    return game if lies or game.earlier is None else game.earlier


def _who(game: Game, kind: ActionKind) -> tuple[str, ...]:
    """The players who may: what a turn is made of is for who has it, the rest for everybody at the table."""
    everybody = tuple(player.name for player in game.players)
    match kind:
        case "choose":
            return (game.player.name,)
        case "roll" | "dice" | "correct":
            thrower = thrower_of(_thrown_by(game) if kind == "correct" else game)
            return everybody if thrower is None else (thrower,)
        case "undo" if game.earlier is not None and is_shared(game):
            mover = game.earlier.player
            side = (each.name for each in game.players if each.remote == mover.remote)
            return (mover.name,) if game.rules.terms.undo == "chooser" else tuple(side)
        case "undo" if game.earlier is not None and game.rules.terms.undo == "chooser":
            return (game.earlier.player.name,)
        case "accept" if not game.player.house:
            return (game.player.name,)
        case "abandon":
            return who_may_give_up(game.players)
    return everybody
