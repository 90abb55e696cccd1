"""The states that a table can be in, each brought about as it comes about at a box; what its page is looked at in."""

from collections.abc import Callable, Mapping

from hardware.tiles import Position
from tests.browser.box_thread import BoxThread
from vision.reading import Reason, refused

Bring = Callable[[BoxThread], None]
ANN, BEN = {"name": "Ann"}, {"name": "Ben"}
HOUSE = {"name": "House", "house": True, "strength": "steady"}
# Throws with which nobody gets far: there are few tiles for a 2.
SOON_OVER = ((1, 1),) * 100
UNSURE = refused(Reason.UNSURE, "One die is not clear.", likely=((3, 5), (3, 6)))


def start(box: BoxThread, *players: Mapping[str, object], **options: object) -> None:
    """Begin a game with who is first in the list, and wait until the box is ready for his throw."""
    box.do("start", players=list(players or (ANN, HOUSE)), options={"first": "chosen", **options})
    box.rest()


def throw(box: BoxThread, *dice: int) -> None:
    """Throw just that."""
    box.hands.plan(dice)
    box.do("roll")
    box.rest()


def choose(box: BoxThread) -> None:
    """Shut the first set of tiles that can be shut."""
    box.do("choose", tiles=list(box.snapshot.moves[0]))
    box.rest()


def _idle(_: BoxThread) -> None:
    pass


def _choosing(box: BoxThread) -> None:
    start(box)
    throw(box, 3, 5)


def _taken_back(box: BoxThread) -> None:
    _choosing(box)
    choose(box)
    box.do("undo")
    box.rest()


def _refused(box: BoxThread) -> None:
    start(box)
    box.hands.refuse(UNSURE)
    throw(box, 3, 5)


def _lost(box: BoxThread) -> None:
    """Nothing can be shut: tiles are shut one after the other until it is so."""
    start(box)
    while box.snapshot.phase != "turn_lost":
        throw(box, 1, 1)
        if box.snapshot.phase == "choosing":
            choose(box)


def _jammed(box: BoxThread) -> None:
    start(box)
    throw(box, 3, 6)
    box.hands.break_("jam:front-9")
    box.do("choose", tiles=["front-9"])
    box.rest()


def _dark(box: BoxThread) -> None:
    start(box)
    box.hands.break_("lid:closed")
    box.rest()


def _paused(box: BoxThread) -> None:
    start(box)
    box.do("park")
    box.rest()


def _cut(box: BoxThread) -> None:
    start(box)
    box.power_off()
    box.hands.tip("front-3", Position.SHUT)
    box.power_on()
    box.rest()


def _ended(box: BoxThread) -> None:
    start(box)
    box.do("abandon")
    box.rest()


def _played_out(box: BoxThread) -> None:
    """Two people with little luck have played to the end."""
    start(box, ANN, BEN)
    while box.snapshot.phase != "ended":
        match box.snapshot.phase:
            case "choosing":
                choose(box)
            case "turn_lost":
                box.do("accept")
                box.rest()
            case _:
                throw(box, 1, 1)


# By name, how a table of two rows of nine is brought into that state.
STATES: Mapping[str, Bring] = {
    "idle": _idle,
    "throw": start,
    "choosing": _choosing,
    "taken back": _taken_back,
    "refused reading": _refused,
    "turn lost": _lost,
    "jammed tile": _jammed,
    "lid closed": _dark,
    "paused": _paused,
    "power cut": _cut,
    "ended": _ended,
    "played out": _played_out,
}
