"""A simulated box in processes of their own, as on a table: mock-box, guard, and daemons that come and go."""

import asyncio
import os
import re
import signal
import socket
import sys
import time
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from controller.errors import ShutboxError
from controller.game.core.commands import Abandon, StartGame
from controller.game.core.phases import PhaseName
from controller.game.core.players import Player
from controller.game.shutbox.commands import AcceptLoss, Choose, TakeThrow
from controller.game.table.snapshot import Snapshot
from controller.runtime.home import Home
from controller.web.client import Client
from hardware.sim.link import Link

PATIENCE_S = 60.0  # for a start, or a whole trial; what takes longer hangs
_POLL_S = 0.01
# On SIGUSR1 a daemon's main thread holds the interpreter's lock for two seconds, as an extension module may that does
# not let it go: `PyDLL` keeps the lock during a call.
_PROGRAM = (
    sys.executable,
    "-P",
    "-c",
    "import ctypes, signal; signal.signal(signal.SIGUSR1, lambda *_: ctypes.PyDLL(None).sleep(2)); "
    "from controller.cli.main import main; main()",
)
_MOCK_BOX = (sys.executable, "-P", "-m", "tests.campaigns.live.mock_box")
_ROOT = Path(__file__).parents[3]
# A throw that has one answer on a full board, and none on what that leaves: the shortest of games.
_THROW, _CHOICE = (1, 1), ("front-2",)


class NotReady(ShutboxError, RuntimeError):
    """A process of a campaign ended, or was not ready in time."""

    code = "C-341"


class LiveBox:
    """A mock-box and, where there is one, its guard, with the daemon that is at work on them.

    Lifetime: made by `open_live_box`. Concurrency: one event loop, one trial at a time.
    """

    def __init__(self, home: Home, states: socket.socket, before: Sequence[str] = ()) -> None:
        """before: as for `start_program`, for the daemons."""
        self._home = home
        self._states = states
        self._before = before
        self._daemon: Process | None = None

    @property
    def home(self) -> Home:
        """The folders of the box."""
        return self._home

    async def start(self) -> None:
        """Start a daemon and wait until it is ready. Raises as `start_program`."""
        self._daemon = await start_program(self._home, self._states, "run", "--mock-box", before=self._before)

    async def stop(self) -> None:
        """Kill the daemon, whatever it does."""
        daemon, self._daemon = self._daemon, None
        if daemon is not None:
            await kill_program(daemon)

    async def restart(self) -> None:
        """Whatever has become of the daemon, start another one."""
        await self.stop()
        await self.start()

    def memory_mb(self) -> float:
        """The memory of the daemon that runs, as it is resident, in megabytes."""
        if self._daemon is None:
            raise RuntimeError("no daemon runs")
        status = Path(f"/proc/{self._daemon.pid}/status").read_text("utf-8")
        [kilobytes] = re.findall(r"VmRSS:\s+(\d+) kB", status)
        return int(kilobytes) / 1024

    def connect(self) -> Client:
        """A client of the daemon, to be entered."""
        return Client(self._home.socket)

    def send_signal(self, number: signal.Signals) -> None:
        """Send the daemon a signal."""
        if self._daemon is not None:
            os.kill(self._daemon.pid, number)

    def ask(self, do: str, **words: object) -> Mapping[str, Any]:
        """Ask the mock-box. Raises as `Link.ask`."""
        with Link(self._home.mock_box_socket) as link:
            return link.ask(do, **words)[0]

    async def lay_tiles(self, client: Client, lying: Sequence[str]) -> None:
        """Lay these tiles by hand, and no other, while no game is on."""
        if (await client.state()).phase not in ("idle", "ended"):
            # What an attempt that failed has left behind.
            await client.send(Abandon())
        await self.wait_until_cut(PATIENCE_S)
        tiles = self.ask("look")["tiles"]
        # The stack rule: up from behind, down from the front.
        for tile in sorted(tiles, key=lambda name: name.startswith("front")):
            self.ask("tip", tile=tile, position="OPEN")
        for tile in sorted(lying, key=lambda name: not name.startswith("front")):
            self.ask("tip", tile=tile, position="SHUT")

    async def start_game(self, client: Client) -> None:
        """Start a game, which has all tiles up first."""
        await client.send(StartGame((Player("Ann"),)))

    async def wait_until_cut(self, patience_s: float) -> None:
        """Wait until no pulse can pass, though no longer than that."""
        give_up_s = time.monotonic() + patience_s
        seen = self.ask("look")
        while seen["enabled"] and time.monotonic() < give_up_s:
            await asyncio.sleep(_POLL_S)
            seen = self.ask("look")

    async def wait_for(self, client: Client, *phases: PhaseName) -> Snapshot:
        """Wait for one of these phases. Raises `RuntimeError` for a fault, unless it is "halted" that is waited for."""
        async with client.snapshots() as snapshots:
            async for snapshot in snapshots:
                if snapshot.phase in phases:
                    return snapshot
                if snapshot.fault is not None:
                    raise RuntimeError(str(snapshot.fault))
        raise RuntimeError(f"the daemon ended before {' or '.join(phases)}")

    async def finish_game(self, client: Client) -> bool:
        """Play the game to its end; True if the tiles are then where it has them."""
        await client.send(TakeThrow(_THROW))
        await client.send(Choose(_CHOICE))
        await self.wait_for(client, "awaiting_throw")
        await client.send(TakeThrow(_THROW))
        await client.send(AcceptLoss())
        await self.wait_for(client, "ended")
        tiles = self.ask("look")["tiles"]
        return tuple(tile for tile, position in tiles.items() if position != "OPEN") == _CHOICE


Box = TypeVar("Box", bound=LiveBox)


@asynccontextmanager
async def open_live_box(
    kind: type[Box], seed: int, *, guarded: bool = True, data: Path | None = None, before: Sequence[str] = ()
) -> AsyncIterator[Box]:
    """Open a box of this kind whose daemon is ready, and whose data lie in the folder `data` or in one of its own.

    before: as for `start_program`, for daemon and guard, but not for the mock-box, which is wood and wires.

    Everything is killed at the end, and what it made in a folder of its own is deleted.
    """
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="shutbox-")))
        home = Home(data or folder, folder, fixed=True)
        states = stack.enter_context(listen_for_states(folder))
        programs = [("mock-box", "--seed", str(seed)), *([("guard", "--mock-box")] if guarded else [])]
        for words in programs:
            its = () if words[0] == "mock-box" else before
            stack.push_async_callback(kill_program, await start_program(home, states, *words, before=its))
        box = kind(home, states, before)
        stack.push_async_callback(box.stop)
        await box.start()
        yield box


@contextmanager
def listen_for_states(folder: Path) -> Iterator[socket.socket]:
    """A socket in this folder to which programs say how they are, as to systemd."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as states:
        states.bind(str(folder / "notify"))
        states.setblocking(False)
        yield states


async def start_program(home: Home, states: socket.socket, *words: str, before: Sequence[str] = ()) -> Process:
    """Start the program itself in this home, and wait until it is ready; what it says is kept beside its sockets.

    before: the words of a program that becomes this one, and a process with fewer rights.

    Raises `NotReady` when it ends instead, or takes too long.
    """
    places = {"STATE_DIRECTORY": str(home.data), "RUNTIME_DIRECTORY": str(home.runtime)}
    # Before what is installed: a package of the `evening` extra brings a `tests` of its own.
    env = os.environ | places | {"NOTIFY_SOCKET": states.getsockname(), "PYTHONPATH": str(_ROOT)}
    env.pop("SHUTBOX_HOME", None)  # it would go before both
    # An installed program is compiled; one that may keep nothing would be compiled at each start, for a second.
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    with log_of(home, words[0]).open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            *before,
            *(_MOCK_BOX if words[0] == "mock-box" else _PROGRAM),
            *words,
            env=env,
            stdin=DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        await _wait_until_ready(states, process)
    except BaseException as error:
        # Nobody else knows of it yet.
        await kill_program(process)
        if isinstance(error, NotReady):
            raise NotReady(
                f"`shutbox {words[0]}` {error}: {last_line_of(log_of(home, words[0])) or 'it said nothing'}"
            ) from None
        raise
    return process


def last_line_of(log: Path) -> str:
    """The last line of a log; empty where there is none."""
    try:
        return (log.read_text("utf-8").strip().splitlines() or [""])[-1]
    except OSError:
        return ""


def log_of(home: Home, program: str) -> Path:
    """The file of what a program (`run`, `guard`, `mock-box`) has said in this home."""
    return home.runtime / f"{program}.log"


async def _wait_until_ready(states: socket.socket, process: Process) -> None:
    ready, ended = asyncio.ensure_future(_hear_ready(states)), asyncio.ensure_future(process.wait())
    try:
        await asyncio.wait({ready, ended}, timeout=PATIENCE_S, return_when=asyncio.FIRST_COMPLETED)
        if ended.done():
            raise NotReady(f"ended with status {process.returncode} before it was ready")
        if not ready.done():
            raise NotReady(f"was not ready within {PATIENCE_S:.0f} seconds")
    finally:
        ready.cancel()
        ended.cancel()


async def _hear_ready(states: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    while await loop.sock_recv(states, 64) != b"READY=1":
        """Go on: a process says more than that."""


async def kill_program(process: Process) -> None:
    """Kill a process that was started here, and wait for its end."""
    if process.returncode is None:
        # `process.kill` would look for its end first, and take it from the one who waits for it.
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
    await process.wait()
