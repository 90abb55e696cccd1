"""Hands at a simulated box through the API, and the cut of its power: what is moved meanwhile is asked about."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from controller.box.choose import choose_box
from controller.box.simulated_actions import LONGEST_CUT_S
from controller.cli.daemon import run_daemon
from controller.game.core.commands import Abandon, PutRight, StartGame
from controller.game.core.players import Player
from controller.referee.referee import Referee
from controller.runtime.home import Home
from controller.settings import Settings
from controller.web.app import make_app
from controller.web.security.principal import LocalApp
from tests.support.tables import open_table_rig, until


@asynccontextmanager
async def at_the_box(referee: Referee) -> AsyncIterator[httpx.AsyncClient]:
    """A client at the box's own socket."""
    transport = httpx.ASGITransport(app=LocalApp(make_app(referee)))
    async with httpx.AsyncClient(transport=transport, base_url="http://box") as client:
        yield client


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[tuple[Referee, httpx.AsyncClient]]:
    """A daemon on a simulated box, with Ann's game begun and its tiles in place."""
    home, settings = Home(folder, folder), Settings()
    box = choose_box("two-level-9", settings, home, mock=True, faults=("jam:back-3",), seed=1)
    async with run_daemon(box, home, settings) as referee, at_the_box(referee) as client:
        await referee.ask(StartGame((Player("Ann"),)))
        await until(referee, "awaiting_throw")
        yield referee, client


async def do(client: httpx.AsyncClient, **deed: object) -> httpx.Response:
    return await client.post("/api/simulated/deeds", json=deed)


async def test_a_hand_tips_a_tile_and_breaks_the_box(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee, at_the_box(referee) as client:
        tipped = await do(client, do="tip", tile="front-7", position="shut")
        assert tipped.json()["tiles"]["front-7"] == "SHUT"
        assert (await do(client, do="break", fault="camera:frozen")).json()["faults"] == ["camera:frozen"]
        assert referee.snapshot.broken == ("camera:frozen",)
        page = (await client.get("/api/simulated")).json()
        assert page["now"] == (await do(client, do="look")).json()
        last = page["forms"][-1]
        assert (last["fault"], last["parts"]) == ("camera", ["frozen", "dark", "grey", "dead", "upside-down"])
        await do(client, do="lift")
        assert not referee.snapshot.broken


@pytest.mark.parametrize(("tipped", "along", "to"), [("back-3", "front-7", "SHUT"), ("front-7", "back-3", "OPEN")])
async def test_a_tile_takes_the_one_in_its_way_along_and_the_answer_shows_both(
    tmp_path: Path, tipped: str, along: str, to: str
) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee, at_the_box(referee) as client:
        if to == "OPEN":
            await do(client, do="tip", tile=along, position="SHUT")
        before = (await do(client, do="look")).json()["tiles"]
        assert {before[tipped], before[along]}.isdisjoint({to})
        answer = await do(client, do="tip", tile=tipped, position=to)
        assert answer.status_code == 200
        assert answer.json()["tiles"] == {**before, tipped: to, along: to}
        await asyncio.sleep(1)
        assert (await do(client, do="look")).json()["tiles"] == answer.json()["tiles"]


async def test_a_tile_left_half_way_falls(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee, at_the_box(referee) as client:
        tipped = await do(client, do="tip", tile="front-7", position="BETWEEN")
        assert tipped.json()["tiles"]["front-7"] == "BETWEEN"
        await asyncio.sleep(1)
        assert (await do(client, do="look")).json()["tiles"]["front-7"] == "SHUT"


@pytest.mark.parametrize(
    ("held", "why"),
    [("back-3", "it is jammed"), ("front-7", "it is blocked by a tile that is jammed")],
)
async def test_what_wood_does_not_allow_is_refused_in_a_line(tmp_path: Path, held: str, why: str) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee, at_the_box(referee) as client:
        await do(client, do="break", fault=f"held:{held}")
        behind = await do(client, do="tip", tile="back-3", position="SHUT")
        assert (behind.status_code, behind.json()["code"]) == (422, "C-313")
        assert behind.json()["error"] == f"back-3 does not give way: {why}"
        assert set((await do(client, do="look")).json()["tiles"].values()) == {"OPEN"}
        for wrong in ({"do": "fly"}, {"do": "tip", "tile": "front-7"}, {"do": "cut", "seconds": 1000}, {"do": "lid"}):
            assert (await do(client, **wrong)).status_code == 422


async def test_a_real_box_has_none(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table:
        table.table = replace(table.table, hands=None)
        async with table.referee() as referee, at_the_box(referee) as client:
            refused = await do(client, do="look")
            assert (refused.status_code, refused.json()["code"]) == (404, "C-380")
            assert refused.json()["error"] == "this box is real; `shutbox play --mock` has a simulated one"
            assert not referee.snapshot.simulated


async def test_after_a_cut_the_game_goes_on_and_asks_about_every_tile_that_was_moved(tmp_path: Path) -> None:
    async with running(tmp_path) as (referee, client):
        before = referee.snapshot
        await do(client, do="break", fault="jam:front-9")
        await do(client, do="cut", seconds=5)
        dark = referee.snapshot
        assert (dark.job and dark.job.kind, dark.actions) == ("outage", ())
        assert dark.say.startswith("The power is out.")
        assert (await do(client, do="cut")).status_code == 409
        for tile in ("front-2", "front-6"):
            await do(client, do="tip", tile=tile, position="SHUT")
        asked = await until(referee, "differing")
        assert {tile.name for tile in asked.found} == {"front-2", "front-6"}
        assert (asked.game_id, asked.daemon) == (before.game_id, before.daemon)
        assert asked.broken == ("jam:back-3", "jam:front-9")
        await referee.ask(PutRight())
        assert (await until(referee, "awaiting_throw")).board == before.board


async def test_a_cut_amid_a_move_leaves_nothing_half_done(tmp_path: Path) -> None:
    async with running(tmp_path) as (referee, client):
        await referee.ask(Abandon())
        for name in ("front-1", "front-2"):
            await do(client, do="tip", tile=name, position="SHUT")
        await referee.ask(StartGame((Player("Bob"),)))
        assert referee.snapshot.phase == "moving"
        while "BETWEEN" not in (await do(client, do="look")).json()["tiles"].values():  # noqa: ASYNC110  as hands do
            await asyncio.sleep(0.02)
        cut = await do(client, do="cut", seconds=1)
        assert "BETWEEN" in cut.json()["tiles"].values()
        back = await until(referee, "awaiting_throw")
        assert (back.players, back.fault, back.job) == (("Bob",), None, None)
        seen = (await client.get("/api/simulated")).json()["now"]["tiles"]
        assert set(seen.values()) == {"OPEN"}


@pytest.mark.parametrize("seconds", [60, None])
async def test_a_pause_puts_the_plug_in_again_and_without_one_a_cut_can_last(
    tmp_path: Path, seconds: float | None
) -> None:
    async with running(tmp_path) as (referee, client):
        await do(client, do="cut", seconds=seconds)
        assert ("A pause puts the power on again." in referee.snapshot.say) == (seconds is None)
        await asyncio.sleep(0 if seconds else 3 * LONGEST_CUT_S)
        assert referee.snapshot.job is not None
        began_s = asyncio.get_running_loop().time()
        await client.post("/api/commands", json={"do": "park"})
        async with asyncio.timeout(60), referee.watch() as snapshots:
            while (await snapshots.get()).job is not None:
                pass
        assert asyncio.get_running_loop().time() - began_s < 5
