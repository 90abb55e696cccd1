"""A box that is served in a thread, in real time, for a browser beside it; a game is on that somebody plays."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

from controller.settings import Home
from tests.support.served_box import ServedBox, State, open_served_box

# Stands in every snapshot: who has read it has read the box.
SECRET = "Zenobia"  # noqa: S105
_PATIENCE_S = 30.0
_STILL_S = 0.5


class BoxThread:
    """A served box, asked from another thread."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._is_ready = Event()
        self._is_done = asyncio.Event()
        self._thread = Thread(target=lambda: asyncio.run(self._serve()))
        self._loop: asyncio.AbstractEventLoop | None = None
        self._box: ServedBox | None = None

    def __enter__(self) -> "BoxThread":
        self._thread.start()
        self._is_ready.wait(_PATIENCE_S)
        self._run(self._begin())
        return self

    def __exit__(self, *_: object) -> None:
        self._at_work()[0].call_soon_threadsafe(self._is_done.set)
        self._thread.join(_PATIENCE_S)

    @property
    def port(self) -> int:
        """The port of the network."""
        return self._at_work()[1].port

    @property
    def url(self) -> str:
        """The address of the box, as people type it."""
        return f"http://127.0.0.1:{self.port}"

    def state(self) -> State:
        """What no page of a stranger may change."""

        async def look() -> State:
            return self._at_work()[1].state()

        state: State = self._run(look())
        return state

    def code(self) -> str:
        """The code by which players join the game."""
        return str(self._ask("GET", "/api/access/code")["typed"])

    def confirm(self, number: str) -> None:
        """Say yes, at the box, to the phone that shows this number."""
        self._ask("POST", "/api/access/pairings/confirmed", json={"number": number})

    def _ask(self, method: str, path: str, **sent: Any) -> Any:
        return self._run(self._at_work()[1].terminal.ask(method, path, **sent)).raise_for_status().json()

    async def _serve(self) -> None:
        async with open_served_box(self._home) as box:
            self._loop, self._box = asyncio.get_running_loop(), box
            self._is_ready.set()
            await self._is_done.wait()

    async def _begin(self) -> None:
        box = self._at_work()[1]
        await box.terminal.ask("POST", "/api/commands", json={"do": "start", "players": [{"name": SECRET}]})
        await box.rest(_STILL_S)

    def _run(self, job: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(job, self._at_work()[0]).result(_PATIENCE_S)

    def _at_work(self) -> tuple[asyncio.AbstractEventLoop, ServedBox]:
        if self._loop is None or self._box is None:
            raise RuntimeError("the box did not open")
        return self._loop, self._box


@contextmanager
def serve_box(folder: Path) -> Iterator[BoxThread]:
    """A box that is served as long as the block lasts."""
    with BoxThread(Home(folder, folder)) as box:
        yield box
