"""The process that owns a box: in which order box, journal, socket, referee and panel are opened, run and closed.

All runs in one task group. Everything is closed in the reverse order; whatever happens, the box is left quiet. For
a job (the box is calibrated or tested, or exchanged for another) the table is closed and opened again; journal, socket,
players, watchers stay.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, ExitStack, asynccontextmanager, closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from uuid import uuid4

from controller.access import Access, open_access
from controller.box import ChosenBox, Table
from controller.calibrate import Workshop, session_for
from controller.game import Messages, Snapshot
from controller.journal import Journal, open_journal
from controller.maintenance import find_boot, note_run
from controller.process import lock, notify, notify_status, run_in_background, stop_signals, watchdog_s
from controller.referee import Meters, Referee, Stand, Subscriber, make_subscribers, serve_panel
from controller.settings import Home, Settings
from controller.web import listen, listen_to_network, make_app, serve
from firmware.panel import Panel
from hardware.errors import BoxFault

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Kept:
    """What stays of a daemon while its table is closed and opened again. found: what must be said of the journal."""

    journal: Journal
    home: Home
    settings: Settings
    access: Access
    meters: Meters
    found: Messages = ()


@asynccontextmanager
async def run_daemon(box: ChosenBox, home: Home, settings: Settings) -> AsyncIterator[Referee]:
    """A daemon that serves as long as the context lasts. Raises `DaemonRuns`, or what opening the box raises."""
    home.make()
    with lock(home.lock), note_run(home.runs, find_boot()), ExitStack() as last:
        journal, found = open_journal(home.journal, datetime.now(UTC).date())
        last.enter_context(journal)
        access = last.enter_context(open_access(home.access, journal.next_game_id))
        meters = Meters()
        sock = last.enter_context(listen(home.socket))
        ports = last.enter_context(listen_to_network(settings.web))
        stand = Stand(box)
        async with keep_table(stand, Kept(journal, home, settings, access, meters, found)) as referee:
            access.announce, referee.seating.token_ended = referee.announce, access.endings.tell
            access.game_to_join = lambda: referee.game_to_join
            press = partial(serve_job_panel, referee, access)
            workshop = Workshop(referee, lambda order: session_for(order, stand.chosen, home, press), access.endings)
            app = make_app(
                referee, home=home, access=access, meters=meters, workshop=workshop, stand=stand, network=settings.web
            )
            doors = (serve(app, each, settings.web.name) for each in (sock, *ports))
            async with run_in_background(*doors, _tell_status(referee), meters.measure_lag()):
                try:
                    yield referee
                finally:
                    notify("STOPPING=1")


@asynccontextmanager
async def keep_table(stand: Stand, kept: Kept) -> AsyncIterator[Referee]:
    """A referee at the table of the box that stands there, and its panel.

    The table is closed for each job and opened anew after it.
    Raises what opening the table for the first time raises; where it cannot be opened again the block is cancelled, and
    an `ExceptionGroup` comes out.
    """
    opened: asyncio.Future[Referee] = asyncio.get_running_loop().create_future()
    with ExitStack() as last:
        async with run_in_background(_serve_table(stand, kept, opened)):
            yield last.enter_context(closing(await opened))


async def _serve_table(stand: Stand, kept: Kept, opened: "asyncio.Future[Referee]") -> None:
    """Keep the table open and play at it; whenever the box is lent, close the table, and open it anew afterwards.

    `opened` gets the referee once the table is open for the first time, or what has kept it from being opened.
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
    """Have the panel of the box that a job has opened do what it does in a game: a pause stops the job."""
    return run_in_background(serve_panel(panel, referee, access.confirm_held))


def _make_referee(table: Table, kept: Kept) -> Referee:
    return Referee(
        table,
        kept.journal,
        pace=kept.settings.pace,
        wall_clock=_now,
        subscribers=_subscribe(table, kept),
        odds=kept.home.odds,
        share=kept.settings.share,
        house_strength=kept.settings.house_strength,
        daemon=uuid4().hex,
        found=(*kept.found, *kept.access.found),
        seal=kept.access.seal,
    )


def _subscribe(table: Table, kept: Kept) -> tuple[Subscriber, ...]:
    """Have the meters count what this table sees; all that hear of its games."""
    table.watcher.keep_evidence(kept.meters.count_reading)
    return (*make_subscribers(table, kept.journal), kept.meters.count)


async def run_until_stopped(box: ChosenBox, home: Home, settings: Settings) -> None:
    """Serve until SIGINT or SIGTERM."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in stop_signals():
        loop.add_signal_handler(number, stop.set)
    async with run_daemon(box, home, settings):
        notify("READY=1")
        _log.info("the box is open; `shutbox play` joins it, Ctrl-C stops it")
        await stop.wait()


async def _feed_watchdog(look: Callable[[], Awaitable[object]] | None = None) -> None:
    """Tell systemd that we live, as long as `look` answers too: a fault is an answer as well.

    It asks the worker of the bus, where the table is open; who has the box for a job asks it himself.
    """
    period_s = watchdog_s()
    while period_s:
        if look is not None:
            with suppress(BoxFault):
                await look()
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
