"""A box that is served in a thread, in real time, for a browser beside it."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, TypeVar

from controller.game.table.snapshot import Snapshot
from controller.runtime.home import Home
from controller.settings import Pace, Web
from tests.support.hands import Hands
from tests.support.served_box import ServedBox, State, open_served_box

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")
_PATIENCE_S = 30.0
_STILL_S = 0.5
# Nobody needs to follow with his eyes.
FAST = Pace(house_thinks_s=0, watch_every_s=0.1, hand_countdown_s=0.3)


class BoxThread:
    """A served box, asked from another thread. It can be without power for a while, and keeps its address."""

    def __init__(self, home: Home, box: str = "two-level-9", pace: Pace | None = None, web: Web | None = None) -> None:
        self.hands = Hands(keeps_tiles=pace is not None)
        self.port = 0
        self._home, self._name, self._pace, self._web = home, box, pace, web
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._box: ServedBox | None = None
        self._is_done: asyncio.Event | None = None
        self._serving: Future[None] | None = None

    def __enter__(self) -> "BoxThread":
        self._thread.start()
        try:
            self.power_on()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.power_off()
        finally:
            self._stop()

    def power_on(self) -> None:
        """Start the daemon. Raises what keeps it from starting."""
        is_ready = Event()
        self._serving = asyncio.run_coroutine_threadsafe(self._serve(is_ready), self._loop)
        self._serving.add_done_callback(lambda _: is_ready.set())
        is_ready.wait(_PATIENCE_S)
        if self._serving.done():
            self._serving.result()

    def power_off(self) -> None:
        """End it, with whatever was going on. What it wrote stays, and so do the tiles."""
        if self._serving is None or self._is_done is None or self._serving.done():
            return
        self._loop.call_soon_threadsafe(self._is_done.set)
        self._serving.result(_PATIENCE_S)

    @property
    def url(self) -> str:
        """The address of the box, as people type it."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def snapshot(self) -> Snapshot:
        """The table as it stands."""
        return self._at_work().snapshot

    def state(self) -> State:
        """What no page of a stranger may change."""

        async def look() -> State:
            return self._at_work().state()

        return self._run(look())

    def code(self) -> str:
        """The code by which players join the game."""
        return str(self.ask("GET", "/api/access/code")["typed"])

    def link(self) -> str:
        """The address in the QR code, by which a device is let in."""
        return f"/join/{self.ask('GET', '/api/access/code')['link']}"

    def confirm(self, number: str) -> None:
        """Say yes, at the box, to the phone that shows this number."""
        self.ask("POST", "/api/access/pairings/confirmed", json={"number": number})

    def do(self, command: str, **words: Any) -> None:
        """Have something done at the box's own terminal."""
        self.ask("POST", "/api/commands", json={"do": command, **words})

    def rest(self) -> None:
        """Wait until the box waits for people."""
        self._run(self._at_work().rest(_STILL_S))

    def ask(self, method: str, path: str, **sent: Any) -> Any:
        """Ask the API as the box's own terminal does. Raises `httpx.HTTPStatusError` for a refusal."""
        return self._run(self._at_work().terminal.ask(method, path, **sent)).raise_for_status().json()

    def _stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_PATIENCE_S)
        self._loop.close()

    async def _serve(self, is_ready: Event) -> None:
        async with open_served_box(
            self._home, box=self._name, pace=self._pace, hands=self.hands, port=self.port, web=self._web
        ) as self._box:
            self.port, self._is_done = self._box.port, asyncio.Event()
            is_ready.set()
            await self._is_done.wait()

    def _run(self, job: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(job, self._loop).result(_PATIENCE_S)

    def _at_work(self) -> ServedBox:
        if self._box is None:
            raise RuntimeError("the box did not open")
        return self._box


@contextmanager
def serve_box(
    folder: Path, box: str = "two-level-9", pace: Pace | None = None, web: Web | None = None
) -> Iterator[BoxThread]:
    """A box that is served as long as the block lasts; with a pace of its own it keeps its tiles over power cuts."""
    with BoxThread(Home(folder, folder), box, pace, web) as thread:
        yield thread
