"""The recorder: the game as the journal has it, and the only writer of that journal."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Self

from controller.errors import JournalError, JournalUnwritable, KeyTaken
from controller.game.core.commands import Command, StartGame
from controller.game.core.engine import AnyGame
from controller.game.core.events import GameEvent
from controller.game.core.message import Messages, compose
from controller.game.core.phases import Ended
from controller.game.core.players import BY_THE_BOX, Origin
from controller.game.table.caller import REMOTE_CLIENT
from controller.game.table.engines import digest_of, evolve
from controller.game.table.resume_point import ResumePoint, resume_point_of
from controller.game.table.wire import log_line
from controller.journal.high_water_mark import HighWaterMark
from controller.journal.keys import CommandKey
from controller.journal.recovery import describe_lost_for_client
from controller.journal.replay import replay_checked
from controller.journal.store import Entry, HeldSeat, Journal
from controller.journal.writer import JournalWriter
from controller.referee.subscribers import Action
from hardware.box import Box

_log = logging.getLogger(__name__)

# A copy of a refused command arrives within seconds or never; nobody is let ask a hundred times a second.
_REFUSALS = 1000
_UNKEPT = ("journal.lost", "journal.closed")  # players who read one of these know already that events are missing


@dataclass(frozen=True, slots=True)
class Record:
    """A game, if there is one.

    game_id: its number in the journal.
    events: how many events it has.
    resume_point: after a start, the tiles that need no question; None once tiles and game were compared.
    origin: who caused the last event.
    """

    game: AnyGame | None = None
    game_id: int = 0
    events: int = 0
    resume_point: ResumePoint | None = None
    origin: Origin = BY_THE_BOX

    @property
    def is_on(self) -> bool:
        """True while the game is played or paused."""
        return self.game is not None and not self.game.is_over

    @property
    def is_comparing(self) -> bool:
        """True after a start until the tiles were looked at, unless people have just answered a question about them."""
        return self.resume_point is not None and not self.resume_point.told

    def after(
        self, events: Sequence[GameEvent], origin: Origin, wall_clock: Callable[[], str]
    ) -> tuple[Self, list[Entry]]:
        """Return the record after the events of one action, and the entries for the journal."""
        game, number, resume_point = self.game, self.events, self.resume_point
        entries = []
        for event in events:
            last, game, number = game, evolve(game, event), number + 1
            resume_point = resume_point.after(last, event, game) if resume_point is not None else None
            entries.append(Entry(number, wall_clock(), event, digest_of(game), origin))
        return replace(self, game=game, events=number, resume_point=resume_point, origin=origin), entries


def find_unfinished(journal: Journal, box: Box) -> tuple[Record, Messages]:
    """Return the last game of this box with a notice about it, or an empty record if nothing can come of it any more.

    A game that was given up can be played on.
    """
    # One journal may hold the games of several boxes; this box cannot show those of another.
    game_id = next((each for each in reversed(journal.game_ids()) if journal.box_of(each) == box.name), None)
    if game_id is None:
        return Record(), ()
    try:
        entries = journal.entries(game_id)
        game = replay_checked(entries)
    except JournalError as error:
        return Record(), (compose("game.unreadable", code=error.code, cause=str(error)),)
    if not game or (isinstance(game.phase, Ended) and not game.phase.given_up):
        return Record(), ()
    resume_point = resume_point_of((entry.event for entry in entries), map(str, box.tile_ids))
    notice = () if game.is_over else (compose("game.resumed"),)
    return Record(game, game_id, len(entries), resume_point, entries[-1].origin), notice


class RollbackCheck:
    """Notices a memory card that has gone back to an earlier state, which nothing on the card itself tells.

    Each device is shown the last event on disk, sealed by the box, and shows it again when it comes back.

    seen: that event, sealed; empty before the first one.
    Lifetime: as the referee. Concurrency: one event loop.
    """

    def __init__(
        self, journal: Journal, writer: JournalWriter, seal: Callable[[str], str], found: Messages = ()
    ) -> None:
        """seal: signs a text for the box. found: the messages about the journal from when it was opened."""
        self._journal = journal
        self._writer = writer
        self._seal = seal
        self._is_reported = any(message.key in _UNKEPT for message in found)
        self._last = journal.last_mark()
        self.seen = "" if self._last is None else seal(str(self._last))

    def note(self, mark: HighWaterMark) -> None:
        """Show this event as the last one on disk."""
        self._last = mark
        self.seen = self._seal(str(mark))

    async def compare(self, seen: HighWaterMark) -> Messages:
        """Return a message, once, if the event that a device has seen is missing. Raises `JournalError`."""
        if self._is_reported or seen == self._last:
            return ()
        lost = await self._writer.look_up(describe_lost_for_client, self._journal, seen)
        # Another device may have reported it meanwhile.
        if not lost or self._is_reported:
            return ()
        _log.warning("journal lacks an event that a client has seen game=%d event=%d", seen.game_id, seen.number)
        self._is_reported = True
        return lost


class Recorder:
    """Keeps the record of one box's game, and writes every event to disk before it becomes true.

    Lifetime: as the referee. Concurrency: one event loop.
    """

    def __init__(
        self, journal: Journal, box: Box, wall_clock: Callable[[], str], seal: Callable[[str], str], found: Messages
    ) -> None:
        self._journal = journal
        self._wall_clock = wall_clock
        self.writer = JournalWriter(journal)
        self.record, self.notice = find_unfinished(journal, box)
        self.rollback = RollbackCheck(journal, self.writer, seal, found)
        self._refused = OrderedDict[CommandKey, Exception]()
        journal.keys.outlive(("", REMOTE_CLIENT, *(seat.token for seat in self.held_seats())))

    def held_seats(self) -> list[HeldSeat]:
        """Return the seats held in the game that is on; players of an earlier game may have left long ago."""
        game = self.record.game if self.record.is_on else None
        names = {player.name for player in game.players} if game is not None else set()
        return [seat for seat in self._journal.held_seats() if seat.name in names]

    def has_done(self, key: CommandKey | None) -> bool:
        """Return whether the command with this key was carried out before: answers get lost more often than commands.

        Raises `KeyTaken` if its client used the key for another command, and what it was refused with before.
        """
        if key is None:
            return False
        use = self._journal.keys.use_of(key)
        if use == "taken":
            raise KeyTaken("this key was used for another command, so nothing was done; make up a key for each command")
        if key in self._refused:
            raise _bare(self._refused[key])
        return use == "done"

    def note_refused(self, key: CommandKey | None, error: Exception) -> None:
        """Note with what a command was refused: a copy of it that arrives later is not carried out behind its client.

        A command that could not be written was not refused: its client sends it again. Which keys are taken the journal
        knows. No copy outlives the daemon.
        """
        if key is not None and not isinstance(error, (JournalUnwritable, KeyTaken)):
            self._refused[key] = _bare(error)
            if len(self._refused) > _REFUSALS:
                self._refused.popitem(last=False)

    async def note_key(self, key: CommandKey | None) -> None:
        """Note that a command without an event is done, so that repeating it later does nothing either."""
        if key is not None:
            await self.writer.note_key(key, self.record.game_id, self.record.events)

    async def keep(
        self, events: Sequence[GameEvent], command: Command, key: CommandKey | None, origin: Origin, box: str
    ) -> Action:
        """Write the events of one action in one commit, and then make them true. Raises `JournalUnwritable`."""
        before = self.record
        if isinstance(command, StartGame):
            before = Record(game_id=self._journal.next_game_id())
        after, entries = before.after(events, origin, self._wall_clock)
        await self.writer.append(after.game_id, box, entries, key)
        for entry in entries:
            _log.info("game %d, event %d: %s", after.game_id, entry.number, log_line(entry.event, origin))
        if self.record.resume_point is None:
            # The tiles may have been compared during the write.
            after = replace(after, resume_point=None)
        self.record = after
        self.rollback.note(HighWaterMark.of(after.game_id, after.events, box, entries[-1].digest))
        assert after.game is not None  # noqa: S101  an event leads to a game
        return Action(after.game_id, before.game, tuple(events), after.game, origin)

    def note_compared(self) -> None:
        """Note that tiles and game agree."""
        self.record = replace(self.record, resume_point=None)

    async def change_box(self, box: Box, *, is_same: bool) -> Messages:
        """Continue on this box after a loan, with its own unfinished game; return the notice about that game.

        is_same: the box is the one from before the loan, whose game stands. A long match takes a while to read.
        """
        found, notice = await self.writer.look_up(find_unfinished, self._journal, box)
        if is_same:
            self.record = replace(self.record, resume_point=found.resume_point)
        else:
            self.record = found
        return notice


def _bare(error: Exception) -> Exception:
    """Return the same error without all that led to it, which one that was raised holds on to.

    Not by `copy`, which makes it anew by its text: many are made of other arguments.
    """
    twin = type(error).__new__(type(error), *error.args)
    twin.__dict__.update(error.__dict__)
    return twin
