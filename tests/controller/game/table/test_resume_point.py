"""Which tiles need no question after a power cut: the box was moving them, or people have answered for them."""

from collections.abc import Sequence

from controller.game.core.commands import (
    Command,
    ConfirmTiles,
    GoOn,
    Park,
    PutRight,
    ReportFault,
    StartGame,
    TryAgain,
    Undo,
)
from controller.game.core.events import GameEvent
from controller.game.core.players import Player
from controller.game.fleet.commands import CallGo, NameCombination
from controller.game.shutbox.commands import Choose, CorrectGame, TakeThrow
from controller.game.table.engines import decide, evolve
from controller.game.table.resume_point import ResumePoint, resume_point_of
from hardware.errors import Fault
from tests.support.stories import found, table_of
from tests.support.together import together

ALL = ("front-1", "front-3", "front-8", "back-1")
COUNTING = (
    StartGame((Player("Ann"), Player("Bob")), "fleet"),
    ConfirmTiles(),
    NameCombination("straight", "Ann"),
    NameCombination("straight", "Bob"),
    CallGo(),
)
BEGUN = (StartGame((Player("Ann"),)), ConfirmTiles(), TakeThrow((5, 3)))
CHOSEN = (*BEGUN, Choose(("front-8",)))
JAM = Fault("H-301", "front-8", "SHUT", "OPEN", "Free the tile.")
ASKED = found(table_of(1, "two-level"), front_3="SHUT", front_1="BETWEEN")


def events_of(commands: Sequence[Command]) -> list[GameEvent]:
    game, events = None, list[GameEvent]()
    for command in commands:
        for event in decide(game, command):
            game = evolve(game, event)
            events.append(event)
    return events


@together(
    ("commands", "moving", "told"),
    [
        (BEGUN[:1], {*ALL}, set()),
        (BEGUN, set(), set()),
        (CHOSEN, {"front-8"}, set()),
        ((*CHOSEN, ConfirmTiles()), set(), set()),
        ((*CHOSEN, Undo()), {"front-8"}, set()),
        ((*CHOSEN, Park(), GoOn()), {"front-8"}, set()),
        ((*CHOSEN, ReportFault(JAM), TryAgain()), {"front-8"}, {"front-8"}),
        ((*BEGUN, ASKED), set(), set()),
        ((*BEGUN, ASKED, PutRight()), set(), {"front-1", "front-3"}),
        ((*BEGUN, ASKED, Park(), GoOn()), set(), set()),
        ((*BEGUN, ASKED, CorrectGame()), set(), {"front-1"}),
        ((*BEGUN, ASKED, PutRight(), found(table_of(1, "two-level"), front_5="SHUT")), set(), set()),
        ((*CHOSEN, ASKED, ConfirmTiles()), set(), set()),
        # Signs move without an event.
        (COUNTING, {"front-1", "front-2", "front-3"}, set()),
        ((*COUNTING, Park(), GoOn(), ConfirmTiles()), {"front-1", "front-2", "front-3"}, set()),
    ],
)
def test_a_tile_is_on_its_way_until_it_is_confirmed(
    commands: Sequence[Command], moving: set[str], told: set[str]
) -> None:
    assert resume_point_of(events_of(commands), ALL) == ResumePoint(frozenset(moving), frozenset(told))
