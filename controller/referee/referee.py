"""The referee: what clients, the panel and the daemon may ask of one box at one table.

Everybody gives commands to it and reads snapshots; `loop.py` decides the commands, `recorder.py` keeps their events,
and `publisher.py` shows what comes of them.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from dataclasses import replace
from functools import partial
from pathlib import Path

from controller.box.table import Table, camera_reads
from controller.game.core.commands import Command
from controller.game.core.engine import AnyGame
from controller.game.core.interruption import describe_fault
from controller.game.core.message import Message, Messages
from controller.game.core.players import DEFAULT_STRENGTH, Strength
from controller.game.core.sight import BaizeView, CameraState, SnapshotContext, lid_of
from controller.game.fleet.commands import Shout
from controller.game.fleet.messages import describe_thrown_anew
from controller.game.fleet.state import Race
from controller.game.shutbox.engine import moves_of
from controller.game.table.caller import Caller
from controller.game.table.snapshot import Snapshot, snapshot_of
from controller.journal.high_water_mark import HighWaterMark
from controller.journal.keys import key_of
from controller.journal.store import Journal
from controller.journal.writer import CommitTimes
from controller.messages.words import fill_in
from controller.referee.jobs.outcomes import Observations
from controller.referee.lending import Borrower, Inbox, SimulatedPowerCut
from controller.referee.loop import RefereeLoop
from controller.referee.publisher import Notices, SnapshotPublisher
from controller.referee.recorder import Recorder
from controller.referee.seats import Seating
from controller.referee.subscribers import Subscriber, make_subscribers
from controller.runtime.threads import run_in_background
from controller.settings import Pace, Share

_AT_THE_BOX = Caller("panel")  # somebody at the box may act for everybody at its table
_LOOK_SHOWN_S = 30.0  # for this long everybody is shown that somebody has looked at the camera's pictures


class Referee:
    """Plays one game after another on one box.

    One task decides everything, so that no two commands are judged by the same moment of a game. The table may be
    closed for somebody who needs the box, and opened again: players, seats and watchers stay.

    Lifetime: made once the table is open; `run` until cancelled. Resumes an unfinished game of this box.
    Concurrency: one event loop. Any task may call `ask`, `lend` and `watch`; `run` is the only writer.
    """

    def __init__(
        self,
        table: Table,
        journal: Journal,
        *,
        pace: Pace,
        wall_clock: Callable[[], str],
        subscribers: Sequence[Subscriber],
        odds: Path | None = None,
        share: Share = "auto",
        house_strength: Strength = DEFAULT_STRENGTH,
        daemon: str = "",
        found: Messages = (),
        seal: Callable[[str], str] = str,
    ) -> None:
        """odds: the folder with the odds of big games, for house players; None: they keep none.

        house_strength: of house players without a strength of their own. daemon: the name of this run, for watchers.
        found: the messages about the journal from when it was opened. seal: signs a text for the box.
        """
        self._daemon = daemon
        self._inbox = Inbox()
        self._recorder = Recorder(journal, table.box, wall_clock, seal, found)
        self._publisher = SnapshotPublisher(self._draw_snapshot, self._recorder.notice, found)
        self._loop = RefereeLoop(self._inbox, self._recorder, self._publisher, pace, odds, house_strength)
        self._look_ends: asyncio.TimerHandle | None = None
        self._use_table(table, subscribers)
        self._own_dice_round = self._round_of_own_dice()
        held, writer = self._recorder.held_seats(), self._recorder.writer
        self.seating = Seating(held, writer, share, lambda: self._game, _loop_time_s, self._publisher.refresh)
        self._publisher.start()

    def _use_table(self, table: Table, subscribers: Sequence[Subscriber]) -> None:
        self._table = table
        lid = lid_of(is_closed=table.firmware.panel.lid_is_closed)
        sight = CameraState(lid=lid, broken=table.hands.broken if table.hands is not None else ())
        self._observations = Observations(self._publisher.refresh, sight)
        self._loop.use_table(table, subscribers, self._observations)

    async def ask(self, command: Command, caller: Caller = _AT_THE_BOX) -> Snapshot:
        """Have `command` carried out, and return the snapshot after it.

        Raises what `decide` raises, `NotYours` for a caller who may not give it, `KeyTaken` if its key was used for
        another, `BoxTooSmall`, `JournalUnwritable` if it cannot be kept, and `NotNow` while somebody else has the
        box. A pause then ends the work of that borrower, since nothing may prevent a box from being stopped.
        """
        key = key_of(command, caller.client)
        if self._inbox.borrower is not None:
            return self._loop.refuse_or_stop(self._inbox.borrower, command, key)
        if isinstance(command, Shout):
            # The time of a shout is when it arrives, whatever is still being written.
            command = replace(command, at_ms=round(1000 * _loop_time_s()))
        return await self._inbox.ask(command, caller, key=key)

    async def lend(self, borrower: Borrower) -> None:
        """Have `play` give the box to `borrower` until `take_back`.

        Raises `NotNow` in a game that is not paused, and while somebody has the box already.
        """
        await self._inbox.lend(borrower)

    async def cut_power(self, seconds: float | None) -> None:
        """Cut the power of a simulated box for a time (None: until a pause): its table is closed at once.

        Nothing of the cut is recorded; afterwards the game continues as after a start. Raises `NotNow` while somebody
        has the box.
        """
        await self._inbox.lend(SimulatedPowerCut(seconds), at_once=True)

    async def take_back(self, table: Table, subscribers: Sequence[Subscriber]) -> None:
        """Continue on this table after a loan: the game stands, and its tiles are compared before it goes on.

        Another box than before continues its own unfinished game.
        """
        is_same = table.box.name == self._table.box.name
        notice = await self._recorder.change_box(table.box, is_same=is_same)
        had_dice = bool(self._observations.sight.own_dice) or not is_same
        self._inbox.borrower = None
        self._use_table(table, subscribers)
        if is_same:
            notice = self._publisher.notice
        else:
            self._publisher.note_news(())
        if had_dice:
            self._own_dice_round = self._round_of_own_dice()
        self._publisher.publish(notice)

    @property
    def snapshot(self) -> Snapshot:
        return self._publisher.snapshot

    @property
    def is_game_on(self) -> bool:
        """True while a game is played or paused."""
        return self._recorder.record.is_on

    @property
    def table(self) -> Table:
        """The present table, to read from; only the referee moves anything on it."""
        return self._table

    @property
    def commits(self) -> CommitTimes:
        """The times that writes to the journal took."""
        return self._recorder.writer.times

    @property
    def watchers(self) -> int:
        """The number of watchers, including the daemon's own."""
        return self._publisher.watchers

    def moves(self) -> tuple[tuple[str, ...], ...]:
        """Return all moves that may be chosen now; a snapshot has only the first of them."""
        return () if self._game is None else moves_of(self._game)

    async def hear_witness(self, seen: HighWaterMark) -> None:
        """Compare the last event that a device has seen with the journal; tell everybody once if it is missing.

        Raises `JournalError`.
        """
        lost = await self._recorder.rollback.compare(seen)
        if lost:
            self._publisher.note_found(lost)
            self._publisher.refresh()

    def announce(self, message: Message) -> None:
        """Show everybody a message that is no event of a game."""
        self._publisher.publish((message,))

    def tell_job(self) -> None:
        """Show everybody the progress of the borrower."""
        self._publisher.refresh()

    def note_lid(self, *, is_closed: bool) -> None:
        self._observations.note(lid=lid_of(is_closed=is_closed))

    def note_broken(self) -> None:
        """Show which parts of a simulated box are broken now."""
        if self._table.hands is not None:
            self._observations.note(broken=self._table.hands.broken)

    def note_look(self) -> None:
        """Show everybody that somebody looks at the camera's pictures, until a while after the last look."""
        if self._look_ends is not None:
            self._look_ends.cancel()
        self._observations.note(looked_at=True)
        end = partial(self._observations.note, looked_at=False)
        self._look_ends = asyncio.get_running_loop().call_later(_LOOK_SHOWN_S, end)

    def watch(self) -> AbstractAsyncContextManager[asyncio.Queue[Snapshot]]:
        """Open a queue of snapshots that begins with the present one. A slow reader loses the oldest."""
        return self._publisher.watch()

    async def run(self) -> None:
        """Referee until cancelled, on a table that nobody borrows."""
        with closing(self):
            await self.play()

    def close(self) -> None:
        """Finish the writes under way; nothing is written afterwards."""
        self._recorder.writer.close()

    async def play(self) -> Borrower:
        """Referee until the box is lent; return the borrower once nothing drives a tile any more."""
        return await self._loop.play()

    def _draw_snapshot(self, notices: Notices) -> Snapshot:
        game, box, record = self._game, self._table.box, self._recorder.record
        own_dice: Messages = ()
        undriven = () if self._table.undriven is None else (describe_fault(self._table.undriven),)
        if isinstance(game, Race) and (record.game_id, game.round) == self._own_dice_round:
            # The box threw dice for people before its table was closed: they matter until the round is over.
            own_dice = describe_thrown_anew(game, self._observations.sight.own_dice)
        context = SnapshotContext(
            number=notices.number,
            game_id=record.game_id,
            event=record.events,
            box=box.name,
            notice=(*undriven, *notices.found, *own_dice, *notices.notice),
            news=notices.news,
            dice_wanted=self._loop.throwing.dice_wanted,
            camera_reads=game is None or camera_reads(game.rules, self._table, len(game.players)),
            reading=self._loop.throwing.is_reading(_loop_time_s()),
            comparing=record.is_comparing,
            origin=record.origin,
            holdings=self.seating.holdings(),
            shared=self.seating.is_shared,
            sight=self._observations.sight,
            simulated=self._table.simulated,
            daemon=self._daemon,
            job=self._inbox.borrower.view if self._inbox.borrower is not None else None,
            baize=BaizeView(box.field.width_mm, box.field.depth_mm, box.die_mm),
            seen=self._recorder.rollback.seen,
            colours=self._table.claims.colours if self._table.claims is not None else (),
        )
        return fill_in(snapshot_of(game, context))

    def _round_of_own_dice(self) -> tuple[int, int] | None:
        """Return the game and round in which this box throws for people; at a real box their dice lie on the table."""
        game = self._game if self._table.simulated else None
        return (self._recorder.record.game_id, game.round) if isinstance(game, Race) and game.is_on else None

    @property
    def _game(self) -> AnyGame | None:
        return self._recorder.record.game


@asynccontextmanager
async def run_referee(
    table: Table,
    journal: Journal,
    pace: Pace,
    odds: Path | None = None,
    listeners: Sequence[Subscriber] = (),
) -> AsyncIterator[Referee]:
    """Run a referee as long as the block lasts, for programs that play games themselves: demonstrations, tests.

    The daemon adds sockets, lamp and systemd; here is only the game. listeners: subscribers besides those of every
    table. An error of the referee cancels the block and comes out as an `ExceptionGroup`.
    """
    loop = asyncio.get_running_loop()
    referee = Referee(
        table,
        journal,
        pace=pace,
        # On a jumping loop, its time makes the same seed write the same journal; that of a wall clock would not.
        wall_clock=lambda: f"{loop.time():.3f}",
        subscribers=(*make_subscribers(table, journal), *listeners),
        odds=odds,
    )
    async with run_in_background(referee.run()):
        yield referee


def _loop_time_s() -> float:
    return asyncio.get_running_loop().time()
