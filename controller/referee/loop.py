"""The loop of the referee: decides requests one by one, and has the executor do what the phase asks for."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from controller.box.compatibility import check_box
from controller.box.table import Table, camera_reads
from controller.errors import JournalUnwritable, KeyTaken, NotNow, ShutboxError, TooLate
from controller.game.core.commands import ClientCommand, Command, Park, StartGame
from controller.game.core.engine import AnyGame
from controller.game.core.events import TilesConfirmed
from controller.game.core.message import Message, Messages, compose
from controller.game.core.phases import Parked
from controller.game.core.players import Origin, Strength, with_strength
from controller.game.fleet.commands import Claim, ThrowOwnDice
from controller.game.fleet.state import Race
from controller.game.shutbox.commands import Choose, RollDice
from controller.game.shutbox.messages import describe_unreadable
from controller.game.shutbox.state import Game
from controller.game.table.caller import Caller, check_may, check_side, for_player, origin_of
from controller.game.table.engines import any_rules_of, check_can, decide, news_of
from controller.game.table.snapshot import Snapshot
from controller.journal.keys import CommandKey
from controller.messages.words import ENGLISH
from controller.referee.jobs.executor import Executor, Moment
from controller.referee.jobs.outcomes import (
    Compared,
    Done,
    Meanwhile,
    Notice,
    Observations,
    Outcome,
    Unread,
    Wish,
    door_of,
)
from controller.referee.jobs.turn import ROLL_S, Throwing
from controller.referee.lending import Borrower, Inbox, Loan, Request
from controller.referee.publisher import SnapshotPublisher
from controller.referee.recorder import Recorder
from controller.referee.subscribers import Subscriber
from controller.rules.errors import RulesError
from controller.settings import Pace
from hardware.box import box_names, load_box


class RefereeLoop:
    """Decides every command, so that no two are judged by the same moment of a game.

    throwing: the state of the throw that is due.
    Lifetime: as the referee. Concurrency: one event loop; `play` by one task.
    """

    def __init__(
        self,
        inbox: Inbox,
        recorder: Recorder,
        publisher: SnapshotPublisher,
        pace: Pace,
        odds: Path | None,
        house_strength: Strength,
    ) -> None:
        self._inbox = inbox
        self._recorder = recorder
        self._publisher = publisher
        self._pace = pace
        self._odds = odds
        self._house_strength = house_strength
        self._works = 0  # counts the jobs begun, which tells the outcomes of the present one from older ones
        self._calls_off = False
        self.throwing = Throwing()

    def use_table(self, table: Table, subscribers: Sequence[Subscriber], observations: Observations) -> None:
        """Work on this table from now on."""
        self._table, self._subscribers = table, subscribers
        self._executor = Executor(table, self._odds, self._pace, self._deliver, observations)

    async def play(self) -> Borrower:
        """Take requests until the box is lent; return the borrower once nothing drives a tile any more."""
        async with asyncio.TaskGroup() as tasks:
            while self._inbox.borrower is None:
                self._works += 1
                self._calls_off = False
                record, throwing = self._recorder.record, self.throwing
                moment = Moment(record.game, throwing.thrown, throwing.dice_wanted, record.resume_point)
                work = tasks.create_task(self._executor.do(moment), name="what is due")
                try:
                    while not await self._take(await self._inbox.get()):
                        pass
                finally:
                    self._calls_off = True
                    work.cancel()
                    # It has to let go of the metal first. Its errors go to the task group.
                    await asyncio.wait([work])
        for request in self._inbox.unanswered():
            try:
                if isinstance(request, Loan):
                    self._inbox.check_not_lent()
                else:
                    request.reply(self.refuse_or_stop(self._inbox.borrower, request.command, request.key))
            except (NotNow, KeyTaken) as error:
                request.fail(error)
        return self._inbox.borrower

    async def _take(self, request: Request | Loan) -> bool:
        """Grant a loan or carry out a command; return whether something else may be due now."""
        if isinstance(request, Request):
            return await self._carry_out(request)
        if not request.waits:
            return False
        record = self._recorder.record
        if record.is_on and not request.at_once and not isinstance(self._require_game().phase, Parked):
            request.fail(NotNow("a game is on; pause it first (park), then the box is free for this"))
            return False
        self._inbox.borrower, self.throwing = request.borrower, Throwing()
        self._publisher.publish()
        request.answer.set_result(None)
        return True

    async def _carry_out(self, request: Request) -> bool:
        # Work that was called off meanwhile has no outcome.
        if request.work not in (None, self._works):
            return False
        try:
            if self._recorder.has_done(request.key):
                request.reply(self._publisher.snapshot)
                return False
            self._check_in_time(request.command)
            if isinstance(request.command, ClientCommand) and request.work is None:
                check_may(self._game, request.command.do, request.caller)
                request = replace(request, command=for_player(self._game, request.command, request.caller))
            check_side(self._game, request.command, request.caller.door)
            before = self._game
            notice = await self._perform(request)
        except (RulesError, ShutboxError) as error:
            if not request.waits or (isinstance(error, JournalUnwritable) and request.work is None):
                self._publisher.publish((_describe_error(error),))
            self._recorder.note_refused(request.key, error)
            request.fail(error)
            return False
        self._publisher.publish(notice or ())
        request.reply(self._publisher.snapshot)
        if isinstance(before, Race) and isinstance(self._game, Race) and before != self._game:
            # While only the time of the last player passes, the dice that are being read stay the same.
            return notice is not None and replace(before, left_s=self._game.left_s) != self._game
        return notice is not None

    def refuse_or_stop(self, borrower: Borrower, command: Command, key: CommandKey | None) -> Snapshot:
        """Refuse a command while the box is lent, but let a pause stop the borrower.

        Raises `NotNow`, `TooLate` and `KeyTaken`.
        """
        try:
            # A late or repeated pause was meant for the game, and not for the work that began meanwhile.
            if not self._recorder.has_done(key):
                if not isinstance(command, Park):
                    self._inbox.check_not_lent()
                self._check_in_time(command)
                borrower.stop()
        except NotNow as error:
            self._recorder.note_refused(key, error)
            raise
        return self._publisher.snapshot

    def _check_in_time(self, command: Command) -> None:
        """Raise `TooLate` if the command was meant for an earlier moment."""
        if not isinstance(command, ClientCommand):
            return
        now = self._publisher.snapshot
        if command.game_id not in (None, now.game_id) or command.event not in (None, now.event):
            raise TooLate(f"something else has happened since: {now.say}")

    async def _perform(self, request: Request) -> Messages | None:
        """Do what a command asks for, and return the notice about it; None if nothing has changed."""
        command = request.command
        # Rolling is no event: the game learns of a throw when its dice are read.
        if isinstance(command, RollDice):
            await self._roll_dice(command, request.key)
            return ()
        if isinstance(command, ThrowOwnDice):
            command = await self._throw_own(command, request.key)
            if isinstance(command, ThrowOwnDice):
                return ()
        game = self._game
        if isinstance(command, Choose) and request.work is None and isinstance(game, Game) and game.player.house:
            raise NotNow(f"{game.player.name} chooses by itself")
        if isinstance(command, StartGame):
            rules = any_rules_of(command.game, command.options, command.marks)
            check_box(rules, self._table.box, map(load_box, box_names()))
            await self._table.check_driven()
            command = replace(command, players=with_strength(command.players, self._house_strength))
        events = decide(self._game, command)
        if not events:
            await self._recorder.note_key(request.key)
            return None
        origin = Origin(request.caller.door)
        if isinstance(command, ClientCommand):
            origin = origin_of(self._game, command, request.caller)
        action = await self._recorder.keep(events, command, request.key, origin, self._table.box.name)
        if isinstance(command, StartGame):
            await self._executor.race.clear_baize()
        self.throwing = Throwing()
        if request.work is None:
            self._publisher.drop_found()
        words = [subscriber(action) for subscriber in self._subscribers]
        news = [*news_of(action.before, action.events, action.after, action.origin.seat)]
        news += (message for each in words for message in each.news)
        # A confirmation of tiles without news leaves the choice before it as the latest event.
        if news or not all(isinstance(event, TilesConfirmed) for event in action.events):
            self._publisher.note_news(tuple(news))
        return tuple(message for each in words for message in each.notice)

    async def _throw_own(self, command: ThrowOwnDice, key: CommandKey | None) -> ThrowOwnDice | Claim:
        """Throw a player's dice at a simulated box; return the claim that this is when players roll for the start."""
        check_can(self._game, command.do)
        race = self._game
        if not isinstance(race, Race) or not self._table.simulated:
            raise NotNow("at this box everybody throws their own dice")
        if command.player is None:
            raise NotNow("say whose dice are thrown")
        claimed = self._executor.race.throw_for(race, command.player, command.keep)
        if claimed is not None:
            return claimed
        await self._recorder.note_key(key)
        return command

    async def _roll_dice(self, command: RollDice, key: CommandKey | None) -> None:
        check_can(self._game, command.do)
        game = self._require_game()
        if not isinstance(game, Game):
            raise NotNow("in a race everybody throws their own dice")
        if self._recorder.record.is_comparing:
            raise NotNow(ENGLISH.say(compose("game.comparing")))
        loop = asyncio.get_running_loop()
        if self.throwing.is_reading(loop.time()):
            raise NotNow("the dice are being read; wait, or say what they show")
        if not camera_reads(game.rules, self._table):
            raise NotNow(ENGLISH.say(describe_unreadable(game.rules)))
        allowed = game.dice_allowed
        count = command.count or max(allowed)
        if count not in allowed:
            raise NotNow(f"this throw is made with {' or '.join(map(str, sorted(allowed)))} dice, not {count}")
        await self._recorder.note_key(key)
        self._table.throw(count)
        self.throwing = self.throwing.begin(loop.time())
        loop.call_later(ROLL_S, self._publisher.refresh)

    async def _deliver(self, outcome: Outcome) -> None:
        """Take an outcome of the box's own work."""
        match outcome:
            case Notice(messages, again):
                if again or messages != self._publisher.notice:
                    self._publisher.publish(messages)
            case Meanwhile(message):
                self._publisher.say_meanwhile(message)
            case Done():
                self._publisher.end_meanwhile()
            case Compared():
                self._recorder.note_compared()
                self._publisher.refresh()
            case Unread(messages):
                was_thrown = self.throwing.thrown
                self.throwing = self.throwing.unread(is_told=bool(messages))
                if messages or was_thrown:
                    self._publisher.publish(messages or self._publisher.notice)
            case Wish(dice):
                self.throwing = replace(self.throwing, dice_wanted=dice)
                self._publisher.refresh()
            case _:
                await self._submit_own(outcome)

    async def _submit_own(self, command: Command) -> None:
        """Have a command of the box's own carried out, unless something else happens first.

        An obstacle such as a full disk is shown, and the command is tried again: nobody else would. A move by hand is
        not: it may have been taken back. Work that is called off may fail while it lets go of the metal: nothing comes
        of it, since `play` waits for its end.
        """
        while not self._calls_off:
            door = door_of(command, self._game)
            try:
                await self._inbox.ask(command, Caller(door), self._works)
            except (RulesError, ShutboxError) as error:
                told = (_describe_error(error),)
                if told != self._publisher.notice:
                    self._publisher.publish(told)
                await asyncio.sleep(self._pace.watch_every_s)
                if isinstance(command, Choose) and door_of(command, self._game) == "hands":
                    return
            else:
                return

    @property
    def _game(self) -> AnyGame | None:
        return self._recorder.record.game

    def _require_game(self) -> AnyGame:
        if self._game is None:
            raise NotNow("no game is on")
        return self._game


def _describe_error(error: RulesError | ShutboxError) -> Message:
    """Return the notice of an error where nobody waits for an answer."""
    return compose("error", code=error.code, cause=str(error))
