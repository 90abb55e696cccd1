"""The process that owns a box: opens, runs and closes box, journal, socket, referee and panel in order.

Everything runs in one task group and is closed in the reverse order; whatever happens, the box is left at rest. For a
job (a calibration, a test, or a change of the box) the table is closed and opened again; journal, socket, players and
watchers stay.
"""

import asyncio
import gc
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    AsyncExitStack,
    ExitStack,
    asynccontextmanager,
    closing,
    suppress,
)
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from uuid import uuid4

from controller.access.access import Access, open_access
from controller.box.choose import ChosenBox
from controller.box.start import keep_settings, unusable_file
from controller.box.table import Table
from controller.errors import SettingsError
from controller.game.core.interruption import describe_fault
from controller.game.core.message import Messages
from controller.game.table.snapshot import Snapshot
from controller.jobs.jobs import Jobs
from controller.jobs.sessions import session_for
from controller.journal.recovery import describe_memory, open_journal
from controller.journal.store import Journal
from controller.referee.box_slot import BoxSlot
from controller.referee.panel import serve_panel
from controller.referee.referee import Referee
from controller.referee.subscribers import Meters, Subscriber, make_subscribers
from controller.runtime.home import Home
from controller.runtime.locks import lock
from controller.runtime.signals import stop_signals
from controller.runtime.swap import finish_swap, moves_of
from controller.runtime.systemd import notify, notify_status, started_by_systemd, watchdog_s
from controller.runtime.threads import run_in_background
from controller.service.restarts import find_boot, note_run
from controller.settings import Settings
from controller.web.app import make_app
from controller.web.door import Door, open_door
from controller.web.network import listen_to_network
from controller.web.server import listen, serve_network, serve_terminal
from firmware.panel import Panel
from hardware.errors import BoxFault

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Kept:
    """The parts of a daemon that stay while its table is closed and opened again. found: messages about its files."""

    journal: Journal
    home: Home
    settings: Settings
    access: Access
    meters: Meters
    found: Messages = ()


@asynccontextmanager
async def run_daemon(
    box: ChosenBox,
    home: Home,
    settings: Settings,
    open_door: Callable[[Sequence[socket.socket]], AbstractContextManager[Door | None]] = open_door,
    restart: Callable[[], None] | None = None,
) -> AsyncIterator[Referee]:
    """Run a daemon during the context.

    open_door: where connections to its port come from. restart: ends it so that it is started anew; None if nobody
    would start it. Raises `DaemonRuns`, or the errors of opening the box.
    """
    home.make()
    with lock(home.lock), note_run(home.runs, find_boot()) as uncounted, ExitStack() as last:
        keep_settings(home)
        journal, found = open_journal(home.journal, datetime.now(UTC).date())
        found = (*found, *describe_memory(home.data))
        try:
            finish_swap(home.data)
        except (OSError, SettingsError) as error:
            left = unusable_file(
                home, f"{moves_of(home.data)}: {error}", "Until then the box plays with what is there."
            )
            found = (*found, describe_fault(left))
        if uncounted:
            found = (*found, describe_fault(unusable_file(home, uncounted, "It is put aside, and begun anew.")))
        last.enter_context(journal)
        access = last.enter_context(open_access(home.access))
        meters = Meters()
        sock = last.enter_context(listen(home.socket))
        door = last.enter_context(open_door(last.enter_context(listen_to_network(settings.web))))
        stand = BoxSlot(box)
        async with keep_table(stand, Kept(journal, home, settings, access, meters, found)) as referee:
            access.announce, referee.seating.token_ended = referee.announce, access.endings.tell
            press = partial(serve_job_panel, referee, access)
            jobs = Jobs(
                referee, lambda order: session_for(order, stand.chosen, home, press, stand.rewire), access.endings
            )
            app = make_app(
                referee,
                home=home,
                access=access,
                meters=meters,
                jobs=jobs,
                stand=stand,
                network=settings.web,
                voice=settings.voice,
                restart=restart,
            )
            served = [serve_terminal(app, sock)]
            if door is not None:
                served.append(serve_network(app, door, settings.web))
            async with run_in_background(*served, _tell_status(referee), meters.measure_lag()):
                try:
                    yield referee
                finally:
                    notify("STOPPING=1")


@asynccontextmanager
async def keep_table(stand: BoxSlot, kept: Kept) -> AsyncIterator[Referee]:
    """Run a referee at the table of the current box, with its panel.

    The table is closed for each job and opened again after it. Raises the errors of opening the table for the first
    time; if it cannot be opened again, the block is cancelled and an `ExceptionGroup` is raised.
    """
    opened: asyncio.Future[Referee] = asyncio.get_running_loop().create_future()
    with ExitStack() as last:
        async with run_in_background(_serve_table(stand, kept, opened)):
            yield last.enter_context(closing(await opened))


async def _serve_table(stand: BoxSlot, kept: Kept, opened: "asyncio.Future[Referee]") -> None:
    """Keep the table open and play at it; whenever the box is lent, close the table and open it again afterwards.

    opened: gets the referee once the table is open for the first time, or the error that prevented it.
    """
    try:
        while True:
            async with AsyncExitStack() as closing_last:
                async with run_in_background(_feed_watchdog()):
                    table = await closing_last.enter_async_context(stand.open_table())
                    if opened.done():
                        await opened.result().take_back(table, _subscribe(table, kept))
                if not opened.done():
                    opened.set_result(_make_referee(table, kept))
                referee = opened.result()
                pressed = serve_panel(table.firmware.panel, referee, kept.access.confirm_held)
                async with run_in_background(pressed, _feed_watchdog(table.firmware.bank.look)):
                    borrower = await referee.play()
            async with run_in_background(_feed_watchdog()):
                await borrower.run()
    except Exception as error:
        if opened.done():
            raise
        opened.set_exception(error)


def serve_job_panel(referee: Referee, access: Access, panel: Panel) -> AbstractAsyncContextManager[None]:
    """Give the panel of a box that a job has opened its function in a game: a pause stops the job."""
    return run_in_background(serve_panel(panel, referee, access.confirm_held))


def _make_referee(table: Table, kept: Kept) -> Referee:
    for fault in table.unusable:
        _log.warning("file not usable, the box does without it fault=%s", fault)
    return Referee(
        table,
        kept.journal,
        pace=kept.settings.pace,
        wall_clock=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"),
        subscribers=_subscribe(table, kept),
        odds=kept.home.odds,
        share=kept.settings.share,
        house_strength=kept.settings.house_strength,
        daemon=uuid4().hex,
        found=(*kept.found, *kept.access.found, *map(describe_fault, table.unusable)),
        seal=kept.access.seal,
    )


def _subscribe(table: Table, kept: Kept) -> tuple[Subscriber, ...]:
    table.watcher.keep_evidence(kept.meters.count_reading)
    return (*make_subscribers(table, kept.journal), kept.meters.count)


async def run_until_stopped(box: ChosenBox, home: Home, settings: Settings) -> bool:
    """Run a daemon until SIGINT or SIGTERM, or until an operator wants it started anew; return whether one does."""
    stop, is_wanted_anew = asyncio.Event(), False
    loop = asyncio.get_running_loop()
    for number in stop_signals():
        loop.add_signal_handler(number, stop.set)

    def restart() -> None:
        nonlocal is_wanted_anew
        is_wanted_anew = True
        stop.set()

    async with run_daemon(box, home, settings, restart=restart if started_by_systemd() else None) as referee:
        # What is loaded stays: to look through it for garbage takes a tenth of a second, in which nobody watches tiles.
        gc.freeze()
        notify("READY=1")
        if referee.table.undriven is not None:
            _log.warning("no tile moves in play fault=%s", referee.table.undriven)
        _log.info("the box is open; `shutbox play` joins it, Ctrl-C stops it")
        await stop.wait()
    return is_wanted_anew


async def _feed_watchdog(look: Callable[[], Awaitable[object]] | None = None) -> None:
    """Feed systemd's watchdog as long as `look` answers; a fault is an answer too.

    look: queries the worker of the bus while the table is open; a job that has the box queries it itself.
    """
    period_s = watchdog_s()
    while period_s:
        if look is not None:
            with suppress(BoxFault):
                await look()
        notify("WATCHDOG=1")
        await asyncio.sleep(period_s / 3)  # so that one late notice, or a slow bus, does not cause a restart


async def _tell_status(referee: Referee) -> None:
    """Send systemd a status text whenever it changes; if it is not taken, try again with the next snapshot."""
    sent = None
    async with referee.watch() as snapshots:
        while True:
            words = describe_doing(await snapshots.get())
            if words != sent and notify_status(words):
                sent = words


def describe_doing(snapshot: Snapshot) -> str:
    """Return what the box is doing, and what it needs help with; if it waits for it, it says so first."""
    help_wanted = (each.text for each in snapshot.notice_messages if each.severity == "help")
    doing = f"Halted: {snapshot.say}" if snapshot.phase == "halted" else snapshot.say
    return " ".join((doing, *help_wanted))
