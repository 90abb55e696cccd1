"""A second look at the throw on the baize: the camera reads it anew, and what it misread is corrected."""

from dataclasses import dataclass

from controller.errors import NotNow
from controller.game.shutbox.commands import CorrectThrow
from controller.game.table.caller import Caller
from controller.game.table.snapshot import Snapshot
from controller.referee.referee import Referee
from vision.errors import CameraFault

_CAMERA = Caller(door="camera")  # what it reads is no move of anybody


@dataclass(frozen=True, slots=True)
class SecondLook:
    """What new frames show of a throw.

    before: the throw in the game. seen: the values of the dice; none if they could not be read, and `why` then says the
    reason. is_corrected: they differ, and the throw was corrected; the journal has both.
    """

    before: tuple[int, ...]
    seen: tuple[int, ...]
    why: str
    is_corrected: bool


def can_look_again(shown: Snapshot) -> bool:
    """Return whether a throw lies on the baize that the camera can read."""
    lies = shown.phase in ("choosing", "turn_lost") and shown.throw != ()
    return lies and shown.camera_reads and shown.can("correct")


async def look_again(referee: Referee) -> SecondLook:
    """Read the present throw anew, and correct it if it shows something else.

    Raises `NotNow` if no throw lies there that the camera can read, or if something else happened meanwhile.
    """
    shown = referee.snapshot
    if not can_look_again(shown):
        raise NotNow("no throw lies on the baize that the camera could read again")
    before = tuple(sorted(shown.throw))
    try:
        reading = await referee.table.watcher.look_again(len(before))
    except CameraFault as fault:
        raise NotNow(f"the camera sees nothing: {fault}") from fault
    if not reading.is_read:
        return SecondLook(before, (), str(reading.reason), is_corrected=False)
    is_misread = reading.values != before
    if is_misread:
        await referee.ask(CorrectThrow(reading.values, game_id=shown.game_id, event=shown.event), _CAMERA)
    return SecondLook(before, reading.values, "", is_corrected=is_misread)
