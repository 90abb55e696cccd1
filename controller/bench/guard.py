"""A trial of `bench guard`: a daemon is killed or stopped amid a reset; is the box silent, is the game finished?

Everything is a process of its own, as on a box: the simulated box, the guard, and the daemon that suffers.
"""

import asyncio
import os
import random
import signal
import socket
import sys
import time
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from controller.game import Abandon, Choose, Confirm, PhaseName, Player, Snapshot, StartGame, TakeThrow
from controller.settings import Home
from controller.web import Client
from hardware.sim.remote import Link

LIMIT_S = 1.0  # pulses must be gone so soon after a daemon dies (see firmware/guard/protocol.py)
_PATIENCE_S = 60.0  # for a start, or a whole trial; what takes longer hangs
_POLL_S = 0.01
_PROGRAM = (sys.executable, "-P", "-c", "from controller.cli.main import main; main()")
# A throw that has one answer on a full board, and none on what that leaves: the shortest of games.
_THROW, _CHOICE = (1, 1), ("front-2",)


@dataclass(frozen=True, slots=True)
class Trial:
    """`kill -9` or, if it `stops`, SIGSTOP, at a moment of the reset that `seed` decides."""

    stops: bool
    seed: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """One trial, and whether the box fell silent and the next daemon went on as it must.

    quiet_s: seconds from the signal to the last pulse that arrived at any servo, by the box's clock; 0 if none came
    after it, infinite if they go on or it is not known.
    pulsing: whether pulses arrived when the signal was sent. looked_first: whether the next start read a sensor before
    it switched any output on. finished: whether that start then finished the reset and the game.
    """

    trial: Trial
    pulsing: bool
    quiet_s: float
    looked_first: bool
    finished: bool
    problem: str = ""

    @property
    def is_good(self) -> bool:
        """True if everything was as it must be."""
        return self.quiet_s < LIMIT_S and self.looked_first and self.finished


class GuardedBox:
    """A simulated box and its guard in processes of their own, and daemons that come and go.

    Lifetime: made by `open_guarded_box`. Concurrency: one event loop, one trial at a time.
    """

    def __init__(self, home: Home, states: socket.socket) -> None:
        self._home = home
        self._states = states
        self._daemon: Process | None = None
        self._reset_s = 1.0

    async def start(self) -> None:
        """Start a daemon and wait until it is ready. Raises as `start_program`."""
        self._daemon = await start_program(self._home, self._states, "run", "--mock-box")

    async def measure_reset(self) -> None:
        """Make one whole reset and keep how long it takes, so that a trial can strike at any moment of one."""
        async with Client(self._home.socket) as client:
            began_s = await self._begin_reset(client)
            await self._until(client, "awaiting_throw")
            self._reset_s = time.monotonic() - began_s
            await self._finish(client)

    async def attempt(self, trial: Trial) -> Outcome:
        """Make one trial. A failure of any kind is its outcome."""
        try:
            async with asyncio.timeout(_PATIENCE_S):
                return await self._attempt(trial)
        except Exception as error:  # whatever it is, it belongs to this trial and the others go on
            await self.stop()
            await self.start()
            return Outcome(trial, False, float("inf"), False, False, f"{type(error).__name__}: {error}")

    async def stop(self) -> None:
        """Kill the daemon, whatever it does."""
        daemon, self._daemon = self._daemon, None
        if daemon is not None:
            await _kill(daemon)

    async def _attempt(self, trial: Trial) -> Outcome:
        async with Client(self._home.socket) as client:
            await self._begin_reset(client)
            await asyncio.sleep(random.Random(trial.seed).uniform(0.0, self._reset_s))
            before = self._ask("look")
            struck_s = time.monotonic()
            self._send_signal(signal.SIGSTOP if trial.stops else signal.SIGKILL)
            await self._until_cut(2 * LIMIT_S)
        await self.stop()
        quiet_since_s = self._ask("look")["quiet_since_s"]
        quiet_s = float("inf") if quiet_since_s is None else max(0.0, quiet_since_s - struck_s)

        started_s = time.monotonic()
        await self.start()
        async with Client(self._home.socket) as client:
            await self._until(client, "awaiting_throw")
            moments = [what for _, what, _ in self._ask("moments", after_s=started_s)["moments"]]
            is_reset = set(self._ask("look")["tiles"].values()) == {"OPEN"}
            finished = await self._finish(client)
        return Outcome(trial, bool(before["pulses_us"]), quiet_s, has_looked_first(moments), is_reset and finished)

    async def _begin_reset(self, client: Client) -> float:
        """Lay all tiles and begin a game; the moment at which it began, by the monotonic clock."""
        if (await client.state()).phase not in ("idle", "ended"):
            # What an attempt that failed has left behind.
            await client.send(Abandon())
        await self._until_cut(_PATIENCE_S)
        for tile in self._ask("look")["tiles"]:
            self._ask("tip", tile=tile, position="SHUT")
        began_s = time.monotonic()
        await client.send(StartGame((Player("Ann"),)))
        return began_s

    async def _until_cut(self, patience_s: float) -> None:
        """Wait until no pulse can pass, though no longer than that."""
        give_up_s = time.monotonic() + patience_s
        seen = self._ask("look")
        while seen["enabled"] and time.monotonic() < give_up_s:
            await asyncio.sleep(_POLL_S)
            seen = self._ask("look")

    async def _finish(self, client: Client) -> bool:
        """Play the game to its end; True if the tiles are then where it has them."""
        await client.send(TakeThrow(_THROW))
        await client.send(Choose(_CHOICE))
        await self._until(client, "awaiting_throw")
        await client.send(TakeThrow(_THROW))
        await client.send(Confirm())
        await self._until(client, "ended")
        tiles = self._ask("look")["tiles"]
        return tuple(tile for tile, position in tiles.items() if position != "OPEN") == _CHOICE

    async def _until(self, client: Client, phase: PhaseName) -> Snapshot:
        async with client.snapshots() as snapshots:
            async for snapshot in snapshots:
                if snapshot.fault is not None:
                    raise RuntimeError(str(snapshot.fault))
                if snapshot.phase == phase:
                    return snapshot
        raise RuntimeError(f"the daemon ended before {phase}")

    def _send_signal(self, number: signal.Signals) -> None:
        if self._daemon is not None:
            os.kill(self._daemon.pid, number)

    def _ask(self, do: str, **words: object) -> Mapping[str, Any]:
        with Link(self._home.mock_box_socket) as link:
            return link.ask(do, **words)[0]


def has_looked_first(moments: Sequence[str]) -> bool:
    """True if a sensor was read before any output was switched on."""
    acts = [moments.index(what) for what in ("enable", "drive") if what in moments]
    return "look" in moments and all(moments.index("look") < act for act in acts)


@asynccontextmanager
async def open_guarded_box(seed: int) -> AsyncIterator[GuardedBox]:
    """Open a guarded box whose daemon is ready. Everything is killed and deleted at the end."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="shutbox-")))
        home = Home(folder, folder, fixed=True)
        states = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        states.bind(str(folder / "notify"))
        states.setblocking(False)
        for words in (("mock-box", "--seed", str(seed)), ("guard", "--mock-box")):
            stack.push_async_callback(_kill, await start_program(home, states, *words))
        box = GuardedBox(home, states)
        stack.push_async_callback(box.stop)
        await box.start()
        yield box


async def start_program(home: Home, states: socket.socket, *words: str) -> Process:
    """Start the program itself in this home, and wait until it is ready; what it says is kept there.

    Raises `RuntimeError` when it ends instead, and `TimeoutError`.
    """
    env = os.environ | {"SHUTBOX_HOME": str(home.data), "NOTIFY_SOCKET": states.getsockname()}
    with (home.data / f"{words[0]}.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            *_PROGRAM, *words, env=env, stdin=DEVNULL, stdout=log, stderr=log
        )
    try:
        await _wait_until_ready(states, process)
    except BaseException:
        # Nobody else knows of it yet.
        await _kill(process)
        raise
    return process


async def _wait_until_ready(states: socket.socket, process: Process) -> None:
    ready, ended = asyncio.ensure_future(_hear_ready(states)), asyncio.ensure_future(process.wait())
    try:
        async with asyncio.timeout(_PATIENCE_S):
            await asyncio.wait({ready, ended}, return_when=asyncio.FIRST_COMPLETED)
        if not ready.done():
            raise RuntimeError(f"a process ended with status {process.returncode} before it was ready")
    finally:
        ready.cancel()
        ended.cancel()


async def _hear_ready(states: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    while await loop.sock_recv(states, 64) != b"READY=1":
        """Go on: a process says more than that."""


async def _kill(process: Process) -> None:
    if process.returncode is None:
        # `process.kill` would look for its end first, and take it from the one who waits for it.
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
    await process.wait()
