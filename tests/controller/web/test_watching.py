"""Whoever listens on a WebSocket is sent away as soon as what he has shown there is good no more."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from controller.settings import Home
from controller.web.cookies import OPERATOR, SEAT
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
@pytest.mark.parametrize("address", ["/api/access/devices", "/api/access/devices/1", "/api/access/me"])
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
