"""Whoever listens on a WebSocket is sent away as soon as what he has shown there is good no more."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from controller.runtime.home import Home
from controller.web.security.principal import OPERATOR, SEAT
from tests.support.homes import files_of_journal, go_back_to
from tests.support.long import long_but_every
from tests.support.served_box import ServedBox, open_served_box

_PATIENCE_S = 120.0  # on the jumping clock; longer than a device waits to be paired
PATHS = ("/api/snapshots", "/live/play", "/live/wall")


def listen(box: ServedBox, path: str, headers: Mapping[str, str]) -> connect:
    return connect(f"ws://127.0.0.1:{box.port}{path}", additional_headers=headers)


def bearer(token: str) -> Mapping[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def hear_the_end(watcher: ClientConnection) -> int | None:
    """The code with which the box closes this connection."""
    async with asyncio.timeout(_PATIENCE_S):
        with suppress(ConnectionClosed):
            while True:
                await watcher.recv()
    return watcher.close_code


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("shown", ["bearer", "cookie"])
@pytest.mark.parametrize(
    "address", long_but_every(3, ["/api/access/devices/1", "/api/access/devices", "/api/access/me"])
)
async def test_an_operators_device_that_is_revoked_hears_no_more(
    tmp_path: Path, path: str, shown: str, address: str
) -> None:
    async with open_served_box(Home(tmp_path, tmp_path)) as box:
        token = await box.become_operator()
        headers = bearer(token) if shown == "bearer" else {"Cookie": f"{OPERATOR}={token}"}
        async with listen(box, path, headers) as watcher, listen(box, path, {}) as other:
            await watcher.recv()
            who = bearer(token) if address == "/api/access/me" else {}
            (await box.terminal.ask("DELETE", address, dict(who))).raise_for_status()
            assert await hear_the_end(watcher) == 1008
            await other.recv()
            assert other.close_code is None


@pytest.mark.parametrize("path", PATHS)
async def test_a_seat_that_is_given_back_hears_no_more(tmp_path: Path, path: str) -> None:
    async with open_served_box(Home(tmp_path, tmp_path)) as box:
        token, stays = await box.sit("Ann"), await box.sit("Ben")
        async with listen(box, path, bearer(token)) as watcher, listen(box, path, bearer(stays)) as other:
            (await box.terminal.ask("DELETE", "/api/seats", dict(bearer(token)))).raise_for_status()
            assert await hear_the_end(watcher) == 1008
            await other.recv()
            assert other.close_code is None


async def test_a_page_whose_seat_is_given_back_looks_on_as_anybody_does(tmp_path: Path) -> None:
    async with open_served_box(Home(tmp_path, tmp_path)) as box:
        token = await box.sit("Ann")
        async with listen(box, "/live/play", {"Cookie": f"{SEAT}={token}"}) as watcher:
            (await box.terminal.ask("DELETE", "/api/seats", dict(bearer(token)))).raise_for_status()
            await box.sit("Ben")
            await box.rest()
            assert watcher.close_code is None


async def test_who_waits_to_be_paired_in_vain_hears_no_more(tmp_path: Path) -> None:
    async with open_served_box(Home(tmp_path, tmp_path)) as box:
        begun = (await box.terminal.ask("POST", "/api/access/pairings", json={"name": "phone"})).json()
        async with listen(box, "/api/snapshots", bearer(begun["token"])) as watcher:
            assert await hear_the_end(watcher) == 1008


async def test_who_is_paired_listens_on(tmp_path: Path) -> None:
    async with open_served_box(Home(tmp_path, tmp_path)) as box:
        begun = (await box.terminal.ask("POST", "/api/access/pairings", json={"name": "phone"})).json()
        async with listen(box, "/api/snapshots", bearer(begun["token"])) as watcher:
            number = {"number": begun["pairing"]["number"]}
            (await box.terminal.ask("POST", "/api/access/pairings/confirmed", json=number)).raise_for_status()
            await box.rest(for_s=90)
            assert watcher.close_code is None


async def test_without_a_pin_who_is_an_operator_listens_on(tmp_path: Path) -> None:
    async with open_served_box(Home(tmp_path, tmp_path)) as box:
        token = await box.become_operator()
        async with listen(box, "/api/snapshots", bearer(token)) as watcher:
            (await box.terminal.ask("DELETE", "/api/access/pin")).raise_for_status()
            await box.rest()
            assert watcher.close_code is None


async def test_a_screen_on_the_wall_with_a_token_of_nobodys_is_refused(tmp_path: Path) -> None:
    async with open_served_box(Home(tmp_path, tmp_path)) as box:
        with pytest.raises(InvalidStatus) as refused:
            async with listen(box, "/live/wall", bearer("nobodys")):
                pass
    assert refused.value.response.status_code == 401


async def heard(box: ServedBox, path: str, seen: str) -> Mapping[str, Any]:
    """The first that somebody is told who shows what he has seen."""
    async with listen(box, f"{path}?seen={seen}", {}) as watcher:
        told: Mapping[str, Any] = json.loads(await watcher.recv())
        return told


async def start_game(box: ServedBox) -> None:
    order = {"do": "start", "game": "two-level", "players": [{"name": "Ann"}]}
    (await box.terminal.ask("POST", "/api/commands", json=order)).raise_for_status()
    await box.rest()


@pytest.mark.parametrize("path", ["/api/snapshots", "/live/play", "/live/wall"])
async def test_a_device_that_comes_back_is_a_witness_of_what_the_memory_card_has_lost(
    tmp_path: Path, path: str
) -> None:
    """The card goes back to an earlier moment altogether: nothing on it tells of that."""
    home = Home(tmp_path, tmp_path)
    async with open_served_box(home):
        pass  # a box that was there before
    before = files_of_journal(tmp_path)
    async with open_served_box(home) as box:
        await start_game(box)
        seen = str((await heard(box, path, ""))["seen"])
    go_back_to(tmp_path, before)
    async with open_served_box(home) as box:
        assert box.snapshot.notice == ""
        await heard(box, path, seen)
        assert "has lost the last game" in box.snapshot.notice
        await start_game(box)
        assert box.snapshot.notice == ""
        await heard(box, path, seen)
        assert box.snapshot.notice == "", "it is told once"


@pytest.mark.parametrize("end", ["", "x", ".2"])
async def test_who_makes_a_loss_up_is_not_believed_and_who_has_seen_what_is_kept_says_nothing(
    tmp_path: Path, end: str
) -> None:
    home = Home(tmp_path, tmp_path)
    async with open_served_box(home) as box:
        await start_game(box)
        seen = box.snapshot.seen
        game, event, rest = seen.split(".", 2)
        later = f"{game}.{int(event) + 5}.{rest}{end}"
    async with open_served_box(home) as box:
        for shown in (seen, later, "nonsense", "1.2.3", "%C3%A4.1"):
            told = await heard(box, "/api/snapshots", shown)
            assert "has lost" not in told["notice"]
            assert "has lost" not in box.snapshot.notice
