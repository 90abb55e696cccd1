"""A seat at a terminal: sends typed lines as commands to the daemon, and prints what happens.

The seat is a client like any other: it speaks to the daemon over its socket, in another process or in this one.
"""

import asyncio
import textwrap
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from controller.cli.odds_drawing import draw_answer
from controller.cli.places import changes_of_pace, changes_of_seats, describe_seats, names_in, others_turn
from controller.cli.play.drawing import dice_faces, draw_hint, draw_keys, draw_moves, draw_table
from controller.cli.play.hints import asks_one_by_one, between_hint, hint_for, repair_hint, unread_hint
from controller.cli.play.introduction import introduce
from controller.cli.play.line_editor import keys_of_turn, other_keys
from controller.cli.play.tile_names import NotUnderstood
from controller.cli.play.typed import command_for, complete_line, question_about
from controller.cli.progress import show_progress
from controller.cli.race.hints import advise, whose_advice
from controller.cli.race.seats import is_drawn, only_time_passed, race_changes
from controller.errors import SeatTaken
from controller.game.core.commands import Abandon, Park, StartGame
from controller.game.core.english import as_sentence, join_and
from controller.game.core.players import Player
from controller.game.fleet.commands import OF_ONE
from controller.game.shutbox.commands import RollDice
from controller.game.table.snapshot import Snapshot
from controller.messages.words import ENGLISH, Words
from controller.opponents.hints import OddsBook
from controller.rules.errors import RulesError
from controller.runtime.threads import BackgroundThread
from controller.web.client import Client, DaemonGone, Refused

# Phases in which somebody has to look at the table, which is drawn again.
_DRAWN = ("awaiting_throw", "halted", "differing", "parked", "ended")
_LOOK_EVERY_S = 0.5  # for a daemon that is gone


@dataclass(frozen=True, slots=True)
class NewGame:
    """The game that a seat starts when none is on.

    is_asked_for: somebody named it. Only then a seat that finds another game says so. engines: the commands of those
    that play, by the name of their player.
    """

    start: StartGame
    is_asked_for: bool = False
    engines: Mapping[str, str] = field(default_factory=dict)


class Seat:
    """One person at one terminal."""

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
        """names: the players whose seats are taken; none: the seats that nobody else takes.

        waits: wait for a daemon that has ended, which is another process and may start again. begins: start a game if
        none is on. words: the language.
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
        self._is_back = False  # a daemon has come back, and everything is drawn once more

    async def sit(self, lines: AsyncIterator[str]) -> None:
        """Play. Raises `DaemonGone` if the daemon ends first, and `Refused` if a seat is taken."""
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
        """Return the lines that the beginning of one may become."""
        return complete_line(line, self._shown, self._names) if self._shown is not None else ()

    async def _watch(self) -> None:
        """Show the table, also of a daemon that was started again. Raises `DaemonGone` if the seat does not wait."""
        while True:
            try:
                async with self._client.snapshots() as snapshots:
                    async for snapshot in snapshots:
                        await self._take_snapshot(snapshot)
            except DaemonGone:
                if not self._waits:
                    raise
            if not self._waits:
                raise DaemonGone(self._words.gettext("the daemon ended; the game is saved"))
            self._tell(self._words.gettext("The box's program has ended; this seat waits for it. q leaves."))
            self.is_waiting, self._is_back = True, False
            while not self._is_back:
                await asyncio.sleep(_LOOK_EVERY_S)
                with suppress(DaemonGone):
                    try:
                        await self._client.sit(self._names, "terminal")
                    except Refused:
                        # The daemon does not know the seat's token any more; somebody else may sit here by now.
                        self._client.forget_seat()
                        await self._client.sit(self._names, "terminal")
                    self._is_back = True
            self._tell(self._words.gettext("It is back."))
            self.is_waiting = False

    async def _take_snapshot(self, snapshot: Snapshot) -> None:
        if self._shown is None and self._begins and snapshot.phase in ("idle", "ended"):
            await self._start()
        else:
            if self._shown is None and snapshot.game is not None:
                house = [Player(seat.name, house=True, strength=seat.house) for seat in snapshot.seats if seat.house]
                self._note(introduce(snapshot.game, snapshot.options, snapshot.marks, house, self._words))
            start, agreed = self._new_game.start, snapshot.options
            is_on = (start.game, tuple(player.name for player in start.players)) == (snapshot.game, snapshot.players)
            is_on = is_on and all(str(agreed.get(name)) == str(value) for name, value in start.options.items())
            if self._shown is None and self._new_game.is_asked_for and not is_on:
                text = self._words.gettext(
                    "A game of {game} is on ({players}), and goes on here. For the one you asked for, type: give up; "
                    "then: new"
                )
                self._tell(text.format(game=snapshot.game, players=self._words.all_of(snapshot.players)))
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

    def _show(self, snapshot: Snapshot, before: Snapshot | None) -> None:
        """Print what has changed since the snapshot before; without one, everything."""
        moved: tuple[str, ...] = ()
        if before is not None:
            moved = tuple(changes_of_seats(before, snapshot, (*self._names, *self._given_back), self._words))
            self._note((*moved, *changes_of_pace(before, snapshot, self._names, self._words)))
        for line in race_changes(before, snapshot, self._names, self._words):
            self._tell(line)
        # A choice stays the news until its tiles stand, and is printed once.
        if snapshot.news and (before is None or snapshot.news != before.news):
            self._print(self._words.say_at_terminal(snapshot.news_messages, snapshot.tiles), "cyan")
        if snapshot.notice and (before is None or snapshot.notice != before.notice):
            said = snapshot.notice_messages
            notice = self._words.say_at_terminal(said, snapshot.tiles)
            self._tell(f"! {notice}" if any(each.severity == "help" for each in said) else notice)
            is_unread = any(each.key.startswith("reading.") for each in said)
            if snapshot.phase == "awaiting_throw" and is_unread and not others_turn(snapshot, self._names):
                self._hint_at(unread_hint(snapshot, self._words), one_by_one=True)
        # In a race the last player may have a second less, and nothing else has changed.
        is_same = before is not None and (
            (snapshot.event, snapshot.phase) == (before.event, before.phase) or only_time_passed(before, snapshot)
        )
        hint = hint_for(snapshot, self._names, self._words)
        if is_same and before is not None and snapshot.say == before.say:
            may_differ = moved or snapshot.race is not None
            if may_differ and hint != hint_for(before, self._names, self._words):
                self._hint_at(hint)
            return
        # After a choice was taken back, too, tiles have moved since they were drawn.
        moved_back = before is not None and before.phase == "moving" and snapshot.phase == "choosing"
        is_due = snapshot.phase in _DRAWN or moved_back or (snapshot.race is not None and is_drawn(before, snapshot))
        if not is_same and (before is None or is_due):
            self._console.print()
            self._console.print(draw_table(snapshot, self._console.width, self._words))
        faces = f"{dice_faces(snapshot.throw)}  " if snapshot.phase in ("choosing", "turn_lost") else ""
        sentence = f"{faces}{self._words.say_at_terminal(snapshot.messages[:1], snapshot.tiles)}"
        # Further lines of the sentence are indented, so that they do not look like another one.
        lines = textwrap.fill(sentence, self._console.width, subsequent_indent="  ", break_on_hyphens=False)
        self._console.print(lines, style="bold", markup=False)
        if hint and snapshot.phase == "choosing" and not snapshot.house:
            self._console.print(draw_moves(snapshot, self._words))
        self._hint_at(hint, one_by_one=asks_one_by_one(snapshot))

    def _tell(self, line: str) -> None:
        self._print(line, "yellow")

    def _refuse(self, error: Refused | RulesError) -> None:
        # The daemon refuses in the language of its client.
        line = str(error) if isinstance(error, Refused) else self._words.refuse(error.code, str(error))
        self._tell(as_sentence(line))

    def _note(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._print(line, "dim")

    def _hint_at(self, hint: Sequence[str], *, one_by_one: bool = False) -> None:
        if hint:
            self._console.print(draw_hint(hint, self._console.width, one_by_one=one_by_one))

    def _print(self, line: str, style: str) -> None:
        """Print a line besides the sentence of the table, with all of its lines indented."""
        self._console.print(Padding(Text(line, style), (0, 0, 0, 2), expand=False))

    async def _take_lines(self, lines: AsyncIterator[str]) -> None:
        async for typed in lines:
            # A terminal may send bytes that are no text, which no daemon would take.
            line = typed.encode("utf-8", "replace").decode("utf-8").strip()
            if line.lower() in ("q", "quit", "exit"):
                return
            if line.lower() in ("?", "help"):
                self._console.print(draw_keys(keys_of_turn(self._words, self._shown)))
            elif line == "??":
                self._console.print(draw_keys(other_keys(self._words, self._shown)))
            elif self._shown is not None and line.lower() in ("b", "board"):
                self._show(self._shown, None)
            elif self._shown is not None:
                await self._answer(line, self._shown)

    async def _answer(self, line: str, shown: Snapshot) -> None:
        """Do what a line asks for, and print why it cannot be done. Raises `DaemonGone` if the seat does not wait."""
        try:
            await self._do(line, shown)
        except DaemonGone:
            if not self._waits:
                raise
            self._tell(self._words.gettext("The box's program does not answer just now; nothing was done."))
        except NotUnderstood as error:
            self._tell(str(error))
            if error.asks_hint:
                shown = self._shown or shown
                hint = hint_for(shown, self._names, self._words) or between_hint(self._words)
                self._hint_at(hint, one_by_one=asks_one_by_one(shown))
        except (Refused, RulesError) as error:
            self._refuse(error)

    async def _do(self, line: str, shown: Snapshot) -> None:
        _, word = self._words.gettext, line.lower()
        advised = whose_advice(line, shown, self._names, self._words)
        if advised is not None:
            self._console.print(await self._thread.run(partial(advise, shown, advised), self._words))
        elif word in ("h", "hint"):
            question = question_about(shown, self._words)
            # A thread works out the odds: the first question about a game of many boards takes its time.
            with show_progress(_("Working out the odds"), self._tell) as progress:
                found = await self._thread.run(partial(self._book.answer, progress=progress), question)
            self._console.print(draw_answer(found, question, self._book, self._console.width, self._words))
        elif word in ("i", "info"):
            for each in repair_hint(shown, self._words):
                self._tell(each)
        elif word.split()[:1] in (["sit"], ["stand"]):
            names = names_in(line, shown)
            await self._client.sit(names, "terminal")
            self._given_back, self._names = self._names, names
            self._note([describe_seats(names, self._words)])
        elif word == "new" and not shown.can("start"):
            self._tell(_("A game is on already. To end it for everybody, type: give up"))
        elif word == "new" or (not line and shown.phase in ("idle", "ended")):
            await self._start()
        elif not line and shown.reading:
            self._tell(_("Reading the dice ..."))
        else:
            command = command_for(line, shown, self._words, self._names)
            if isinstance(command, RollDice) and not others_turn(shown, self._names):
                # The answer comes once the dice are read; without a line people would press Enter again.
                self._tell(_("Reading the dice ..."))
            if not isinstance(command, Park | Abandon):
                # It answers what is shown; in a race, whatever the others have done since.
                event = None if isinstance(command, OF_ONE) else shown.event
                command = replace(command, game_id=shown.game_id, event=event)
            await self._client.send(command)
