"""The page of the table over its own door: how heavy it is, how often it is drawn, and the pictures on its tiles."""

import re
from pathlib import Path

import httpx
import pytest

from controller.game.table.snapshot import Snapshot
from controller.messages.words import Words
from controller.web.pages import templates
from controller.web.pages.scene import TilePictures
from controller.web.pages.table import parts as drawing
from controller.web.pages.table.audience import Audience
from controller.web.pages.table.view import TableView, table_for
from tests.support.api import ApiRig, open_api
from tests.support.tables import until

MOST_BYTES = 150_000
MOST_LINES = 2100
WATCHERS = 50
STATIC = Path(templates.__file__).parent / "static"
IMPORT = re.compile(r'^import .* from "\./([\w.]+)";$', re.MULTILINE)


async def begin(api: ApiRig, **more: object) -> None:
    start = {"do": "start", "game": "pub", "players": [{"name": "Ann"}], "options": {"first": "chosen"}, **more}
    assert (await api.here.post("/api/commands", json=start)).status_code == 200
    await until(api.referee, "awaiting_throw")


async def load_whole(client: httpx.AsyncClient, path: str) -> dict[str, int]:
    """The bytes of a page and of everything that it loads, by address, as a browser would load them."""
    page = await client.get(path)
    bytes_of = {path: len(page.content)}
    wanted = re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text)
    while wanted:
        address = wanted.pop()
        if address not in bytes_of:
            loaded = await client.get(address)
            assert loaded.status_code == 200, address
            bytes_of[address] = len(loaded.content)
            wanted += [f"{address.rpartition('/')[0]}/{name}" for name in IMPORT.findall(loaded.text)]
    return bytes_of


async def test_the_page_weighs_at_most_150_kb_with_all_that_it_loads(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        await begin(api)
        await api.here.post("/api/commands", json={"do": "dice", "dice": [5, 3]})
        await until(api.referee, "choosing")
        loaded = await load_whole(api.here, "/play")

    names = {address.rpartition("/")[2] for address in loaded}
    assert names >= {"play", "base.css", "tiles.css", "play.js", "live.js", "commands.js", "choosing.js", "dice.js"}
    assert sum(loaded.values()) <= MOST_BYTES


def test_all_scripts_together_have_at_most_1700_lines() -> None:
    assert sum(len(script.read_text("utf-8").splitlines()) for script in STATIC.glob("*.js")) <= MOST_LINES


async def test_a_moment_is_drawn_once_for_all_who_are_shown_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Audience] = []

    def count(snapshot: Snapshot, audience: Audience, words: Words, pictures: TilePictures) -> TableView:
        drawn.append(audience)
        return table_for(snapshot, audience, words, pictures)

    monkeypatch.setattr(drawing, "table_for", count)
    async with open_api(tmp_path, played=False) as api:
        await begin(api)
        drawn.clear()
        for _ in range(WATCHERS):
            assert (await api.away.get("/play")).status_code == 200
        german = await api.away.get("/play", headers={"Accept-Language": "de"})
        await api.here.get("/play")

    assert german.status_code == 200
    assert [(audience.language, audience.caller.role) for audience in drawn] == [
        ("en", "spectator"),
        ("de", "spectator"),
        ("en", "player"),
    ]


async def test_a_picture_that_the_owner_has_given_is_drawn_on_its_tile(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        api.home.tile_pictures.mkdir()
        (api.home.tile_pictures / "sun.png").write_bytes(b"\x89PNG")
        await begin(api, marks={"tiles": {"front-1": "sun"}})
        page = await api.away.get("/play")
        address = re.findall(r'<img src="([^"]+)" alt="">', page.text)[0]
        picture = await api.away.get(address)
        missing = await api.away.get("/tiles/moon")

    assert 'data-mark="picture"' in page.text
    assert 'aria-label="sun, open"' in page.text
    assert (picture.status_code, picture.headers["content-type"], picture.content) == (200, "image/png", b"\x89PNG")
    assert missing.status_code == 404
