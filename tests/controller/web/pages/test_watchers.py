"""Fifty who look at once, by real connections: what they see is drawn once an audience, and not once a watcher."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, connect

from controller.game.core.message import Language
from controller.game.table.snapshot import Snapshot
from controller.messages.words import Words
from controller.runtime.home import Home
from controller.web.pages.scene import TilePictures
from controller.web.pages.table import parts as drawing
from controller.web.pages.table.audience import Audience, View
from controller.web.pages.table.view import TableView, table_for
from controller.web.security.principal import SEAT
from tests.support.pages import Page, hear, parts_of
from tests.support.served_box import ServedBox, open_served_box

START = {"do": "start", "players": [{"name": "Ann"}, {"name": "Ben"}], "options": {"first": "chosen"}}
# How many look at which view, in which language, and at whose seat; all of a line are one audience.
CROWD: tuple[tuple[int, View, Language, str], ...] = (
    (15, "play", "en", ""),
    (10, "play", "de", ""),
    (5, "play", "fr", ""),
    (5, "play", "en", "Ann"),
    (3, "play", "en", "Ben"),
    (4, "play", "de", "Ben"),
    (5, "wall", "en", ""),
    (3, "wall", "fr", ""),
)
WATCHERS = sum(count for count, *_ in CROWD)
Drawings = Counter[tuple[int, Audience]]


@pytest.fixture
def drawings(monkeypatch: pytest.MonkeyPatch) -> Drawings:
    """How often each snapshot is drawn for each audience."""
    counted = Drawings()

    def count(snapshot: Snapshot, audience: Audience, words: Words, pictures: TilePictures) -> TableView:
        counted[snapshot.number, audience] += 1
        return table_for(snapshot, audience, words, pictures)

    monkeypatch.setattr(drawing, "table_for", count)
    return counted


@asynccontextmanager
async def open_crowd(box: ServedBox, seats: Mapping[str, str]) -> AsyncIterator[list[ClientConnection]]:
    """All of the crowd, each with a connection of its own. seats: the token of each by its name."""
    async with AsyncExitStack() as stack:
        watchers = []
        for count, view, language, name in CROWD:
            headers = {"Accept-Language": language, "Cookie": f"{SEAT}={seats.get(name, '')}"}
            for _ in range(count):
                watching = connect(f"ws://127.0.0.1:{box.port}/live/{view}", additional_headers=headers)
                watchers.append(await stack.enter_async_context(watching))
        yield watchers


async def follow(watcher: ClientConnection, page: Page) -> None:
    """Keep the page of the table as this watcher is shown it."""
    async for told in watcher:
        hear(page, str(told))


@pytest.mark.long
async def test_fifty_watchers_are_shown_what_was_drawn_once_for_each_audience(
    tmp_path: Path, drawings: Drawings
) -> None:
    shown: list[Page] = [{} for _ in range(WATCHERS)]
    async with open_served_box(Home(tmp_path, tmp_path)) as box:
        seats = {name: await box.sit(name) for name in ("Ann", "Ben")}
        ann = replace(box.terminal, token=seats["Ann"])
        await ann.ask("POST", "/api/commands", json=START)
        await box.rest()
        async with open_crowd(box, seats) as watchers, asyncio.TaskGroup() as group:
            following = [group.create_task(follow(*each)) for each in zip(watchers, shown, strict=True)]
            for command in ({"do": "dice", "dice": [4, 5]}, {"do": "choose", "tiles": ["front-9"]}):
                (await ann.ask("POST", "/api/commands", json=command)).raise_for_status()
                await box.rest()
            last = box.snapshot.number
            for each in following:
                each.cancel()

    assert WATCHERS == 50
    assert len({tuple(sorted(parts_of(each).items())) for each in shown}) == len(CROWD)
    assert len([audience for number, audience in drawings if number == last]) == len(CROWD)
    assert set(drawings.values()) == {1}
