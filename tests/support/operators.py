"""Operators of a daemon's jobs, through its API on a jumping clock: a table that is closed and opened, and who asks."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI

from controller.access.access import Access
from controller.box.choose import ChosenBox, choose_box
from controller.box.job_requests import JobOrder
from controller.cli.daemon import Kept, keep_table, serve_job_panel
from controller.jobs.dialog import Session
from controller.jobs.jobs import Jobs
from controller.jobs.sessions import session_for
from controller.journal.store import Journal
from controller.referee.box_slot import BoxSlot
from controller.referee.referee import Referee
from controller.referee.subscribers import Meters
from controller.runtime.home import Home
from controller.settings import Settings
from controller.web.app import make_app
from controller.web.lookups import Lookups
from controller.web.security.principal import LocalApp

ANN, BOB = "ann-holds-this-job", "bob-holds-this-job"
_LOOK_EVERY_S = 0.5
_PATIENCE_S = 1200.0
_TWO_TILES = """\
name = "two-tiles"
summary = "Two tiles"
rows = 1
columns = 2

[motion]
link = "slot"
open_us = 820
rest_us = 1655
shut_us = 2090

[panel]
output_enable = "GPIO22"

[tiles]
front-1 = { servo = "0x40/3", shut = "GPIO4", open = "GPIO6" }
front-2 = { servo = "0x40/5", shut = "GPIO5", open = "GPIO7" }
"""

State = Mapping[str, Any]
Reply = Callable[[State], Mapping[str, object] | None]
"""The answer to the question of a job, None for none."""

# An order of each kind of job, as quick as they come.
ORDERS: dict[str, dict[str, Any]] = {
    "servos": {"kind": "servos"},
    "camera": {"kind": "camera", "views": 8},
    "dice": {"kind": "dice", "name": "fleet", "sides": 6, "labels": [[1, "boat"], [2, "2"]], "shots": 3},
    "selftest": {"kind": "selftest"},
    "wiring": {"kind": "wiring"},
    "bringup": {"kind": "bringup"},
}


def yes(state: State) -> Mapping[str, object] | None:
    """Agree to everything that is waited for, and go on wherever it is offered."""
    question = state["view"]["question"]
    return {"answer": question["answers"][0]} if question["waits"] or "go_on" in question["answers"] else None


class Operator:
    """Somebody who has the daemon work, by its API alone."""

    def __init__(self, client: httpx.AsyncClient, hold: str = ANN) -> None:
        self.client = client
        self._headers = {"Job-Hold": hold}

    async def begin(self, **order: object) -> httpx.Response:
        return await self.client.post("/api/job", json=order, headers=self._headers)

    async def see(self, since: int = 0) -> State:
        state: State = (await self.client.get(f"/api/job?since={since}", headers=self._headers)).json()
        return state

    async def answer(self, asked: int, **answer: object) -> httpx.Response:
        return await self.client.post("/api/job/answer", json={"asked": asked, **answer}, headers=self._headers)

    async def cancel(self) -> httpx.Response:
        return await self.client.delete("/api/job", headers=self._headers)

    async def take_over(self) -> httpx.Response:
        return await self.client.post("/api/job/hold", json={"hold": self._headers["Job-Hold"]})

    async def until_asked(self) -> State:
        async with asyncio.timeout(_PATIENCE_S):
            while True:
                state = await self.see()
                if state["view"]["question"]:
                    return state
                await asyncio.sleep(_LOOK_EVERY_S)

    async def follow(self, reply: Reply = yes, stop_at: int | None = None) -> State:
        """Answer until the job is over; cancel it once it has said so many lines and asked so many questions."""
        answered = 0
        async with asyncio.timeout(_PATIENCE_S):
            while not (state := await self.see())["is_over"]:
                if stop_at is not None and state["count"] + state["asked"] >= stop_at:
                    await self.cancel()
                elif state["view"]["question"] and state["asked"] != answered:
                    answer = reply(state)
                    if answer is not None:
                        answered = state["asked"]
                        assert (await self.answer(answered, **answer)).status_code == 200
                await asyncio.sleep(_LOOK_EVERY_S)
        return state


class JobRig:
    """A table that jobs may have, its referee, and the doors to both: at the box itself, and from the network."""

    def __init__(
        self, home: Home, referee: Referee, access: Access, client: httpx.AsyncClient, network: httpx.AsyncClient
    ) -> None:
        self.home = home
        self.referee = referee
        self.access = access
        self.client = client
        self.network = network
        self.ann, self.bob = Operator(client), Operator(client, BOB)

    async def pair(self, name: str) -> None:
        """Have who asks from the network be an operator, by a device of this name."""
        token, _ = self.access.begin_pairing(name)
        await self.access.confirm_held(0)
        self.network.headers["Authorization"] = f"Bearer {token}"

    def files(self, *but: str) -> dict[str, bytes]:
        """The files of the home, without those whose names begin with one of `but`."""
        found = (
            path for path in self.home.data.rglob("*") if path.is_file() and not path.name.startswith(but or ("-",))
        )
        return {path.relative_to(self.home.data).as_posix(): path.read_bytes() for path in found}

    async def until_open(self) -> None:
        """Wait until the table is opened again after a job."""
        async with asyncio.timeout(_PATIENCE_S), self.referee.watch() as snapshots:
            while (await snapshots.get()).job is not None:
                pass


_made: list[FastAPI] = []


def app_of(referee: Referee, jobs: Jobs, access: Access, home: Home, stand: BoxSlot) -> FastAPI:
    """The application of this referee: made once, which takes as long as all the rest of a test."""
    if not _made:
        _made.append(make_app(referee, jobs=jobs))
    app = _made[0]
    app.state.referee, app.state.jobs, app.state.access = referee, jobs, access
    app.state.home, app.state.lookups, app.state.stand = home, Lookups(home), stand
    return app


def two_tiles(folder: Path) -> str:
    """The file of a box with two tiles, soon calibrated."""
    file = folder / "two-tiles.toml"
    file.write_text(_TWO_TILES, "utf-8")
    return str(file)


@asynccontextmanager
async def open_job_rig(
    folder: Path,
    *,
    box: str = "",
    faults: tuple[str, ...] = (),
    change: Callable[[ChosenBox], ChosenBox] = lambda box: box,
) -> AsyncIterator[JobRig]:
    """A simulated box as a daemon has it, without sockets; its home is `folder`, its seed 1."""
    home, settings = Home(folder / "home", folder / "home", fixed=True), Settings()
    home.make()
    chosen = choose_box(box or two_tiles(folder), settings, home, mock=True, faults=faults, seed=1)
    chosen, access = change(chosen), Access()
    with Journal(home.journal) as journal:
        stand = BoxSlot(chosen)
        async with keep_table(stand, Kept(journal, home, settings, access, Meters())) as referee:
            press = partial(serve_job_panel, referee, access)

            def make_session(order: JobOrder) -> Session:
                return session_for(order, stand.chosen, home, press, stand.rewire)

            app = app_of(referee, Jobs(referee, make_session, access.endings), access, home, stand)
            inside, outside = httpx.ASGITransport(app=LocalApp(app)), httpx.ASGITransport(app=app)
            async with (
                httpx.AsyncClient(transport=inside, base_url="http://box") as client,
                httpx.AsyncClient(transport=outside, base_url="http://box") as network,
            ):
                yield JobRig(home, referee, access, client, network)
