"""The game that a box was in the middle of when its daemon ended, as the journal has it."""

from controller.errors import JournalError
from controller.game import Messages, compose, left_off_by
from controller.journal import Journal, replay_checked
from controller.referee.record import Record
from hardware.box import Box


def find_unfinished(journal: Journal, box: Box) -> tuple[Record, Messages]:
    """The last game of this box, if it is not over, to be taken up where it was left off; and the notice of it."""
    # One journal may hold the games of several boxes; this one cannot show those of another.
    for game_id in reversed(journal.game_ids()):
        if journal.box_of(game_id) == box.name:
            try:
                entries = journal.entries(game_id)
                game = replay_checked(entries)
            except JournalError as error:
                return Record(), (compose("game.unreadable", code=error.code, cause=str(error)),)
            if game and not game.is_over:
                left_off = left_off_by((entry.event for entry in entries), map(str, box.tile_ids))
                notice = (compose("game.resumed"),)
                return Record(game, game_id, len(entries), left_off, entries[-1].origin), notice
            return Record(), ()
    return Record(), ()
