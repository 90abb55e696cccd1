"""What is sent to pages: of each moment what has changed, nothing if nothing has, and compressed where that pays."""

import asyncio
import json
import re
from contextlib import AsyncExitStack
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from websockets.asyncio.client import connect, unix_connect

from controller.game.table.snapshot import Snapshot
from controller.runtime.home import Home
from controller.runtime.threads import run_in_background
from controller.web.pages import play
from controller.web.pages.page import ensure_compiled
from controller.web.pages.table.audience import Audience, View
from controller.web.pages.table.parts import NOTHING, DrawnParts
from tests.controller.game.shutbox.test_actions import MOMENTS
from tests.controller.web.pages.table.test_parts import CALLERS, snapshot_at
from tests.support.pages import Page, hear, parts_of
from tests.support.served_box import ServedBox, open_served_box
from tests.support.together import together

if TYPE_CHECKING:
    from fastapi import WebSocket

PLAYERS = Audience("play", "en", CALLERS["who plays for all"])
START = {"do": "start", "game": "pub", "players": [{"name": "Ann"}], "options": {"first": "chosen"}}
VIEWS: tuple[View, ...] = ("play", "wall", "start", "join")
MOST_BYTES_A_MESSAGE = 1300


@together("moment", MOMENTS)
def test_from_every_moment_a_page_comes_to_show_every_other(moment: str) -> None:
    drawn = DrawnParts()
    before = drawn.shown(snapshot_at(moment), PLAYERS)
    for other in MOMENTS:
        page: Page = {}
        hear(page, before.since(NOTHING) or "")
        after = drawn.shown(snapshot_at(other), PLAYERS)
        if told := after.since(before):
            hear(page, told)
        assert parts_of(page) == after.parts, other


def test_of_a_moment_that_differs_by_its_number_alone_nothing_is_told() -> None:
    drawn, snapshot = DrawnParts(), snapshot_at("tiles are chosen")
    shown = drawn.shown(snapshot, PLAYERS)

    assert drawn.shown(replace(snapshot, number=snapshot.number + 1), PLAYERS).since(shown) is None
    # Commands are meant for an event, and a card may lose one.
    changes: list[dict[str, Any]] = [{"event": 9}, {"game_id": 4}, {"seen": "sealed"}, {"daemon": "another"}]
    for change in changes:
        told = drawn.shown(replace(snapshot, **change), PLAYERS).since(shown) or ""
        assert json.loads(told).items() >= change.items()


def test_what_is_told_is_put_into_words_once_for_all_who_show_the_same() -> None:
    drawn = DrawnParts()
    before, after = (drawn.shown(snapshot_at(each), PLAYERS) for each in ("a throw is awaited", "tiles are chosen"))

    assert after.since(before) is after.since(before)


class Socket:
    """A page that is connected, and shows what it is told; it takes nothing more before `goes_on`."""

    def __init__(self) -> None:
        self.page: Page = {}
        self.told = 0
        self.goes_on = asyncio.Event()
        self.cookies: dict[str, str] = {}
        self.headers: dict[str, str] = {}

    async def send_text(self, text: str) -> None:
        hear(self.page, text)
        self.told += 1
        await self.goes_on.wait()


async def test_a_watcher_who_missed_moments_ends_with_the_same_page(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = DrawnParts()
    monkeypatch.setattr(play, "drawn_of", lambda _socket: drawn)
    monkeypatch.setattr(play, "principal_of", lambda _socket: None)
    monkeypatch.setattr(play, "audience_of", lambda _socket, _visitor, _view: PLAYERS)
    quick, slow = Socket(), Socket()
    quick.goes_on.set()
    for_quick, for_slow = asyncio.Queue[Snapshot](), asyncio.Queue[Snapshot]()

    async def settle() -> None:
        for _ in range(10):
            await asyncio.sleep(0)

    await ensure_compiled()
    async with (
        run_in_background(play._send_all(for_quick, cast("WebSocket", quick), "play")),
        run_in_background(play._send_all(for_slow, cast("WebSocket", slow), "play")),
    ):
        for number, moment in enumerate(MOMENTS):
            snapshot = replace(snapshot_at(moment), number=number)
            for_slow.put_nowait(snapshot)
            for_quick.put_nowait(snapshot)
            await settle()
        slow.goes_on.set()
        await settle()

    assert slow.told == 2 < quick.told
    assert parts_of(slow.page) == parts_of(quick.page) == drawn.of(snapshot, PLAYERS)


async def play_to_the_end(box: ServedBox) -> None:
    while (now := box.snapshot).phase != "ended":
        kinds = {action.kind for action in now.actions}
        do = next(kind for kind in ("choose", "accept", "roll", "dice") if kind in kinds)
        more: dict[str, Any] = {"tiles": now.moves[0]} if do == "choose" else {"dice": [3, 5]} if do == "dice" else {}
        (await box.terminal.ask("POST", "/api/commands", json={"do": do, **more})).raise_for_status()
        await box.rest()


async def test_in_a_whole_game_no_message_is_empty_and_few_are_heavy(tmp_path: Path) -> None:
    told: dict[View, list[str]] = {view: [] for view in VIEWS}

    async def listen(box: ServedBox, view: View) -> None:
        async with connect(f"ws://127.0.0.1:{box.port}/live/{view}", compression=None) as watcher:
            async for message in watcher:
                told[view].append(str(message))

    async with open_served_box(Home(tmp_path, tmp_path)) as box, AsyncExitStack() as stack:
        for view in VIEWS:
            await stack.enter_async_context(run_in_background(listen(box, view)))
        (await box.terminal.ask("POST", "/api/commands", json=START)).raise_for_status()
        await box.rest()
        await play_to_the_end(box)

    for view, messages in told.items():
        page: Page = {}
        shown: list[dict[str, object]] = []
        for message in messages:
            before = parts_of(page)
            heard = hear(page, message)
            state = {name: heard[name] for name in ("daemon", "game_id", "event", "seen")}
            shown.append({**state, "parts": parts_of(page)})
            assert set(heard["parts"]) == {name for name, part in parts_of(page).items() if before.get(name) != part}
        assert len(messages) > 1, view
        assert all(earlier != later for earlier, later in pairwise(shown)), view
        assert sum(len(each.encode()) for each in messages) <= MOST_BYTES_A_MESSAGE * len(messages), view


async def test_pages_and_what_they_load_are_compressed_and_answers_with_secrets_are_not(tmp_path: Path) -> None:
    async with open_served_box(Home(tmp_path, tmp_path)) as box:
        (await box.terminal.ask("POST", "/api/commands", json=START)).raise_for_status()
        door = next(each for each in await box.doors() if each.name == "network, player")
        [static] = set(re.findall(r"/static/\w+/", (await door.ask("GET", "/play")).text))
        small = f"{static}you.js"
        for path, is_packed in (
            ("/play", True),
            (f"{static}base.css", True),
            (f"{static}play.js", True),
            (small, False),
            ("/api/state", False),
        ):
            packed = await door.ask("GET", path, {"Accept-Encoding": "gzip"})
            plain = await door.ask("GET", path, {"Accept-Encoding": "identity"})
            assert packed.content == plain.content, path
            assert len(plain.content) > 1000 or path == small
            assert packed.headers.get("content-encoding") == ("gzip" if is_packed else None), path
            assert "content-encoding" not in plain.headers
            if is_packed:
                assert 2 * int(packed.headers["content-length"]) < len(plain.content)
                assert packed.headers["cache-control"] == plain.headers["cache-control"]


async def test_the_network_is_told_in_short_what_a_computer_tells_itself_in_full(tmp_path: Path) -> None:
    async with open_served_box(Home(tmp_path, tmp_path)) as box:
        async with connect(f"ws://127.0.0.1:{box.port}/live/play") as outside:
            assert [each.name for each in outside.protocol.extensions] == ["permessage-deflate"]
            told = hear({}, str(await outside.recv()))
        async with connect(f"ws://127.0.0.1:{box.port}/live/play", compression=None) as plain:
            assert not plain.protocol.extensions
            assert hear({}, str(await plain.recv())) == told
        async with unix_connect(str(Home(tmp_path, tmp_path).socket), "ws://localhost/live/play") as inside:
            assert not inside.protocol.extensions
