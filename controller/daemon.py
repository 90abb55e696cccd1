"""The process that owns a box: in which order box, journal, socket, referee and panel are opened, run and closed.

All runs in one task group. Everything is closed in the reverse order; whatever happens, the box is left quiet.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, suppress
from datetime import UTC, datetime
from uuid import uuid4

from controller.access import open_access
from controller.box import Table
from controller.game import Snapshot
from controller.journal import open_journal
from controller.maintenance import find_boot, note_run
from controller.process import lock, notify, notify_status, run_in_background, stop_signals, watchdog_s
from controller.referee import Meters, Referee, make_subscribers, serve_panel
from controller.settings import Home, Settings
from controller.strategy import House
from controller.web import listen, listen_to_network, make_app, serve
from firmware.tiles import TileBank
from hardware.errors import BoxFault

_log = logging.getLogger(__name__)


@asynccontextmanager
async def run_daemon(
    opening: AbstractAsyncContextManager[Table], home: Home, settings: Settings
) -> AsyncIterator[Referee]:
    """A daemon that serves as long as the context lasts. Raises `DaemonRuns`, or what opening the box raises."""
    home.make()
    with lock(home.lock), note_run(home.runs, find_boot()), ExitStack() as last:
        journal, found = open_journal(home.journal, datetime.now(UTC).date())
        last.enter_context(journal)
        access = last.enter_context(open_access(home.access, journal.next_game_id))
        meters = Meters()
        sock = last.enter_context(listen(home.socket))
        ports = last.enter_context(listen_to_network(settings.web))
        async with opening as table:
            subscribers, house = (*make_subscribers(table, journal), meters.count), House(home.odds)
            table.watcher.keep_evidence(meters.count_reading)
            referee = Referee(
                table,
                journal,
                pace=settings.pace,
                wall_clock=_now,
                subscribers=subscribers,
                house=house,
                share=settings.share,
                house_strength=settings.house_strength,
                daemon=uuid4().hex,
                found=(*found, *access.found),
            )
            access.announce = referee.announce
            app = make_app(referee, home=home, access=access, meters=meters)
            jobs = (
                referee.run(),
                *(serve(app, each, settings.web.name) for each in (sock, *ports)),
                serve_panel(table.firmware.panel, referee, access.confirm_pairing),
                _feed_watchdog(table.firmware.bank),
                _tell_status(referee),
                meters.measure_lag(),
            )
            async with run_in_background(*jobs):
                try:
                    yield referee
                finally:
                    notify("STOPPING=1")


async def run_until_stopped(opening: AbstractAsyncContextManager[Table], home: Home, settings: Settings) -> None:
    """Serve until SIGINT or SIGTERM."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in stop_signals():
        loop.add_signal_handler(number, stop.set)
    async with run_daemon(opening, home, settings):
        notify("READY=1")
        _log.info("the box is open; `shutbox play` joins it, Ctrl-C stops it")
        await stop.wait()


async def _feed_watchdog(bank: TileBank) -> None:
    """Tell systemd that we live, as long as the worker of the bus answers too: a fault is an answer as well."""
    period_s = watchdog_s()
    while period_s:
        with suppress(BoxFault):
            await bank.look()
        notify("WATCHDOG=1")
        await asyncio.sleep(period_s / 3)  # a late one, or a look at a slow bus, is no reason to be restarted


async def _tell_status(referee: Referee) -> None:
    """Tell systemd in words what the box is doing, whenever that is something else; if it does not listen, later."""
    told = None
    async with referee.watch() as snapshots:
        while True:
            words = describe_doing(await snapshots.get())
            if words != told and notify_status(words):
                told = words


def describe_doing(snapshot: Snapshot) -> str:
    """What the box is doing, in one sentence; one that waits for help says so first."""
    return f"Halted: {snapshot.say}" if snapshot.phase == "halted" else snapshot.say


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
