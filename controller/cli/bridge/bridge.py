"""`shutbox bridge`: tells what happens at the table, as one more client of the daemon."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.util import find_spec
from socket import gethostname
from typing import Annotated, Any

import typer

from controller.cli.bridge.entities import Topics, discovery_of, id_of
from controller.cli.bridge.facts import changes, row_event, state_of
from controller.cli.bridge.outbox import Outbox
from controller.cli.bridge.webhooks import Webhook
from controller.cli.options import Installation
from controller.errors import NoBridge
from controller.game.core.commands import Park, StartGame
from controller.game.core.players import read_players
from controller.game.table.snapshot import Snapshot
from controller.runtime.home import Home
from controller.runtime.log import start_log
from controller.runtime.threads import cancel_on_signal, run_in_background
from controller.settings import Settings
from controller.web.client import Client, DaemonGone, Refused
from controller.web.network import find_socket

_LOOK_EVERY_S = 1.0  # for a daemon that is gone
_ROWS = 500  # that one answer holds

_log = logging.getLogger(__name__)


def bridge(
    if_on: Annotated[
        bool, typer.Option("--if-on", help="End at once unless the settings name a broker or a webhook, for systemd.")
    ] = False,
) -> None:
    start_log()
    quiet_log()
    installation = Installation()
    home, settings = installation.home, installation.at_start.now
    if not settings.bridge.host and not settings.bridge.webhooks:
        if if_on:
            _log.info("nothing is told: neither host nor webhooks under [bridge] in the settings")
            return
        raise typer.BadParameter("write host = NAME, or webhooks = [URL], under [bridge] into the settings first")
    if settings.bridge.host and find_spec("aiomqtt") is None:
        raise NoBridge("a broker is told by aiomqtt, which is missing: install the extra `bridge`")
    asyncio.run(tell_until_stopped(home, settings))


def quiet_log() -> None:
    """Keep addresses of webhooks out of the log: the library that posts to them would write each down."""
    for name in ("httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.WARNING)


async def tell_until_stopped(home: Home, settings: Settings) -> None:
    """Tell broker and webhooks of the settings what happens at the table of this home, until a signal ends it.

    Raises `NoBridge` for a password or an authority that cannot be read.
    """
    told, outbox, hooks = settings.bridge, Outbox(), [Webhook(url) for url in settings.bridge.webhooks]
    jobs = [hook.run() for hook in hooks]
    if told.host:
        from controller.cli.bridge.broker import Broker
        from controller.cli.bridge.connection import is_overheard, password_of, tls_of

        try:
            password_of(told)
            tls_of(told)
        except (OSError, ValueError) as error:
            raise NoBridge(f"{told.password_file or told.ca}: {getattr(error, 'strerror', None) or error}") from error
        if is_overheard(told):
            _log.warning("the password goes to %s unencrypted: set tls = true under [bridge]", told.host)
        name = told.name or gethostname()
        topics = Topics(told.prefix, told.discovery, id_of(name))
        device = discovery_of(topics, f"Shut the Box, {name}", settings.box, version("shutbox"), told.allow)
        jobs.append(Broker(told, topics, device, outbox, lambda word: obey(home, settings, word)).run())
    async with cancel_on_signal(), run_in_background(*jobs):
        await Table(home, outbox, hooks).follow()


async def obey(home: Home, settings: Settings, word: str) -> None:
    """Start a game with the players of the settings, or pause the one that is on; what is refused goes to the log."""
    players = read_players(settings.players, settings.house_players, settings.house_strength)
    try:
        async with Client(find_socket(home), settings.language) as client:
            await client.send(StartGame(players) if word == "start" else Park())
    except (Refused, DaemonGone) as error:
        _log.warning("refused command=%s error=%s", word, error)


@dataclass
class Table:
    """Watches the daemon of a home, one after the other, and tells what happens there."""

    home: Home
    outbox: Outbox
    hooks: list[Webhook]
    _before: Snapshot | None = None
    _rows: tuple[int, int] = field(default=(0, 0))

    async def follow(self) -> None:
        """Tell until it is cancelled."""
        while True:
            with suppress(DaemonGone):
                async with Client(find_socket(self.home)) as client, client.snapshots() as snapshots:
                    async for snapshot in snapshots:
                        await self._hear(client, snapshot)
            self.outbox.leave()
            await asyncio.sleep(_LOOK_EVERY_S)

    async def _hear(self, client: Client, snapshot: Snapshot) -> None:
        found = list(changes(self._before, snapshot))
        starts = [each for each in found if each["event_type"] == "game_started"]
        # A daemon that goes meanwhile is asked again once it is back.
        rows = await self._new_rows(client, self._before, snapshot)
        self._before = snapshot
        for event in (*starts, *rows, *(each for each in found if each not in starts)):
            self._add(event)
        self.outbox.tell(state_of(snapshot), available=True)

    async def _new_rows(self, client: Client, before: Snapshot | None, now: Snapshot) -> list[dict[str, Any]]:
        """Return what the history of the game has more than before; snapshots alone may have passed over something."""
        if before is not None and (before.game_id, before.event) == (now.game_id, now.event):
            return []
        game, offset = self._rows
        if now.game_id != game:
            game, offset = now.game_id, 0
        found: list[dict[str, Any]] = []
        while game:
            try:
                page = await client.history(game, offset)
            except Refused:
                return []
            events = map(row_event, page["rows"])
            found += (event for event in events if event is not None)
            offset += len(page["rows"])
            if len(page["rows"]) < _ROWS:
                break
        self._rows = (game, offset)
        return found if before is not None else []

    def _add(self, event: dict[str, Any]) -> None:
        self.outbox.add(event)
        for hook in self.hooks:
            hook.add(event)
