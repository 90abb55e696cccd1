"""The API over a home on which people have played: at its own terminal, and from the network."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
from fastapi import FastAPI

from controller.journal.store import Journal
from controller.referee.referee import Referee
from controller.runtime.home import Home
from controller.web.app import make_app
from controller.web.security.principal import LocalApp
from tests.support.homes import furnish
from tests.support.tables import open_table_rig


class ApiRig:
    """A referee with a home: `here` asks at the box's own terminal, `away` from the network, without a token."""

    def __init__(
        self, app: FastAPI, home: Home, referee: Referee, here: httpx.AsyncClient, away: httpx.AsyncClient
    ) -> None:
        self.app = app
        self.home = home
        self.referee = referee
        self.here = here
        self.away = away


@asynccontextmanager
async def open_api(folder: Path, *, played: bool = True) -> AsyncIterator[ApiRig]:
    """The API of a simulated table whose home is `folder`; `played`: games were played there, and things measured."""
    home = Home(folder / "home", folder / "home")
    home.make()
    if played:
        furnish(home)
        _empty_seats(home)
    async with open_table_rig(home.data) as table, table.referee() as referee:
        app = make_app(referee, home=home)
        inside, outside = httpx.ASGITransport(app=LocalApp(app)), httpx.ASGITransport(app=app)
        async with (
            httpx.AsyncClient(transport=inside, base_url="http://box") as here,
            httpx.AsyncClient(transport=outside, base_url="http://box") as away,
        ):
            yield ApiRig(app, home, referee, here, away)


def _empty_seats(home: Home) -> None:
    """Nobody holds a seat any more, so that whoever comes may play."""
    with Journal(home.journal) as journal:
        journal.keep_seats([])
