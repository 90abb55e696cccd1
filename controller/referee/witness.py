"""What devices have seen the box keep: nothing else tells of a card that has gone back to an earlier moment."""

import logging
from collections.abc import Callable

from controller.game import Messages
from controller.journal import Journal, JournalWriter, Mark, describe_unkept

_UNKEPT = ("journal.lost", "journal.closed")  # by these everybody knows already that what was seen is not here
_log = logging.getLogger(__name__)


class Witness:
    """Has everybody shown, under the seal of the box, the last event that is kept; compares what they come back with.

    Lifetime: as the referee. Concurrency: one event loop. seen: the last event of all, sealed; empty before the first.
    """

    def __init__(
        self, journal: Journal, writer: JournalWriter, seal: Callable[[str], str], found: Messages = ()
    ) -> None:
        """seal: puts the seal of the box on what is shown. found: what was said of the journal as it was opened."""
        self._journal = journal
        self._writer = writer
        self._seal = seal
        self._is_told = any(message.key in _UNKEPT for message in found)
        self._last = journal.last_mark()
        self.seen = "" if self._last is None else seal(str(self._last))

    def note(self, mark: Mark) -> None:
        """This event is kept."""
        self._last = mark
        self.seen = self._seal(str(mark))

    async def hear(self, seen: Mark) -> Messages:
        """A device has seen this event kept: what is said where it is not here, once. Raises `JournalError`."""
        if self._is_told or seen == self._last:
            return ()
        lost = await self._writer.look_up(describe_unkept, self._journal, seen)
        # Another may have told of it meanwhile.
        if not lost or self._is_told:
            return ()
        _log.warning("a device has seen event %d of game %d, which is not here", seen.number, seen.game_id)
        self._is_told = True
        return lost
