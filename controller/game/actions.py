"""What can be done now, and by whom: the one table that terminal, page, button and hands offer, and refusals quote.

`decide` takes no command of a person that is not in it. Who may do what is told by name; whoever shares a terminal may
do all of it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from controller.errors import NotNow
from controller.game.differences import can_correct_game
from controller.game.english import join_or
from controller.game.narration import describe_due
from controller.game.phases import AwaitingThrow, Choosing, Differing, Halted, Held, Parked, Then, TurnLost
from controller.game.state import Game, can_be_believed, can_end_turn, can_undo, points_at_end, thrower_of
from controller.rules import Throw

# The tags of the commands that a person may give.
ActionKind = Literal[
    "start",
    "roll",
    "dice",
    "correct",
    "choose",
    "undo",
    "accept",
    "go_on",
    "try_again",
    "believe",
    "end_turn",
    "put_right",
    "correct_game",
    "name",
    "go",
    "throw",
    "shout",
    "claim",
    "withdraw",
    "end_round",
    "park",
    "abandon",
]

# A spectator sees. A player acts for the seats he holds. An operator sees to the box, and plays for nobody.
Role = Literal["spectator", "player", "operator"]
# What a turn is made of: it is for the player whose turn it is, or who throws for it, and for nobody else.
OF_TURN: frozenset[ActionKind] = frozenset(
    {"roll", "dice", "correct", "choose", "undo", "accept", "name", "throw", "shout", "claim", "withdraw"}
)

NO_GAME = "no game is on"

LABELS: dict[ActionKind, str] = {
    "start": "start a game",
    "roll": "throw the dice",
    "dice": "say what the dice show",
    "correct": "correct the dice",
    "choose": "choose tiles",
    "undo": "take it back",
    "accept": "accept the end of the turn",
    "go_on": "go on",
    "try_again": "try again",
    "believe": "say that the tile is where it should be",
    "end_turn": "end the turn with the tiles that are shut",
    "put_right": "put the tiles right",
    "correct_game": "say that the tiles are right",
    "name": "name a combination",
    "go": "say that everybody is ready",
    "throw": "throw your dice",
    "shout": "shout",
    "claim": "say what the dice show",
    "withdraw": "take the shout back",
    "end_round": "end the round",
    "park": "pause",
    "abandon": "give the game up",
}


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that can be done now.

    kind: the tag of its command (`do`). label: what it is, in words. by: the names of the players who may do it; in an
    idle table there are none, and anybody may. counts: with how many dice, where dice are thrown or told. vouched: the
    tiles that would move though somebody vouched for them: who takes a choice back is asked whether they are in place.
    points: those that the turn ends with, where a turn is ended; None where it ends without any.
    roles: who holds none of those seats may do it all the same if he is an operator, where that is among them.
    """

    kind: ActionKind
    label: str
    by: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    vouched: tuple[str, ...] = ()
    points: int | None = None
    roles: tuple[Role, ...] = ("player", "operator")


def actions_of(game: Game | None, *, can_throw: bool = True) -> tuple[Action, ...]:
    """Everything that a person, or a house player, can do now.

    can_throw: False while the camera reads dice that lie there, where it does not know those of this game, and after a
    start until the tiles were looked at.
    """
    if game is None or game.is_over:
        return (Action("start", LABELS["start"]),)
    found = (_action(game, kind) for kind in _kinds(game))
    return tuple(action for action in found if can_throw or action.kind != "roll")


def check_can(game: Game | None, kind: ActionKind) -> None:
    """Raise `NotNow`, which says what can be done instead, if no such action is possible now."""
    if kind not in {action.kind for action in actions_of(game)}:
        raise refusal(game, kind)


def refusal(game: Game | None, kind: ActionKind, possible: Iterable[Action] | None = None) -> NotNow:
    """The refusal of an action that is not possible now, with those that are: all, or the `possible` ones."""
    due = describe_due(game) if game else NO_GAME
    return refuse(kind, due, actions_of(game) if possible is None else possible)


def refuse(kind: ActionKind, due: str, possible: Iterable[Action]) -> NotNow:
    """The refusal of an action; `due`: what the game waits for, in a few words."""
    can = join_or(action.label for action in possible)
    return NotNow(f"you cannot {LABELS[kind]} now: {due}. {f'You can {can}' if can else 'You can only look on'}")


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
        case Differing():
            yield "put_right"
    yield from _kinds_of_dice(game)
    if can_be_believed(game):
        yield "believe"
    if can_end_turn(game):
        yield "end_turn"
    if can_correct_game(game):
        yield "correct_game"
    if not isinstance(game.phase, Parked):
        yield "park"
    yield "abandon"


def _kinds_of_dice(game: Game) -> Iterator[ActionKind]:
    phase = phase_for_eyes(game.phase)
    if isinstance(phase, AwaitingThrow):
        yield "dice"
    if isinstance(phase, Choosing | TurnLost) or can_undo(game):
        yield "correct"
    if can_undo(game):
        yield "undo"


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


def phase_for_eyes(phase: Then | Held[Then]) -> Then | Held[Then]:
    """Eyes can stand in for a camera that is at fault: to them, the game it halted goes on."""
    return phase.then if isinstance(phase, Halted) and phase.fault.kind == "camera" else phase


def _action(game: Game, kind: ActionKind) -> Action:
    counts: tuple[int, ...] = ()
    if kind in ("roll", "dice"):
        counts = tuple(sorted(game.dice_allowed))
    if kind == "correct":
        counts = tuple(sorted(_thrown_by(game).dice_allowed))
    vouched = vouched_tiles(game) if kind == "undo" else ()
    points = points_at_end(game) if kind == "end_turn" else None
    return Action(kind, LABELS[kind], _who(game, kind), counts, vouched, points, roles_of(kind))


def roles_of(kind: ActionKind) -> tuple[Role, ...]:
    """The roles in which this may be done at all."""
    return ("player",) if kind in OF_TURN else ("player", "operator")


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
        case "undo" if game.earlier is not None and game.rules.terms.undo == "chooser":
            return (game.earlier.player.name,)
        case "accept" if not game.player.house:
            return (game.player.name,)
    return everybody
