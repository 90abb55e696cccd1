"""A daemon on a simulated box for those who come from outside: at its own socket or through the network, as anybody."""

import asyncio
import hashlib
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import httpx

from controller.access.access import PAIRING_S
from controller.box.choose import ChosenBox, choose_box
from controller.box.simulated import open_simulated_world
from controller.box.simulated_actions import LONGEST_CUT_S
from controller.box.table import Table
from controller.cli.daemon import run_daemon
from controller.game.table.snapshot import Snapshot
from controller.referee.referee import Referee
from controller.runtime.clock import JumpingLoop
from controller.runtime.home import Home
from controller.runtime.machine import open_port
from controller.settings import Pace, Settings, Web
from controller.web.roles import Least
from hardware.box import Box
from tests.support.hands import Hands
from tests.support.homes import sums_of
from tests.support.strangers import OwnDoor
from tests.support.tables import FakeEyes

if TYPE_CHECKING:
    from vision.watching.throw_watcher import Watcher

# A connection that both ends drop after the same time is now and then used as it is being closed.
_KEEP_OPEN = httpx.Limits(keepalive_expiry=1.0)
_REST_S = 3.0  # on the loop's clock: all that the box still does by itself is done by then
# ... and longer it does nothing by itself: a power that stays out until somebody ends it is people's to end.
_LONGEST_BUSY_S = LONGEST_CUT_S + 10.0
_ON_ITS_WAY_S = 0.05  # of real time: longer than bytes need from socket to socket
_JOURNAL = "journal"  # so begin the names of its files
State = tuple[int, int, dict[str, str]]
Run = Callable[[Coroutine[Any, Any, Any]], Any]


@dataclass(frozen=True, slots=True)
class Door:
    """One way to the box: through which socket, what is shown there, and the role that one has by it.

    role: None for a token of nobody's. token: what is shown; None: nothing.
    """

    name: str
    role: Least | None
    client: httpx.AsyncClient
    token: str | None = None

    async def ask(self, method: str, path: str, headers: dict[str, str] | None = None, **sent: Any) -> httpx.Response:
        """The answer to one request, with the token shown."""
        shown = {} if self.token is None else {"Authorization": f"Bearer {self.token}"}
        request = self.client.request(method, path, headers=(headers or {}) | shown, **sent)
        return await _wait_for_bytes(asyncio.ensure_future(request))


async def _wait_for_bytes(request: asyncio.Future[httpx.Response]) -> httpx.Response:
    """Wait in real time for what is between two sockets, which the jumping clock takes for nothing to wait for."""
    while not request.done():
        end_s = time.monotonic() + _ON_ITS_WAY_S
        while not request.done() and time.monotonic() < end_s:  # noqa: ASYNC110  the clock must not jump
            await asyncio.sleep(0)
        await asyncio.sleep(0 if request.done() else 0.1)
    return await request


class ServedBox:
    """A box that is served at its own socket and to the network."""

    def __init__(self, home: Home, referee: Referee, local: httpx.AsyncClient, network: httpx.AsyncClient) -> None:
        self._home = home
        self._referee = referee
        self._network = network
        self.terminal = Door("socket", "terminal", local)

    @property
    def port(self) -> int:
        """The port of the network, on 127.0.0.1."""
        return self._network.base_url.port or 0

    async def doors(self) -> Sequence[Door]:
        """Every role through every socket, with tokens that are fresh, and a token of nobody's."""
        player, operator = await self.sit(), await self.become_operator()
        return (
            self.terminal,
            Door("socket, player", "terminal", self.terminal.client, player),
            Door("socket, stranger", None, self.terminal.client, "nobody's"),
            Door("network", "spectator", self._network),
            Door("network, player", "player", self._network, player),
            Door("network, operator", "operator", self._network, operator),
            Door("network, stranger", None, self._network, "nobody's"),
        )

    async def sit(self, *names: str) -> str:
        """Sit down, with these seats; the token."""
        answer = await self.terminal.ask("POST", "/api/seats", json={"names": names})
        return str(answer.raise_for_status().json()["token"])

    async def become_operator(self) -> str:
        """Become an operator by pairing, in the place of every other; the token."""
        await self.terminal.ask("DELETE", "/api/access/devices")
        asked = await self.terminal.ask("POST", "/api/access/pairings", json={"name": "phone"})
        if asked.status_code == HTTPStatus.CONFLICT:
            await asyncio.sleep(PAIRING_S)  # another one waits, until then at most
            asked = await self.terminal.ask("POST", "/api/access/pairings", json={"name": "phone"})
        begun = asked.raise_for_status().json()
        number = {"number": begun["pairing"]["number"]}
        (await self.terminal.ask("POST", "/api/access/pairings/confirmed", json=number)).raise_for_status()
        return str(begun["token"])

    @property
    def snapshot(self) -> Snapshot:
        """The table as it stands."""
        return self._referee.snapshot

    def state(self) -> State:
        """What a request that is refused must not change: the game, and all that the home keeps."""
        now = self._referee.snapshot
        files = sums_of(self._home.data)
        # A journal is copied and put in order beside all else: what it says is compared, not its files.
        kept = {name: each for name, each in files.items() if not name.lstrip(".").startswith(_JOURNAL)}
        return now.game_id, now.event, kept | {_JOURNAL: _sum_of_journal(self._home.journal)}

    async def rest(self, for_s: float = _REST_S) -> None:
        """Let the box do what it still has to do, until nothing has changed for so long: it waits for people."""
        before = None
        while before != (before := self.state()):
            async with self._referee.watch() as snapshots:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_LONGEST_BUSY_S):
                        while _is_busy(await snapshots.get()):
                            pass
            await asyncio.sleep(for_s)


def _is_busy(now: Snapshot) -> bool:
    """True if the box goes on by itself: tiles move, unless a hand has closed the lid, or its power comes back."""
    return (now.phase == "moving" and now.lid == "open") or (now.job is not None and now.job.kind == "outage")


def _sum_of_journal(path: Path) -> str:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        return hashlib.sha256("".join(db.iterdump()).encode()).hexdigest()


@asynccontextmanager
async def open_served_box(
    home: Home,
    *,
    box: str = "two-level-9",
    pace: Pace | None = None,
    hands: Hands | None = None,
    port: int = 0,
    web: Web | None = None,
) -> AsyncIterator[ServedBox]:
    """A daemon in this process, whose eyes need no pictures; `hands` reach into the box, port 0 is any that is free."""
    with open_port("127.0.0.1", port) as free:
        port = int(free.getsockname()[1])
    web = (web or Web()).model_copy(update={"on": True, "address": "127.0.0.1", "port": port})
    settings = Settings(web=web, pace=pace or Pace())
    async with AsyncExitStack() as stack:
        chosen = _choose_box(box, home, settings, hands or Hands())
        referee = await stack.enter_async_context(
            run_daemon(chosen, home, settings, lambda ports: nullcontext(OwnDoor(ports)))
        )
        at_socket = httpx.AsyncHTTPTransport(uds=str(home.socket), limits=_KEEP_OPEN, verify=False)
        local = await stack.enter_async_context(httpx.AsyncClient(transport=at_socket, base_url="http://localhost"))
        outside = httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", limits=_KEEP_OPEN)
        network = await stack.enter_async_context(outside)
        yield ServedBox(home, referee, local, network)


def _choose_box(name: str, home: Home, settings: Settings, hands: Hands) -> ChosenBox:
    """The simulated box, played on with eyes that need no pictures, and measured with its camera."""
    return _with_hands(choose_box(name, settings, home, mock=True, faults=(), seed=1), home, hands)


def _with_hands(chosen: ChosenBox, home: Home, hands: Hands) -> ChosenBox:
    another = chosen.another
    return replace(
        chosen,
        open_table=lambda: _open_table(chosen.box, home, hands),
        another=None if another is None else lambda name: _with_hands(another(name), home, hands),
    )


@asynccontextmanager
async def _open_table(box: Box, home: Home, hands: Hands) -> AsyncIterator[Table]:
    store = home.simulated_tiles(box.name) if hands.keeps_tiles else None
    async with open_simulated_world(box, seed=1, store=store) as (table, world):
        eyes = FakeEyes(world)
        hands.reach_into(world, eyes)
        yield replace(table, watcher=cast("Watcher", eyes), throw=hands.throw)


@contextmanager
def hold_served_box(home: Home) -> Iterator[tuple[ServedBox, Run]]:
    """A served box on a jumping loop of its own, for those that are no coroutine; `run` runs one on it."""
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        is_done = asyncio.Event()
        opened: asyncio.Future[ServedBox] = runner.get_loop().create_future()

        async def hold() -> None:
            async with open_served_box(home) as box:
                opened.set_result(box)
                await is_done.wait()

        holding = runner.get_loop().create_task(hold())
        runner.run(_first_of(opened, holding))
        try:
            yield opened.result(), runner.run
        finally:
            is_done.set()
            runner.run(_first_of(holding))


async def _first_of(*futures: asyncio.Future[Any]) -> None:
    """Wait for one of them, and raise what it raises."""
    done, _ = await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)
    for future in done:
        future.result()
