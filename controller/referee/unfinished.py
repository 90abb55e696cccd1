"""The game that a box was in the middle of when its daemon ended, as the journal has it."""

from dataclasses import dataclass

from controller.errors import JournalError
from controller.game import BY_THE_BOX, AnyGame, LeftOff, Messages, Origin, compose, left_off_by
from controller.journal import Journal, replay_checked
from hardware.box import Box


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game to be taken up, if there is one: its id, its number of events, where it was left off, whose doing the last
    event was; a notice of it.
    """

    notice: Messages = ()
    game: AnyGame | None = None
    game_id: int = 0
    events: int = 0
    left_off: LeftOff | None = None
    origin: Origin = BY_THE_BOX


def find_unfinished(journal: Journal, box: Box) -> Unfinished:
    """The last game of this box, if it is not over."""
    # One journal may hold the games of several boxes; this one cannot show those of another.
    for game_id in reversed(journal.game_ids()):
        if journal.box_of(game_id) == box.name:
            try:
                entries = journal.entries(game_id)
                game = replay_checked(entries)
            except JournalError as error:
                text = f"The last game cannot be taken up: {error}. A new one can be started."
                return Unfinished((compose("game.unreadable", text, code=error.code),))
            if game and not game.is_over:
                left_off = left_off_by((entry.event for entry in entries), map(str, box.tile_ids))
                notice = (compose("game.resumed", "The game was kept."),)
                return Unfinished(notice, game, game_id, len(entries), left_off, entries[-1].origin)
            return Unfinished()
    return Unfinished()
