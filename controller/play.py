"""`shutbox play`: take a seat, at a daemon that runs or at one of our own."""

import asyncio
import signal
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from rich.console import Console

from controller.client import Client
from controller.daemon import daemon
from controller.events import Player
from controller.keyboard import typed_lines
from controller.referee import Table
from controller.rules import rules_of
from controller.seat import NewGame, Seat
from controller.settings import Home, Settings


def new_game(game: str, options: Mapping[str, str], players: str | None, settings: Settings) -> NewGame:
    """The game to start when none is on. Raises `InvalidOption` for a game or an option that does not exist."""
    rules_of(game, options)
    names = [name.strip() for name in players.split(",")] if players else settings.players
    seats = [Player(name, house=name in settings.house_players) for name in names]
    return NewGame(game, options, seats)


def daemon_runs(home: Home) -> bool:
    """Whether a daemon listens on the socket of this home."""
    with socket.socket(socket.AF_UNIX) as door:
        try:
            door.connect(str(home.socket))
        except OSError:
            return False
    return True


async def join(home: Home, game: NewGame) -> None:
    """Sit down at the daemon that runs. Raises `DaemonGone` when it ends."""
    console = Console(highlight=False)
    async with _stoppable(), Client(home.socket) as client:
        await Seat(client, console, game).sit(typed_lines())


async def play_here(opening: AbstractAsyncContextManager[Table], home: Home, settings: Settings, game: NewGame) -> None:
    """Run a daemon in this process and sit down at it; leaving parks the box and keeps the game."""
    console = Console(highlight=False)
    async with _stoppable(), daemon(opening, home, settings.pace), Client(home.socket) as client:
        await Seat(client, console, game).sit(typed_lines())
    console.print("\nThe box is parked: tiles as they are, pulses off. The game is kept.")


async def park(home: Home) -> None:
    """Have the daemon pause its game and let go of every servo. Raises `Refused` if no game is on."""
    async with Client(home.socket) as client:
        await client.send("park")


@asynccontextmanager
async def _stoppable() -> AsyncIterator[None]:
    """Ctrl-C or SIGTERM leaves the block in order, as if the player had left the table."""
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()
    stopped = False

    def stop() -> None:
        nonlocal stopped
        if task is not None and not stopped:
            stopped = True
            task.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    try:
        yield
    except asyncio.CancelledError:
        if task is None or not stopped:
            raise
        task.uncancel()
