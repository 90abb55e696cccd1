"""A seat in a terminal: what is typed becomes a command, what happens is shown.

The seat is a client like any other: it speaks to the daemon over its socket, be it in another process or in this one.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict, dataclass

from rich.console import Console

from controller.client import Client, DaemonGone, Refused
from controller.drawing import dice_faces, draw_moves, draw_table
from controller.events import Player
from controller.odds_questions import OddsBook, draw_answer
from controller.questions import Question
from controller.rules import RulesError
from controller.snapshot import Snapshot
from controller.variants import GameChoice

HELP = """\
  Enter        throw the dice (on the simulated box), or say that you have thrown them; go on; try again
  1            when one die is allowed: throw one die
  3            while you choose: take move number 3
  f7 b2        while you choose: shut these tiles (front-7 back-2 does as well)
  d 5 3        the dice show 5 and 3: correct a wrong reading, or enter a throw the camera cannot read
  h            a hint: what the odds say to this board or throw
  new          start another game          give up      end this game
  p            pause: pulses off           ?            this help
  q            leave (Ctrl-C too); the box is parked and the game is kept"""

_SHORT = re.compile(r"([fb])-?(\d{1,2})")
_ROWS = {"f": "front", "b": "back"}


@dataclass(frozen=True, slots=True)
class NewGame:
    """The game this seat starts when none is on."""

    choice: GameChoice
    players: Sequence[Player]

    def words(self) -> dict[str, object]:
        """The words of the `start` command."""
        chosen = self.choice
        players = [asdict(player) for player in self.players]
        return {
            "game": chosen.game,
            "options": dict(chosen.options),
            "marks": asdict(chosen.marks),
            "players": players,
        }


class NotUnderstood(ValueError):
    """A line that means nothing here; the message says what would."""


def command_for(line: str, snapshot: Snapshot) -> tuple[str, dict[str, object]]:
    """The command that a typed line means now. Raises `NotUnderstood`."""
    words = line.lower().replace(",", " ").split()
    match words:
        case []:
            return _enter(snapshot)
        case ["p" | "park" | "pause"]:
            return "park", {}
        case ["give", "up"]:
            return "abandon", {}
        case ["d" | "dice", *_]:
            return "dice", {"dice": _faces(line.replace(",", " ").split()[1:], snapshot)}
        case [number] if number.isascii() and number.isdigit():
            return _number(int(number), snapshot)
    tiles = [_tile(word) for word in words]
    if snapshot.phase == "choosing":
        return "choose", {"tiles": tiles}
    raise NotUnderstood(f"{line!r} means nothing now; ? shows help")


def _enter(snapshot: Snapshot) -> tuple[str, dict[str, object]]:
    match snapshot.phase:
        case "awaiting_throw":
            return "roll", {"count": snapshot.dice_wanted} if snapshot.dice_wanted else {}
        case "turn_lost" | "halted" | "parked":
            return "confirm", {}
        case "choosing" if len(snapshot.moves) == 1 and not snapshot.house:
            return "choose", {"tiles": list(snapshot.moves[0])}
        case "choosing":
            raise NotUnderstood("choose a move by its number or its tiles")
    raise NotUnderstood("nothing to do just now")


def _number(number: int, snapshot: Snapshot) -> tuple[str, dict[str, object]]:
    if snapshot.phase == "awaiting_throw":
        if number not in snapshot.dice_allowed:
            allowed = " or ".join(map(str, snapshot.dice_allowed))
            raise NotUnderstood(f"this throw is made with {allowed} dice; d 5 3 types what they show")
        return "roll", {"count": number}
    if snapshot.phase != "choosing":
        raise NotUnderstood("a number means nothing now; ? shows help")
    if not 1 <= number <= len(snapshot.moves):
        raise NotUnderstood(f"there are the moves 1 to {len(snapshot.moves)}")
    return "choose", {"tiles": list(snapshot.moves[number - 1])}


def _faces(words: Sequence[str], snapshot: Snapshot) -> list[int]:
    """The dice as typed, by their numbers or marks."""
    faces = [snapshot.marks.face_of(word) for word in words]
    if not faces or not all(face.isascii() and face.isdigit() and len(face) < 3 for face in faces):
        shown = ", ".join(snapshot.marks.faces) or "1 to 6"
        raise NotUnderstood(f"a die shows {shown}: two dice are typed d 5 3")
    return [int(face) for face in faces]


def _tile(word: str) -> str:
    match = _SHORT.fullmatch(word)
    return f"{_ROWS[match[1]]}-{match[2]}" if match else word


class Seat:
    """One person at one terminal.

    Lifetime: `sit` until the line ends, somebody leaves, or the daemon goes.
    Concurrency: one event loop; `sit` once.
    """

    def __init__(self, client: Client, console: Console, new_game: NewGame, book: OddsBook) -> None:
        self._client = client
        self._book = book
        self._console = console
        self._new_game = new_game
        self._shown: Snapshot | None = None

    async def sit(self, lines: AsyncIterator[str]) -> None:
        """Play. Raises `DaemonGone` when the daemon ends first."""
        async with self._client.snapshots() as snapshots:
            showing = asyncio.ensure_future(self._show_all(snapshots))
            typing = asyncio.ensure_future(self._obey_all(lines))
            try:
                done, _ = await asyncio.wait([showing, typing], return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (showing, typing):
                    task.cancel()
                await asyncio.wait([showing, typing])
        for task in done:
            task.result()
        if showing in done:
            raise DaemonGone("the daemon ended; the game is kept")

    async def _show_all(self, snapshots: AsyncIterator[Snapshot]) -> None:
        async for snapshot in snapshots:
            if self._shown is None and snapshot.phase in ("idle", "ended"):
                await self._start()
            else:
                self._show(snapshot)
            self._shown = snapshot

    async def _start(self) -> None:
        try:
            await self._client.send("start", **self._new_game.words())
        except Refused as error:
            self._console.print(f"  ! {error}", style="yellow", markup=False)

    def _show(self, snapshot: Snapshot) -> None:
        """Print what is new since the last snapshot."""
        before = self._shown
        if snapshot.news and (before is None or snapshot.event != before.event):
            self._console.print(f"  {snapshot.news}", style="cyan", markup=False)
        if snapshot.notice and (before is None or snapshot.notice != before.notice):
            self._console.print(f"  ! {snapshot.notice}", style="yellow", markup=False)
            if snapshot.phase == "awaiting_throw" and before is not None and snapshot.event == before.event:
                self._console.print("  Enter throws again, d 5 3 types what the dice show", style="dim", markup=False)
        if before is not None and snapshot.say == before.say and snapshot.event == before.event:
            return
        if snapshot.phase == "awaiting_throw" or snapshot.phase == "ended":
            self._console.print()
            self._console.print(draw_table(snapshot))
        faces = f"{dice_faces(snapshot.throw)}  " if snapshot.phase in ("choosing", "turn_lost") else ""
        code = f"{snapshot.fault.code} " if snapshot.fault else ""
        self._console.print(f"{faces}{code}{snapshot.say}", style="bold", markup=False)
        if snapshot.phase == "choosing" and not snapshot.house:
            self._console.print(draw_moves(snapshot))
        hint = _hint(snapshot)
        if hint:
            self._console.print(f"  {hint}", style="dim", markup=False)

    async def _obey_all(self, lines: AsyncIterator[str]) -> None:
        async for line in lines:
            if line.strip().lower() in ("q", "quit", "exit"):
                return
            await self._obey(line.strip())

    async def _obey(self, line: str) -> None:
        if line == "?":
            self._console.print(HELP, markup=False, highlight=False)
            return
        if self._shown is None:
            return
        try:
            if line.lower() in ("h", "hint"):
                await self._hint(self._shown)
            elif line.lower() == "new" or (not line and self._shown.phase in ("idle", "ended")):
                await self._start()
            else:
                do, words = command_for(line, self._shown)
                await self._client.send(do, **words)
        except (NotUnderstood, Refused, RulesError) as error:
            self._console.print(f"  ! {error}", style="yellow", markup=False)

    async def _hint(self, snapshot: Snapshot) -> None:
        """What the odds say; a game of many boards takes its time at the first question, so a thread counts them."""
        question = question_about(snapshot)
        found = await asyncio.to_thread(self._book.answer, question)
        self._console.print(draw_answer(found, question, self._book))


def question_about(snapshot: Snapshot) -> Question:
    """The question about the odds that a player would ask now. Raises `NotUnderstood` where there is none."""
    if snapshot.game is None or snapshot.rolling or snapshot.phase not in ("awaiting_throw", "choosing"):
        raise NotUnderstood("there is a hint before a throw and while you choose")
    choice = GameChoice(snapshot.game, snapshot.options, snapshot.marks)
    throw = list(snapshot.throw) if snapshot.phase == "choosing" else None
    return Question.about(choice, board=snapshot.board, throw=throw)


def _hint(snapshot: Snapshot) -> str:
    """What can be typed now."""
    match snapshot.phase:
        case "awaiting_throw" if len(snapshot.dice_allowed) > 1:
            wanted = f"{snapshot.turn} wants {snapshot.dice_wanted}, Enter throws; "
            return f"{wanted if snapshot.dice_wanted else 'Enter throws all, '}1 + Enter throws one die, ? shows help"
        case "awaiting_throw":
            return "Enter throws, h is a hint, ? shows help"
        case "choosing" if not snapshot.house:
            return "the number of a move or its tiles (f7 b2); d 5 3 corrects the dice"
        case "turn_lost" if not snapshot.house:
            return "Enter accepts, d 5 3 corrects the dice"
        case "halted" if snapshot.fault and snapshot.fault.code.startswith("V-"):
            return "Enter goes on, d 5 3 types what the dice show"
        case "halted" | "parked":
            return "Enter goes on"
        case "ended":
            return "Enter starts another game, q leaves"
    return ""
