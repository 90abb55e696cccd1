"""An evening at a box whose daemon and terminals are all in one process, on a clock that jumps: what stands on screens.

A terminal is the seat of the program itself, at a socket, and what is typed at it stands there as it does for a person.
"""

import asyncio
import io
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from controller.cli.play.seat import NewGame, Seat
from controller.game.core.commands import StartGame
from controller.game.core.phases import PhaseName
from controller.game.core.players import Player
from controller.game.table.snapshot import Snapshot
from controller.opponents.hints import OddsBook
from controller.referee.referee import Referee
from controller.rules.options import Value
from controller.runtime.threads import run_in_background
from controller.web.app import make_app
from controller.web.client import Client
from controller.web.server import listen, serve_terminal
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from tests.support.tables import FakeEyes, open_table_rig

ANN_AND_HOUSE = (Player("Ann"), Player("House", house=True, strength="skilled"))
_MOST_STEPS = 2000


class Terminal:
    """A terminal of so many characters a line, and somebody who types at it."""

    def __init__(self, width: int, screen: io.StringIO | None = None) -> None:
        self._screen = screen if screen is not None else io.StringIO()
        self.width = width
        self.console = Console(file=self._screen, width=width)
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()

    @property
    def text(self) -> str:
        """What stands there, without the spaces at the ends of lines."""
        return "\n".join(line.rstrip() for line in self._screen.getvalue().splitlines()) + "\n"

    def again(self) -> "Terminal":
        """The same screen, at which somebody starts the program once more."""
        return Terminal(self.width, self._screen)

    async def rest(self, seconds: float) -> None:
        """Wait so long, and look."""
        await asyncio.sleep(seconds)

    def note(self, words: str) -> None:
        """A line for whoever reads on: what happens at the box meanwhile."""
        self._screen.write(f"\n[{words}]\n\n")

    async def type(self, *lines: str, rest_s: float = 4.0) -> None:
        """Type lines, and look so long at what comes of each."""
        for line in lines:
            self._screen.write(f"> {line}\n")
            self._typed.put_nowait(line)
            await asyncio.sleep(rest_s)

    async def lines(self) -> AsyncIterator[str]:
        """What is typed, for the seat."""
        while (line := await self._typed.get()) is not None:
            yield line

    def hang_up(self) -> None:
        """Nothing more is typed."""
        self._typed.put_nowait(None)


class Evening:
    """One box with its journal, its tiles as they were left, and the terminals around it.

    Each `power` is one run of the daemon; terminals wait in between, as those do whose daemon is another process.
    """

    def __init__(self, folder: Path, width: int, box: str = "two-level-9") -> None:
        self.folder = folder
        self.width = width
        self.box = box

    def terminal(self) -> Terminal:
        """One more terminal."""
        return Terminal(self.width)

    @asynccontextmanager
    async def power(self) -> AsyncIterator["Stage"]:
        """The daemon runs."""
        # A socket's path is short: a test's own folder may not be.
        with TemporaryDirectory() as short, listen(socket := Path(short) / "box.sock") as sock:
            async with (
                open_table_rig(self.folder, box=self.box, store=self.folder / "wood.json") as rig,
                rig.referee() as referee,
                run_in_background(serve_terminal(make_app(referee), sock)),
            ):
                yield Stage(self, rig.world, rig.eyes, referee, socket)


class Stage:
    """A daemon that runs: the world below it, its eyes, its referee, and its socket."""

    def __init__(self, evening: Evening, world: World, eyes: FakeEyes, referee: Referee, socket: Path) -> None:
        self.evening = evening
        self.world = world
        self.eyes = eyes
        self.referee = referee
        self.socket = socket

    @property
    def snapshot(self) -> Snapshot:
        """The game as it stands."""
        return self.referee.snapshot

    def tip(self, tile: str, to: Position) -> None:
        """A hand moves a tile."""
        self.world.hand_moves(TileId.parse(tile), to)

    @asynccontextmanager
    async def seat(
        self,
        terminal: Terminal,
        players: Sequence[Player] = ANN_AND_HOUSE,
        game: str = "two-level",
        options: Mapping[str, Value] | None = None,
        names: Sequence[str] = (),
    ) -> AsyncIterator[None]:
        """Somebody sits at a terminal, and starts this game if none is on."""
        start = NewGame(StartGame(tuple(players), game, options or {}))
        async with AsyncExitStack() as stack:
            client = await stack.enter_async_context(Client(self.socket))
            seat = Seat(client, terminal.console, start, OddsBook(self.evening.folder), names, waits=True)
            sitting = asyncio.ensure_future(seat.sit(terminal.lines()))
            try:
                await asyncio.sleep(6)
                yield
            finally:
                terminal.hang_up()
                await asyncio.wait([sitting], timeout=5)
                sitting.cancel()
                await asyncio.wait([sitting])
                if not sitting.cancelled():
                    sitting.result()

    async def play_until(self, phase: PhaseName, terminal: Terminal) -> None:
        """Throw for whoever is to throw until a player who is no house is in this phase."""
        for _ in range(_MOST_STEPS):
            now = self.snapshot
            if now.phase == phase and not now.house:
                return
            if now.phase == "awaiting_throw":
                await terminal.type("")
            else:
                await asyncio.sleep(1)
        raise AssertionError(f"{phase} does not come")

    async def play_on(self, terminal: Terminal) -> None:
        """Play at a terminal, always the first move, to the end of the game."""
        for _ in range(_MOST_STEPS):
            now = self.snapshot
            if now.phase == "ended":
                return
            match now.phase:
                case "choosing" if not now.house:
                    await terminal.type("1")
                case "awaiting_throw":
                    await terminal.type("")
                case "turn_lost" if not now.house:
                    await terminal.type("")
                case _:
                    await asyncio.sleep(1)
        raise AssertionError("the game does not end")
