"""How a throw is taken: the jobs that wait for dice that can be read, or ask for what they show."""

from controller.box import Table, unreadable_notice
from controller.game import Game, TakeThrow
from controller.referee.jobs.outcomes import Job, Notice, Unread
from vision.reading import Reading, Reason

# No throw has been seen at all: the dice are still in the hand, or the camera will soon raise its fault.
_NOT_YET = (Reason.NO_DICE, Reason.NO_FIELD, Reason.DARK)


async def see_throw(table: Table, game: Game, *, thrown: bool) -> Job:
    """Wait for a throw that can be read; say why one cannot. `thrown`: somebody says that the dice lie there."""
    watcher, allowed = table.watcher, game.dice_allowed
    reading = await (watcher.look_now(allowed) if thrown else watcher.next_throw(allowed))
    while not reading.is_read:
        yield Unread("" if reading.reason in _NOT_YET else reading.say)
        reading = await watcher.next_throw(allowed)
    yield throw_from(reading)


async def ask_to_type(game: Game) -> Job:
    """Ask for what the dice show: the camera reads the dice it knows only; people read the others."""
    yield Notice(unreadable_notice(game.rules))


def throw_from(reading: Reading) -> TakeThrow:
    """An opinion becomes a fact: the one place where a reading turns into a throw."""
    return TakeThrow(reading.values, "camera")
