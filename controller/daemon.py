"""The daemon: the open box, its referee and its door, in one task group.

Everything is opened in order and closed in the reverse order; whatever happens, the box is left quiet.
"""

import asyncio
import fcntl
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from controller.errors import DaemonRuns
from controller.journal import Journal
from controller.panel import serve_panel
from controller.referee import Referee, Table
from controller.settings import Home, Pace
from controller.systemd import notify, watchdog_s
from controller.tasks import running
from controller.web.api import make_app
from controller.web.server import listening, serve
from firmware.bank import TileBank
from hardware.errors import BoxFault


@asynccontextmanager
async def daemon(opening: AbstractAsyncContextManager[Table], home: Home, pace: Pace) -> AsyncIterator[Referee]:
    """A daemon that serves as long as the context lasts. Raises `DaemonRuns`, or what opening the box raises."""
    home.make()
    with owned(home.lock), Journal(home.journal) as journal, listening(home.socket) as sock:
        async with opening as table:
            referee = Referee(table, journal, pace=pace, wall_clock=_now)
            jobs = (
                referee.run(),
                serve(make_app(referee), sock),
                serve_panel(table.firmware.panel, referee),
                _live(table.firmware.bank),
            )
            async with running(*jobs):
                try:
                    yield referee
                finally:
                    notify("STOPPING=1")


async def run_until_stopped(opening: AbstractAsyncContextManager[Table], home: Home, pace: Pace) -> None:
    """Serve until SIGINT or SIGTERM."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with daemon(opening, home, pace):
        notify("READY=1")
        await stop.wait()


async def _live(bank: TileBank) -> None:
    """Tell systemd that we live, as long as the worker of the bus answers too: a fault is an answer as well."""
    period_s = watchdog_s()
    while period_s:
        with suppress(BoxFault):
            await bank.look()
        notify("WATCHDOG=1")
        await asyncio.sleep(period_s / 3)


@contextmanager
def owned(lock: Path) -> Iterator[None]:
    """Hold the lock of this box; the system lets go of it when the process dies. Raises `DaemonRuns`."""
    handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise DaemonRuns("a daemon has this box already; join it with `shutbox play`, or stop it") from error
        yield
    finally:
        os.close(handle)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
