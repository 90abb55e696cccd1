"""How a throw is taken: the jobs that wait for dice that can be read, or ask for what they show."""

from collections.abc import Mapping

from controller.box import Table
from controller.game import DieView, Game, MessageKey, Messages, TakeThrow, compose, describe_unreadable
from controller.referee.jobs.lookout import Lookout
from controller.referee.jobs.outcomes import Job, Notice, Unread
from vision.reading import Reading, Reason

# The refusals that are said. With the others no throw has been seen at all: the dice are still in the hand, the camera
# will soon raise its fault, or the picture is a file's and no camera's.
_SAID: Mapping[Reason | None, MessageKey] = {
    Reason.MOVING: "reading.moving",
    Reason.COCKED: "reading.cocked",
    Reason.STACKED: "reading.stacked",
    Reason.OFF_FIELD: "reading.off_field",
    Reason.HAND: "reading.hand",
    Reason.UNEXPLAINED: "reading.unexplained",
    Reason.TOO_MANY: "reading.too_many",
    Reason.TOO_FEW: "reading.too_few",
    Reason.GLARE: "reading.glare",
    Reason.BLURRED: "reading.blurred",
    Reason.CAMERA_MOVED: "reading.camera_moved",
    Reason.STALE: "reading.stale",
    Reason.UNSURE: "reading.unsure",
}


async def see_throw(table: Table, game: Game, lookout: Lookout, *, thrown: bool) -> Job:
    """Wait for a throw that can be read; say why one cannot. `thrown`: somebody says that the dice lie there."""
    watcher, allowed = table.watcher, game.dice_allowed
    at_rest = "reading" if thrown else "waiting"
    watcher.tell_motion(lambda moves: lookout.note(eye="rolling" if moves else at_rest, likely=()))
    lookout.note(eye=at_rest, likely=(), dice=())
    try:
        reading = await (watcher.look_now(allowed) if thrown else watcher.next_throw(allowed))
        while not reading.is_read:
            said = describe_refusal(reading)
            lookout.note(eye="doubtful" if said else "waiting", likely=reading.likely)
            yield Unread(said)
            reading = await watcher.next_throw(allowed)
        lookout.note(dice=dice_in(reading, watcher.places_mm()), likely=reading.others)
        yield throw_from(reading)
    finally:
        watcher.tell_motion(None)
        lookout.note(eye="off")


async def ask_to_type(game: Game) -> Job:
    """Ask for what the dice show: the camera reads the dice it knows only; people read the others."""
    yield Notice((describe_unreadable(game.rules),))


def describe_refusal(reading: Reading) -> Messages:
    """The notice that dice cannot be read; empty where that is not worth a word."""
    key = _SAID.get(reading.reason)
    return (compose(key, likely=reading.likely),) if key is not None else ()


def throw_from(reading: Reading) -> TakeThrow:
    """An opinion becomes a fact: the one place where a reading turns into a throw."""
    return TakeThrow(reading.values, "camera")


def dice_in(reading: Reading, places_mm: tuple[tuple[float, float], ...]) -> tuple[DieView, ...]:
    """The dice of a reading as they lie; `places_mm` in its order, empty where the field was not found."""
    if len(places_mm) != len(reading.dice):
        return tuple(DieView(die.value, colour=die.colour) for die in reading.dice)
    placed = zip(reading.dice, places_mm, strict=True)
    return tuple(DieView(die.value, round(x, 1), round(y, 1), die.colour) for die, (x, y) in placed)
