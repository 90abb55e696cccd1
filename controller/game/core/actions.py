"""What can be done now, and by whom: the one table that terminal, page, button and hands offer, and refusals quote.

No engine takes a command of a person that is not in it. Who may do what is told by name; whoever shares a terminal may
do all of it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from controller.errors import NotNow
from controller.game.core.english import join_or
from controller.game.core.phases import Ended, Halted, Held, Then
from controller.game.core.players import Player

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


def refuse(kind: ActionKind, due: str, possible: Iterable[Action]) -> NotNow:
    """The refusal of an action; `due`: what the game waits for, in a few words."""
    can = join_or(action.label for action in possible)
    return NotNow(f"you cannot {LABELS[kind]} now: {due}. {f'You can {can}' if can else 'You can only look on'}")


def phase_for_eyes(phase: Then | Held[Then]) -> Then | Held[Then]:
    """Eyes can stand in for a camera that is at fault: to them, the game it halted goes on."""
    return phase.then if isinstance(phase, Halted) and phase.fault.kind == "camera" else phase


def actions_at_end(end: Ended, players: Sequence[Player]) -> tuple[Action, ...]:
    """What can be done once a game is over: start another one, or play on if it was given up."""
    start = Action("start", LABELS["start"])
    play_on = Action("undo", LABELS["undo"], who_may_give_up(players), roles=roles_of("undo"))
    return (start, play_on) if end.given_up else (start,)


def who_may_give_up(players: Sequence[Player]) -> tuple[str, ...]:
    """The players who may end a game for everybody: people, where any play. Who merely acts for a house is a guest."""
    return tuple(each.name for each in players if not each.house) or tuple(each.name for each in players)


def roles_of(kind: ActionKind) -> tuple[Role, ...]:
    """The roles in which this may be done at all."""
    return ("player",) if kind in OF_TURN else ("player", "operator")
