"""The first look at a home after whatever befell it: a daemon is started on it, and its snapshot read."""

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.bench.live import kill_program, listen_for_states, log_of, start_program
from controller.errors import ShutboxError
from controller.settings import Home
from controller.web import Client

# What every good start says beside the moment of the game itself.
_ALWAYS = frozenset(("game.resumed",))


@dataclass(frozen=True, slots=True)
class FirstLook:
    """What a daemon shows first: its game (0: none) and the last event of it, and what it tells of beside the game.

    told: the keys of messages that no start has whose journal is as it was left. said: the notice in words. ready_s:
    how long the start took. problem: why no daemon came up, in words; empty if one did.
    """

    game_id: int = 0
    event: int = 0
    told: tuple[str, ...] = ()
    said: str = ""
    ready_s: float = 0.0
    problem: str = ""


def look_at_home(data: Path) -> FirstLook:
    """Start a daemon with a simulated box in this home, look, and kill it. A failure of any kind is part of the look."""
    with TemporaryDirectory(prefix="shutbox-") as runtime:
        home = Home(data, Path(runtime), fixed=True)
        try:
            return asyncio.run(_look(home))
        except (RuntimeError, TimeoutError, OSError, ShutboxError) as error:
            return FirstLook(problem=_last_line(log_of(home, "run")) or f"{type(error).__name__}: {error}")


async def _look(home: Home) -> FirstLook:
    began_s = time.monotonic()
    with listen_for_states(home.runtime) as states:
        daemon = await start_program(home, states, "run", "--mock", "--seed", "1")
        ready_s = time.monotonic() - began_s
        try:
            async with Client(home.socket) as client:
                seen = await client.state()
        finally:
            await kill_program(daemon)
    # The first message is the moment of the game itself, which is another one after another event.
    told = tuple(message.key for message in seen.messages[1:] if message.key not in _ALWAYS)
    return FirstLook(seen.game_id, seen.event, told, seen.notice, ready_s)


def _last_line(log: Path) -> str:
    try:
        return (log.read_text("utf-8").strip().splitlines() or [""])[-1]
    except OSError:
        return ""
