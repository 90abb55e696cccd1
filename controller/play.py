"""`shutbox play`: take a seat, at a daemon that runs or at one of our own."""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from controller.client import Client
from controller.commands import Park, StartGame
from controller.daemon import daemon
from controller.drawing import show_progress
from controller.errors import DaemonRuns
from controller.keyboard import typed_lines
from controller.odds_questions import OddsBook
from controller.output import show_warnings, table
from controller.players import read_players
from controller.rules import rules_of
from controller.seat import NewGame, Seat
from controller.settings import Home, Settings
from controller.stopping import cancel_on_signal
from controller.table import Table
from controller.variants import GameChoice


def new_game(choice: GameChoice, players: str | None, settings: Settings) -> NewGame:
    """The game to start when none is on; players by commas, those of the settings where nobody is named.

    Raises `RulesError` or `BadPlayers` for one that cannot be.
    """
    rules_of(choice.game, choice.options, choice.marks)
    words = players.split(",") if players else settings.players
    seats = read_players(words, settings.house_players, settings.house_strength)
    start = StartGame(seats, choice.game, choice.options, choice.marks)
    return NewGame(start, asked=choice != GameChoice() or players is not None)


def daemon_runs(home: Home) -> bool:
    """True if a daemon listens at one of the sockets of this home."""
    return any(map(_listens, home.doors))


def find_socket(home: Home) -> Path:
    """The socket of the daemon that runs; the home's own where none does."""
    return next(filter(_listens, home.doors), home.socket)


async def wait_for_daemon(home: Home) -> None:
    """Wait until a daemon that is just starting listens: ten seconds at most, then raise `DaemonRuns`."""
    for _ in range(50):
        if daemon_runs(home):
            return
        await asyncio.sleep(0.2)
    raise DaemonRuns("another process has this box and does not answer; stop it first")


def _listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(str(path))
        except OSError:
            return False
    return True


def _read_lines() -> AsyncIterator[str]:
    """The lines that are typed; none for a program that was started without an input."""
    return typed_lines() if sys.stdin is not None else typed_lines(-1)


async def join(home: Home, game: NewGame) -> None:
    """Sit down at the daemon that runs. Raises `DaemonGone` when it ends."""
    with show_progress("counting boards") as progress:
        async with cancel_on_signal(), Client(find_socket(home)) as client:
            await Seat(client, table, game, OddsBook(home.odds, progress)).sit(_read_lines())


async def play_here(opening: AbstractAsyncContextManager[Table], home: Home, settings: Settings, game: NewGame) -> None:
    """Run a daemon in this process and sit down at it; leaving parks the box and keeps the game."""
    with show_warnings(), show_progress("counting boards") as progress:
        async with cancel_on_signal(), daemon(opening, home, settings.pace), Client(home.socket) as client:
            await Seat(client, table, game, OddsBook(home.odds, progress)).sit(_read_lines())
    table.print("\nThe box is parked: tiles as they are, pulses off. The game is kept.")


async def park(home: Home) -> None:
    """Have the daemon pause its game, if one is on, and let go of every servo."""
    async with Client(find_socket(home)) as client:
        await client.send(Park())
