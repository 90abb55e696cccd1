"""The referee: one inbox of commands, in whose order they are decided, recorded, and only then true and published.

Everybody puts commands into the inbox and reads snapshots. After every event the phase says what is due, and the
referee has the executor do it.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, closing
from dataclasses import replace
from functools import partial
from pathlib import Path

from controller.box import Table, camera_reads, check_box
from controller.errors import JournalUnwritable, NotNow, ShutboxError, TooLate
from controller.game import (
    DEFAULT_STRENGTH,
    AcceptLoss,
    AnyGame,
    BaizeView,
    Caller,
    Choose,
    Claim,
    Command,
    Door,
    FromClient,
    Game,
    GameEvent,
    Message,
    Messages,
    NameCombination,
    Origin,
    Park,
    Parked,
    Race,
    RollDice,
    RollingOff,
    Shout,
    Sight,
    Snapshot,
    SnapshotContext,
    StartGame,
    Strength,
    TakeThrow,
    ThrowOwnDice,
    TilesConfirmed,
    any_rules_of,
    check_can,
    check_may,
    compose,
    decide,
    describe_thrown_anew,
    describe_unreadable,
    for_player,
    lid_of,
    log_line,
    moves_of,
    news_of,
    origin_of,
    seat_of,
    snapshot_of,
    with_strength,
)
from controller.journal import (
    CommitTimes,
    HeldSeat,
    Journal,
    JournalWriter,
    Mark,
)
from controller.referee.bulletin import Bulletin, Told
from controller.referee.inbox import Borrower, Loan, Request
from controller.referee.jobs import Compared, Done, Executor, Lookout, Meanwhile, Moment, Notice, Outcome, Unread, Wish
from controller.referee.outage import Outage
from controller.referee.record import Record
from controller.referee.seating import Seating
from controller.referee.subscribers import Action, Subscriber
from controller.referee.throwing import ROLL_S, Throwing
from controller.referee.unfinished import find_unfinished
from controller.referee.witness import Witness
from controller.rules import RulesError
from controller.rules.fleet import Dice
from controller.settings import Pace, Share
from controller.words import ENGLISH, fill_in
from hardware.box import box_names, load_box

_log = logging.getLogger(__name__)

_AT_THE_BOX = Caller("panel")  # who stands at the box may act for everybody at its table
_LOOK_SHOWN_S = 30.0  # so long everybody is shown that somebody has looked at the camera's pictures


class Referee:
    """Plays one game after another on one box.

    One task decides everything, so that no two commands are ever judged by the same moment of a game. The table may be
    closed for somebody who needs the box in another way, and opened anew: players, seats and watchers stay.

    Lifetime: made once the table is open; `run` until cancelled. An unfinished game of this box in the journal is
    taken up where it was.
    Concurrency: one event loop. `ask`, `lend` and `watch` may be called by any task; `run` is the only writer.
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
        """odds: the folder in which house players keep the odds of big games; None: they keep none.

        house_strength: of house players of whom a new game says none. daemon: names this run to those who watch.
        found: what must be said of the journal, as it was opened. seal: puts the seal of the box on what is shown.
        """
        self._table = table
        self._journal = journal
        self._writer = JournalWriter(journal)
        self._subscribers = subscribers
        self._pace = pace
        self._lookout = self._make_lookout()
        self._house_strength = house_strength
        self._odds = odds
        self._executor = self._make_executor()
        self._daemon = daemon
        self._wall_clock = wall_clock
        self._inbox: asyncio.Queue[Request | Loan] = asyncio.Queue()
        self._borrower: Borrower | None = None
        self._record, notice = find_unfinished(journal, table.box)
        self._lost_in = self._round_of_own_dice()
        self._witness = Witness(journal, self._writer, seal, found)
        self._throwing = Throwing()
        self._works = 0  # how many jobs were begun; the number of the one under way tells its outcomes from older ones
        self._calls_off = False
        self._look_ends: asyncio.TimerHandle | None = None
        self.seating = Seating(self._seats_in_game(), self._writer, share, lambda: self._game, _loop_time_s, self._tell)
        self._bulletin = Bulletin(self._draw_snapshot, notice, found)

    async def ask(self, command: Command, caller: Caller = _AT_THE_BOX) -> Snapshot:
        """Have `command` carried out; the snapshot after it.

        Raises what `decide` raises, `NotYours` where it is not the caller's to give, `BoxTooSmall`, `JournalUnwritable`
        where it cannot be kept, and `NotNow` while somebody else has the box: a pause then ends what he does, since
        nothing may keep a box from being stopped.
        """
        if self._borrower is not None:
            return self._refuse_or_stop(self._borrower, command)
        if isinstance(command, Shout):
            # It is heard now, whatever is still being written.
            command = replace(command, at_ms=round(1000 * _loop_time_s()))
        answer: asyncio.Future[Snapshot] = asyncio.get_running_loop().create_future()
        await self._inbox.put(Request(command, caller, answer))
        return await answer

    async def lend(self, borrower: Borrower) -> None:
        """Have `play` give the box to `borrower`, who has it until `take_back`.

        Raises `NotNow` in a game that is not paused, and while somebody has the box already.
        """
        await self._lend(borrower)

    async def cut_power(self, seconds: float | None) -> None:
        """Have a simulated box without power for so long (None: until a pause): its table is gone at once.

        Nothing of the cut is recorded; with the power the game comes back as after a start. Raises `NotNow` while
        somebody has the box.
        """
        await self._lend(Outage(seconds), at_once=True)

    async def _lend(self, borrower: Borrower, *, at_once: bool = False) -> None:
        self._check_not_lent()
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        await self._inbox.put(Loan(borrower, answer, at_once))
        await answer

    async def take_back(self, table: Table, subscribers: Sequence[Subscriber]) -> None:
        """The box is back, as this table. A game stands as it did; its tiles are looked at before it goes on.

        At another box than before, that one's own game is taken up. A long match takes a while to be read.
        """
        kept, notice = await self._writer.look_up(find_unfinished, self._journal, table.box)
        is_same = table.box.name == self._table.box.name
        had_dice = bool(self._lookout.sight.own_dice) or not is_same
        self._table, self._subscribers, self._borrower = table, subscribers, None
        self._lookout = self._make_lookout()
        self._executor = self._make_executor()
        if is_same:
            notice = self._bulletin.notice
            self._record = replace(self._record, left_off=kept.left_off if self.is_game_on else None)
        else:
            self._record = kept
            self._bulletin.note_news(())
        if had_dice:
            self._lost_in = self._round_of_own_dice()
        self._bulletin.publish(notice)

    @property
    def snapshot(self) -> Snapshot:
        """What everybody at the table is shown now."""
        return self._bulletin.snapshot

    @property
    def is_game_on(self) -> bool:
        """True while a game is played, or paused."""
        return self._record.is_on

    @property
    def game_to_join(self) -> int:
        """The number of the game that is on, or else of the next one."""
        return self._record.game_id if self.is_game_on else self._journal.next_game_id()

    def _describe_lost_dice(self) -> Messages:
        """What is said of dice that this box threw for people before it was closed, as long as it matters."""
        game = self._game
        if not isinstance(game, Race) or (self._record.game_id, game.round) != self._lost_in:
            return ()
        return describe_thrown_anew(game, self._lookout.sight.own_dice)

    def _round_of_own_dice(self) -> tuple[int, int] | None:
        """The game and the round in which this box throws for people now; those of others lie on the table."""
        game = self._game if self._table.simulated else None
        return (self._record.game_id, game.round) if isinstance(game, Race) and game.is_on else None

    def tell_job(self) -> None:
        """Who has the box is further with what he does: everybody is shown it."""
        self._tell()

    def _make_lookout(self) -> Lookout:
        hands = self._table.hands
        lid = lid_of(is_closed=self._table.firmware.panel.lid_is_closed)
        return Lookout(self._tell, Sight(lid=lid, broken=hands.broken if hands is not None else ()))

    def _make_executor(self) -> Executor:
        return Executor(self._table, self._odds, self._pace, self._deliver, self._lookout)

    def _check_not_lent(self) -> None:
        if self._borrower is not None:
            doing = ENGLISH.say(compose("job.under_way", kind=self._borrower.view.kind))
            raise NotNow(f"{doing} Wait until that is over, or end it by a pause (park)")

    def _refuse_or_stop(self, borrower: Borrower, command: Command) -> Snapshot:
        if not isinstance(command, Park):
            self._check_not_lent()
        # A pause that was meant for the game, and comes late or once more, is none of what began meanwhile.
        if not self._is_done(command):
            self._check_in_time(command)
            borrower.stop()
        return self.snapshot

    def _seats_in_game(self) -> list[HeldSeat]:
        """The seats that are held in the game that is on: who played in another one may have left long ago."""
        game = self._game if self.is_game_on else None
        names = {player.name for player in game.players} if game is not None else set()
        return [seat for seat in self._journal.held_seats() if seat.name in names]

    def moves(self) -> tuple[tuple[str, ...], ...]:
        """All moves that may be chosen now; a snapshot has the first of them."""
        return () if self._game is None else moves_of(self._game)

    async def hear_witness(self, seen: Mark) -> None:
        """A device has seen this event kept. Where it is not here all are told, once: that a card has gone back to an
        earlier moment altogether, nothing on it tells. Raises `JournalError`.
        """
        lost = await self._witness.hear(seen)
        if lost:
            self._bulletin.note_found(lost)
            self._tell()

    def announce(self, message: Message) -> None:
        """Say something to everybody at the table that is no event of a game."""
        self._bulletin.publish((message,))

    def note_lid(self, *, is_closed: bool) -> None:
        """The lid was moved: whoever watches hears of it."""
        self._lookout.note(lid=lid_of(is_closed=is_closed))

    def note_broken(self) -> None:
        """Hands have broken or mended something of a simulated box: whoever watches hears of it."""
        if self._table.hands is not None:
            self._lookout.note(broken=self._table.hands.broken)

    @property
    def table(self) -> Table:
        """The table that it plays on, for who tells of it; what moves it is the referee's alone."""
        return self._table

    @property
    def commits(self) -> CommitTimes:
        """How long what was decided here took to be written."""
        return self._writer.times

    @property
    def watchers(self) -> int:
        """How many are sent every snapshot, the daemon's own among them."""
        return self._bulletin.watchers

    def note_look(self) -> None:
        """Somebody looks at the camera's pictures: everybody is shown so, until a while after the last of them."""
        if self._look_ends is not None:
            self._look_ends.cancel()
        self._lookout.note(looked_at=True)
        end = partial(self._lookout.note, looked_at=False)
        self._look_ends = asyncio.get_running_loop().call_later(_LOOK_SHOWN_S, end)

    def watch(self) -> AbstractAsyncContextManager[asyncio.Queue[Snapshot]]:
        """A queue of snapshots, beginning with the present one. A slow reader loses the oldest."""
        return self._bulletin.watch()

    async def run(self) -> None:
        """Referee until cancelled, on a table that nobody else wants."""
        with closing(self):
            await self.play()

    def close(self) -> None:
        """Finish what is being written; nothing is written after it."""
        self._writer.close()

    async def play(self) -> Borrower:
        """Referee until the box is lent: who has it now, once nothing drives a tile any more."""
        async with asyncio.TaskGroup() as tasks:
            while self._borrower is None:
                await self._see_to_what_is_due(tasks)
        self._answer_rest(self._borrower)
        return self._borrower

    async def _see_to_what_is_due(self, tasks: asyncio.TaskGroup) -> None:
        """Have the box do what is due, until something else is."""
        self._works += 1
        self._calls_off = False
        moment = Moment(self._game, self._throwing.thrown, self._throwing.dice_wanted, self._record.left_off)
        work = tasks.create_task(self._executor.do(moment), name="what is due")
        try:
            await self._wait_for_change()
        finally:
            self._calls_off = True
            await _cancel(work)

    def _answer_rest(self, borrower: Borrower) -> None:
        """Answer what came before the box was lent, and was not looked at any more."""
        while not self._inbox.empty():
            request = self._inbox.get_nowait()
            if request.answer is None or request.answer.done():
                continue
            try:
                if isinstance(request, Loan):
                    self._check_not_lent()
                else:
                    request.answer.set_result(self._refuse_or_stop(borrower, request.command))
            except NotNow as error:
                request.answer.set_exception(error)

    async def _wait_for_change(self) -> None:
        """Take commands until one of them changes what is due."""
        changed = False
        while not changed:
            request = await self._inbox.get()
            changed = self._give(request) if isinstance(request, Loan) else await self._carry_out(request)

    def _give(self, loan: Loan) -> bool:
        """Lend the box; False if it cannot be spared now."""
        if loan.answer.done():
            return False
        game = self._game if self.is_game_on else None
        if game is not None and not isinstance(game.phase, Parked) and not loan.at_once:
            loan.answer.set_exception(NotNow("a game is on; pause it first (park), then the box is free for this"))
            return False
        self._borrower, self._throwing = loan.borrower, Throwing()
        self._bulletin.publish()
        loan.answer.set_result(None)
        return True

    async def _carry_out(self, request: Request) -> bool:
        """Carry out one command; True if what is due may have changed."""
        # What came of work that has been dropped meanwhile is void.
        if request.work not in (None, self._works):
            return False
        try:
            if self._is_done(request.command):
                request.reply(self.snapshot)
                return False
            self._check_in_time(request.command)
            request = self._check_caller(request)
            before = self._game
            notice = await self._perform(request)
        except (RulesError, ShutboxError) as error:
            waits = request.answer is not None and not request.answer.done()
            if not waits or (isinstance(error, JournalUnwritable) and request.work is None):
                self._bulletin.publish((_describe_error(error),))
            if request.answer is not None and waits:
                request.answer.set_exception(error)
            return False
        self._bulletin.publish(notice or ())
        request.reply(self.snapshot)
        return notice is not None and not _only_time_passed(before, self._game)

    def _is_done(self, command: Command) -> bool:
        """True if this very command was carried out before: an answer gets lost more often than a command."""
        return isinstance(command, FromClient) and command.key is not None and self._journal.knows_key(command.key)

    def _check_in_time(self, command: Command) -> None:
        """Raise `TooLate` if the command was meant for a moment that is over."""
        if not isinstance(command, FromClient):
            return
        now = self.snapshot
        if command.game_id not in (None, now.game_id) or command.event not in (None, now.event):
            raise TooLate(f"something else has happened since: {now.say}")

    def _check_caller(self, request: Request) -> Request:
        """The request, with the player whose it is where each has his own.

        Raises `NotYours` if another may give this command, `NotNow` for a part of a turn that nobody can do now.
        """
        command = request.command
        if not isinstance(command, FromClient) or request.work is not None:
            return request
        check_may(self._game, command.do, request.caller)
        return replace(request, command=for_player(self._game, command, request.caller))

    async def _perform(self, request: Request) -> Messages | None:
        """Do what a command asks for, and return the notice of it; None where nothing has changed."""
        command = request.command
        # Rolling is no event: the game learns of a throw when its dice are read.
        if isinstance(command, RollDice):
            await self._roll_dice(command)
            return ()
        if isinstance(command, ThrowOwnDice):
            command = await self._throw_own(command)
            if isinstance(command, ThrowOwnDice):
                return ()
        if isinstance(command, Choose) and request.work is None:
            self._check_not_the_house_s()
        if isinstance(command, StartGame):
            rules = any_rules_of(command.game, command.options, command.marks)
            check_box(rules, self._table.box, map(load_box, box_names()))
            command = replace(command, players=with_strength(command.players, self._house_strength))
        events = decide(self._game, command)
        if not events:
            # Repeated later, when it would change something, it is not done then either.
            await self._note_key(command)
            return None
        return self._call_subscribers(await self._keep(events, request))

    def _check_not_the_house_s(self) -> None:
        """Raise `NotNow` where a house player chooses by itself."""
        if isinstance(self._game, Game) and self._game.player.house:
            raise NotNow(f"{self._game.player.name} chooses by itself")

    async def _throw_own(self, command: ThrowOwnDice) -> ThrowOwnDice | Claim:
        """Throw the dice of somebody at a simulated box; for who names first, that is what he claims."""
        check_can(self._game, command.do)
        race = self._game
        if not isinstance(race, Race) or not self._table.simulated:
            raise NotNow("at this box everybody throws his own dice")
        if command.player is None:
            raise NotNow("say whose dice are thrown")
        if isinstance(race.resting, RollingOff):
            return Claim(tuple(self._executor.race.roll_for().plain), command.player, key=command.key)
        seat = seat_of(race, "throw", command.player)
        self._executor.race.throw_for(race, seat, Dice.of_words(command.keep, race.rules.card.joker))
        await self._note_key(command)
        return command

    async def _keep(self, events: Sequence[GameEvent], request: Request) -> Action:
        """Journal the events of one action in one commit, and only then let them be true."""
        command, before = request.command, self._record
        origin, key = Origin(request.caller.door), None
        if isinstance(command, FromClient):
            origin, key = origin_of(self._game, command, request.caller), command.key
        if isinstance(command, StartGame):
            before = Record(game_id=self._journal.next_game_id())
        after, entries = before.after(events, origin, self._wall_clock)
        await self._writer.append(after.game_id, self._table.box.name, entries, key)
        for entry in entries:
            _log.info("game %d, event %d: %s", after.game_id, entry.number, log_line(entry.event, origin))
        if self._record.left_off is None:
            # The tiles may have been compared while it was written.
            after = replace(after, left_off=None)
        self._record, self._throwing = after, Throwing()
        self._witness.note(Mark.of(after.game_id, after.events, self._table.box.name, entries[-1].digest))
        if request.work is None:
            self._bulletin.drop_found()
        return Action(after.game_id, before.game, tuple(events), self._require_game(), origin)

    def _call_subscribers(self, action: Action) -> Messages:
        """Let everybody hear of an action; the news is what it means and what they add, the notice is returned."""
        words = [subscriber(action) for subscriber in self._subscribers]
        news = news_of(action.before, action.events, action.after, action.origin.seat)
        told = (*news, *(message for each in words for message in each.news))
        # Once its tiles stand, what somebody has chosen is still what happened last.
        if told or not all(isinstance(event, TilesConfirmed) for event in action.events):
            self._bulletin.note_news(told)
        return tuple(message for each in words for message in each.notice)

    async def _roll_dice(self, command: RollDice) -> None:
        check_can(self._game, command.do)
        game = self._require_game()
        if not isinstance(game, Game):
            raise NotNow("in a race everybody throws his own dice")
        if self._record.is_comparing:
            raise NotNow(ENGLISH.say(compose("game.comparing")))
        if self._throwing.is_reading(_loop_time_s()):
            raise NotNow("the dice are being read; wait, or say what they show")
        if not camera_reads(game.rules, self._table):
            raise NotNow(ENGLISH.say(describe_unreadable(game.rules)))
        allowed = game.dice_allowed
        count = command.count or max(allowed)
        if count not in allowed:
            raise NotNow(f"this throw is made with {' or '.join(map(str, sorted(allowed)))} dice, not {count}")
        await self._note_key(command)
        self._table.throw(count)
        loop = asyncio.get_running_loop()
        self._throwing = self._throwing.begin(loop.time())
        loop.call_later(ROLL_S, self._tell)

    async def _note_key(self, command: Command) -> None:
        """Note that a command which makes no event is done."""
        if isinstance(command, FromClient) and command.key is not None:
            await self._writer.note_key(command.key, self._record.game_id, self._record.events)

    def _draw_snapshot(self, told: Told) -> Snapshot:
        game = self._game
        readable = game is None or camera_reads(game.rules, self._table, len(game.players))
        box = self._table.box
        context = SnapshotContext(
            number=told.number,
            game_id=self._record.game_id,
            event=self._record.events,
            box=box.name,
            notice=(*told.found, *self._describe_lost_dice(), *told.notice),
            news=told.news,
            dice_wanted=self._throwing.dice_wanted,
            camera_reads=readable,
            reading=self._throwing.is_reading(_loop_time_s()),
            comparing=self._record.is_comparing,
            origin=self._record.origin,
            holdings=self.seating.holdings(),
            shared=self.seating.is_shared,
            sight=self._lookout.sight,
            simulated=self._table.simulated,
            daemon=self._daemon,
            job=self._borrower.view if self._borrower is not None else None,
            baize=BaizeView(box.field.width_mm, box.field.depth_mm, box.die_mm),
            seen=self._witness.seen,
            colours=self._table.claims.colours if self._table.claims is not None else (),
        )
        return fill_in(snapshot_of(self._game, context))

    def _tell(self) -> None:
        """Somebody sits down, or the box sees something: that is no event of the game."""
        self._bulletin.tell()

    async def _deliver(self, outcome: Outcome) -> None:
        """Take what comes of a job of the box."""
        match outcome:
            case Notice(messages, again):
                if again or messages != self._bulletin.notice:
                    self._bulletin.publish(messages)
            case Meanwhile(message):
                self._bulletin.say_meanwhile(message)
            case Done():
                self._bulletin.end_meanwhile()
            case Compared():
                self._record = replace(self._record, left_off=None)
                self._tell()
            case Unread(messages):
                was_thrown = self._throwing.thrown
                self._throwing = self._throwing.unread(is_told=bool(messages))
                if messages or was_thrown:
                    self._bulletin.publish(messages or self._bulletin.notice)
            case Wish(dice):
                self._throwing = replace(self._throwing, dice_wanted=dice)
                self._tell()
            case _:
                await self._submit_own(outcome)

    async def _submit_own(self, command: Command) -> None:
        """Have a command of the box's own carried out; void if something else happens first.

        What stops it, such as a full disk, is told, and it is tried again: nobody else would. But what a hand means is
        looked at anew, for it may have taken its move back. A job that is called off may fail as it lets go of the
        metal: nothing is taken of it, since `run` waits for its end.
        """
        while not self._calls_off:
            answer: asyncio.Future[Snapshot] = asyncio.get_running_loop().create_future()
            self._inbox.put_nowait(Request(command, Caller(_door_of(command, self._game)), answer, work=self._works))
            try:
                await answer
            except (RulesError, ShutboxError) as error:
                told = (_describe_error(error),)
                if told != self._bulletin.notice:
                    self._bulletin.publish(told)
                await asyncio.sleep(self._pace.watch_every_s)
                if isinstance(command, Choose) and _door_of(command, self._game) == "hands":
                    return
            else:
                return

    @property
    def _game(self) -> AnyGame | None:
        return self._record.game

    def _require_game(self) -> AnyGame:
        if self._game is None:
            raise NotNow("no game is on")
        return self._game


def _describe_error(error: RulesError | ShutboxError) -> Message:
    """The notice of what could not be done where nobody waits for an answer."""
    return compose("error", code=error.code, cause=str(error))


def _only_time_passed(before: AnyGame | None, after: AnyGame | None) -> bool:
    """True where the last player of a race has a second less and all else is as before: what is being read goes on."""
    if before == after or not isinstance(before, Race) or not isinstance(after, Race):
        return False
    return replace(before, left_s=after.left_s) == after


def _door_of(command: Command, game: AnyGame | None) -> Door:
    """The part of the box that gives a command of its own."""
    match command:
        case TakeThrow() | Claim(source="camera"):
            return "camera"
        case Choose() | AcceptLoss() if isinstance(game, Game):
            return "house" if game.player.house else "hands"
        case NameCombination() | Shout() | Claim():
            return "house"
    return "box"


def _loop_time_s() -> float:
    return asyncio.get_running_loop().time()


async def _cancel(task: asyncio.Task[None]) -> None:
    """Cancel `task` and wait until it has let go of the metal. Its errors go to the task group."""
    task.cancel()
    await asyncio.wait([task])
