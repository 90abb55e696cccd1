"""A seat at a terminal: sends what is typed as commands to the daemon, and prints what happens.

The seat is a client like any other: it speaks to the daemon over its socket, be it in another process or in this one.
"""

import asyncio
import textwrap
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from controller.cli.drawing import dice_faces, draw_hint, draw_keys, draw_moves, draw_table
from controller.cli.hints import asks_one_by_one, between_hint, hint_for, repair_hint, unread_hint
from controller.cli.introduction import introduce
from controller.cli.keys import keys_of_turn, other_keys
from controller.cli.not_understood import NotUnderstood
from controller.cli.odds_words import draw_answer
from controller.cli.places import changes_of_pace, changes_of_seats, describe_seats, names_in, others_turn
from controller.cli.progress import show_progress
from controller.cli.race import advise, is_drawn, only_time_passed, race_changes, whose_advice
from controller.cli.typed import command_for, complete_line, question_about
from controller.errors import SeatTaken
from controller.game import (
    OF_ONE,
    Abandon,
    ClientCommand,
    Park,
    Player,
    RollDice,
    Snapshot,
    StartGame,
    as_sentence,
    join_and,
)
from controller.process import BackgroundThread
from controller.rules import RulesError
from controller.strategy import OddsBook
from controller.web import Client, DaemonGone, Refused
from controller.words import ENGLISH, Words

# Phases in which the table is drawn anew: whenever somebody has to look at it.
_DRAWN = ("awaiting_throw", "halted", "differing", "parked", "ended")
_LOOK_EVERY_S = 0.5  # for a daemon that is gone


@dataclass(frozen=True, slots=True)
class NewGame:
    """The game this seat starts when none is on; `is_asked_for` if somebody named it, and it is not just the usual one.

    A seat that finds another game on says so only if somebody asked for this one.
    """

    start: StartGame
    is_asked_for: bool = False


class Seat:
    """One person at one terminal.

    Lifetime: `sit` until the line ends, somebody leaves, or the daemon goes.
    Concurrency: one event loop; `sit` once.
    """

    def __init__(
        self,
        client: Client,
        console: Console,
        new_game: NewGame,
        book: OddsBook,
        names: Sequence[str] = (),
        *,
        waits: bool = False,
        begins: bool = True,
        words: Words = ENGLISH,
    ) -> None:
        """`names`: of the players whose seats are taken; none: those that nobody else takes.

        waits: for a daemon that ends, which is another process and may be started again. begins: with a game, where
        none is on; else it is started by somebody at the table. words: in which this seat speaks.
        """
        self._words = words
        self._client = client
        self._waits = waits
        self._begins = begins
        self._names = tuple(names)
        self._given_back: tuple[str, ...] = ()
        self._book = book
        self._console = console
        self._new_game = new_game
        self._thread = BackgroundThread()
        self._shown: Snapshot | None = None
        self.is_waiting = False  # for a daemon that is gone
        self._is_back = False  # from where a daemon was gone: everything is drawn once more

    async def sit(self, lines: AsyncIterator[str]) -> None:
        """Play. Raises `DaemonGone` when the daemon ends first, `Refused` if somebody else sits here already."""
        await self._client.sit(self._names, "terminal")
        showing = asyncio.ensure_future(self._watch())
        typing = asyncio.ensure_future(self._take_lines(lines))
        try:
            done, _ = await asyncio.wait([showing, typing], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (showing, typing):
                task.cancel()
            await asyncio.wait([showing, typing])
            with suppress(Refused, DaemonGone):
                await self._client.leave()
        for task in done:
            task.result()

    def complete(self, line: str) -> Sequence[str]:
        """The lines that what is typed so far may become now."""
        return complete_line(line, self._shown, self._names) if self._shown is not None else ()

    async def _watch(self) -> None:
        """Show the table, also when its daemon was started again. Raises `DaemonGone` where that is not waited for."""
        while True:
            try:
                async with self._client.snapshots() as snapshots:
                    await self._show_all(snapshots)
            except DaemonGone:
                if not self._waits:
                    raise
            if not self._waits:
                raise DaemonGone(self._words.gettext("the daemon ended; the game is kept"))
            self._tell(self._words.gettext("The box's program has ended; this seat waits for it. q leaves."))
            self.is_waiting = True
            await self._come_back()
            self.is_waiting = False

    async def _come_back(self) -> None:
        """Sit down again once a daemon answers. Raises `Refused` if somebody else sits here by then."""
        self._is_back = False
        while not self._is_back:
            await asyncio.sleep(_LOOK_EVERY_S)
            with suppress(DaemonGone):
                await self._sit_again()
                self._is_back = True
        self._tell(self._words.gettext("It is back."))

    async def _sit_again(self) -> None:
        """Sit down as before where the daemon knows this seat still, else anew."""
        try:
            await self._client.sit(self._names, "terminal")
        except Refused:
            self._client.forget_seat()
            await self._client.sit(self._names, "terminal")

    async def _show_all(self, snapshots: AsyncIterator[Snapshot]) -> None:
        async for snapshot in snapshots:
            if self._shown is None and self._begins and snapshot.phase in ("idle", "ended"):
                await self._start()
            else:
                if self._shown is None:
                    self._introduce(snapshot)
                self._show(snapshot, None if self._is_back else self._shown)
            self._shown, self._is_back = snapshot, False

    async def _start(self) -> None:
        start = self._new_game.start
        people = [player.name for player in start.players if not player.house]
        for name in self._names:
            if name not in people:
                raise SeatTaken(
                    f"nobody can sit down as {name} in this game; the seats are those of {join_and(people)}"
                )
        try:
            self._note(introduce(start.game, start.options, start.marks, start.players, self._words))
            await self._client.send(start)
        except Refused as error:
            self._refuse(error)

    def _introduce(self, snapshot: Snapshot) -> None:
        """Print what the game is about that is on here already."""
        if snapshot.game is not None:
            house = [Player(seat.name, house=True, strength=seat.house) for seat in snapshot.seats if seat.house]
            self._note(introduce(snapshot.game, snapshot.options, snapshot.marks, house, self._words))
        if self._new_game.is_asked_for and not _is_on(self._new_game.start, snapshot):
            self._tell(_describe_game_on(snapshot, self._words))

    def _show(self, snapshot: Snapshot, before: Snapshot | None) -> None:
        """Print what is new since the snapshot before; all of it where there was none."""
        moved: tuple[str, ...] = ()
        if before is not None:
            moved = tuple(changes_of_seats(before, snapshot, (*self._names, *self._given_back), self._words))
            self._note((*moved, *changes_of_pace(before, snapshot, self._names, self._words)))
        for line in race_changes(before, snapshot, self._names, self._words):
            self._tell(line)
        # What was chosen stays the news until its tiles stand, and is said once.
        if snapshot.news and (before is None or snapshot.news != before.news):
            self._print(self._words.say_at_terminal(snapshot.news_messages, snapshot.tiles), "cyan")
        if snapshot.notice and (before is None or snapshot.notice != before.notice):
            said = snapshot.notice_messages
            notice = self._words.say_at_terminal(said, snapshot.tiles)
            self._tell(f"! {notice}" if any(each.severity == "help" for each in said) else notice)
            if snapshot.phase == "awaiting_throw" and _is_unread(snapshot) and not others_turn(snapshot, self._names):
                self._hint_at(unread_hint(snapshot, self._words), one_by_one=True)
        is_same = before is not None and _is_same(before, snapshot)
        hint = hint_for(snapshot, self._names, self._words)
        if is_same and before is not None and snapshot.say == before.say:
            may_differ = moved or snapshot.race is not None
            if may_differ and hint != hint_for(before, self._names, self._words):
                self._hint_at(hint)
            return
        # After a choice was taken back, too, tiles stand elsewhere than they were drawn last.
        moved_back = before is not None and before.phase == "moving" and snapshot.phase == "choosing"
        is_due = snapshot.phase in _DRAWN or moved_back or (snapshot.race is not None and is_drawn(before, snapshot))
        if not is_same and (before is None or is_due):
            self._console.print()
            self._console.print(draw_table(snapshot, self._console.width, self._words))
        faces = f"{dice_faces(snapshot.throw)}  " if snapshot.phase in ("choosing", "turn_lost") else ""
        self._say(f"{faces}{self._words.say_at_terminal(snapshot.messages[:1], snapshot.tiles)}")
        if hint and snapshot.phase == "choosing" and not snapshot.house:
            self._console.print(draw_moves(snapshot, self._words))
        self._hint_at(hint, one_by_one=asks_one_by_one(snapshot))

    def _say(self, sentence: str) -> None:
        """What the table says; where it is broken, it goes on indented, and is not taken for another sentence."""
        lines = textwrap.fill(sentence, self._console.width, subsequent_indent="  ", break_on_hyphens=False)
        self._console.print(lines, style="bold", markup=False)

    def _tell(self, line: str) -> None:
        self._print(line, "yellow")

    def _refuse(self, error: Refused | RulesError) -> None:
        # What the daemon refuses it says in the language of its client.
        line = str(error) if isinstance(error, Refused) else self._words.refuse(error.code, str(error))
        self._tell(as_sentence(line))

    def _note(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._print(line, "dim")

    def _hint_at(self, hint: Sequence[str], *, one_by_one: bool = False) -> None:
        if hint:
            self._console.print(draw_hint(hint, self._console.width, one_by_one=one_by_one))

    def _print(self, line: str, style: str) -> None:
        """A line beside what the table says; where it is broken, it stays indented."""
        self._console.print(Padding(Text(line, style), (0, 0, 0, 2), expand=False))

    async def _take_lines(self, lines: AsyncIterator[str]) -> None:
        async for typed in lines:
            # What a terminal sends that is no text at all can be sent on to nobody.
            line = typed.encode("utf-8", "replace").decode("utf-8")
            if line.strip().lower() in ("q", "quit", "exit"):
                return
            await self._take_line(line.strip())

    async def _take_line(self, line: str) -> None:
        if line.lower() in ("?", "help"):
            self._console.print(draw_keys(keys_of_turn(self._words, self._shown)))
            return
        if line == "??":
            self._console.print(draw_keys(other_keys(self._words, self._shown)))
            return
        if self._shown is None:
            return
        if line.lower() in ("b", "board"):
            self._show(self._shown, None)
            return
        try:
            advised = whose_advice(line, self._shown, self._names, self._words)
            if advised is not None:
                self._console.print(await self._thread.run(partial(advise, self._shown, advised), self._words))
            elif line.lower() in ("h", "hint"):
                await self._hint(self._shown)
            elif line.lower() in ("i", "info"):
                for each in repair_hint(self._shown, self._words):
                    self._tell(each)
            elif line.lower().split()[:1] in (["sit"], ["stand"]):
                await self._change_seat(names_in(line, self._shown))
            elif line.lower() == "new" and not self._shown.can("start"):
                self._tell(self._words.gettext("A game is on already. To end it for everybody, type: give up"))
            elif line.lower() == "new" or (not line and self._shown.phase in ("idle", "ended")):
                await self._start()
            elif not line and self._shown.reading:
                self._tell(self._words.gettext("Reading the dice ..."))
            else:
                command = command_for(line, self._shown, self._words, self._names)
                if isinstance(command, RollDice) and not others_turn(self._shown, self._names):
                    # The answer comes when the dice are read; somebody who sees nothing for that long presses again.
                    self._tell(self._words.gettext("Reading the dice ..."))
                await self._client.send(_meant_for(self._shown, command))
        except DaemonGone:
            if not self._waits:
                raise
            self._tell(self._words.gettext("The box's program does not answer just now; nothing was done."))
        except NotUnderstood as error:
            self._tell(str(error))
            if error.asks_hint:
                hint = hint_for(self._shown, self._names, self._words) or between_hint(self._words)
                self._hint_at(hint, one_by_one=asks_one_by_one(self._shown))
        except (Refused, RulesError) as error:
            self._refuse(error)

    async def _change_seat(self, names: Sequence[str]) -> None:
        await self._client.sit(names, "terminal")
        self._given_back, self._names = self._names, tuple(names)
        self._note([describe_seats(self._names, self._words)])

    async def _hint(self, snapshot: Snapshot) -> None:
        """Print what the odds say. A thread counts them: a game of many boards takes its time at the first question."""
        question = question_about(snapshot, self._words)
        with show_progress(self._words.gettext("Working out the odds"), self._tell) as progress:
            found = await self._thread.run(partial(self._book.answer, progress=progress), question)
        self._console.print(draw_answer(found, question, self._book, self._console.width, self._words))


def _is_same(before: Snapshot, after: Snapshot) -> bool:
    """True where the game stands as it did, but for a second that the last one of a race has less."""
    return (after.event, after.phase) == (before.event, before.phase) or only_time_passed(before, after)


def _is_unread(snapshot: Snapshot) -> bool:
    """True where the notice is of dice that lie there and were not read."""
    return any(each.key.startswith("reading.") for each in snapshot.notice_messages)


def _meant_for(snapshot: Snapshot, command: ClientCommand) -> ClientCommand:
    """The command as an answer to what is shown; a pause and an end are meant whatever has happened since.

    What each does for himself in a race is meant whatever the others have done.
    """
    if isinstance(command, Park | Abandon):
        return command
    if isinstance(command, OF_ONE):
        return replace(command, game_id=snapshot.game_id)
    return replace(command, game_id=snapshot.game_id, event=snapshot.event)


def _is_on(start: StartGame, snapshot: Snapshot) -> bool:
    """True if the game on here is the one that was asked for."""
    names = tuple(player.name for player in start.players)
    given = {name: str(value) for name, value in start.options.items()}
    agreed = {name: str(value) for name, value in snapshot.options.items() if name in given}
    return (start.game, names, given) == (snapshot.game, snapshot.players, agreed)


def _describe_game_on(snapshot: Snapshot, words: Words) -> str:
    text = words.gettext(
        "A game of {game} is on ({players}), and goes on here. For the one you asked for, type: give up; then: new"
    )
    return text.format(game=snapshot.game, players=words.all_of(snapshot.players))
