"""The box's own terminal reaches who may do what: through the daemon that runs, or in the file where none does."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from websockets.asyncio.client import connect, unix_connect
from websockets.exceptions import InvalidStatus

from controller.access import pin as pins
from controller.access.access import Access, open_access
from controller.box.choose import ChosenBox, choose_box
from controller.cli.daemon import run_daemon
from controller.errors import AccessError, DaemonRuns
from controller.game.core.commands import Abandon, StartGame
from controller.game.core.players import Player
from controller.runtime.home import Home
from controller.runtime.locks import lock
from controller.runtime.threads import run_in_background
from controller.runtime.tokens import new_token
from controller.settings import Settings
from controller.web.access_client import AccessClient, reach_access
from controller.web.app import make_app
from controller.web.client import Refused
from controller.web.server import listen, serve_terminal
from tests.support.tables import open_table_rig

PIN = "402817"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pins, "_COST", 16)
    monkeypatch.setattr(pins, "_PASSES", 1)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path, tmp_path, fixed=True)


@asynccontextmanager
async def daemon(home: Home) -> AsyncIterator[Access]:
    async with open_table_rig(home.data) as table, table.referee() as referee:
        with (
            lock(home.lock),
            open_access(home.access) as access,
            listen(home.socket) as sock,
        ):
            access.announce = referee.announce
            async with run_in_background(serve_terminal(make_app(referee, access=access), sock)):
                yield access


async def use_all(desk: Access | AccessClient) -> list[object]:
    """Everything that the terminal can do; what it hears."""
    heard: list[object] = [await desk.pin(), await desk.devices()]
    await desk.set_pin(PIN)
    heard.append(await desk.pin())
    with pytest.raises((AccessError, Refused), match="tried first"):
        await desk.set_pin("123456")
    await desk.unlock_pin()
    with pytest.raises((AccessError, Refused), match="4711 waits"):
        await desk.confirm_pairing("4711")
    with pytest.raises((AccessError, Refused), match="no device has the number 9"):
        await desk.revoke(9)
    await desk.revoke_all()
    code = await desk.code()
    assert code == await desk.code() != await desk.renew_code()
    await desk.forget_pin()
    return [*heard, await desk.pin()]


async def test_with_a_daemon_and_without_one_it_is_the_same(home: Home) -> None:
    async with reach_access(home) as desk:
        assert isinstance(desk, Access)
        alone = await use_all(desk)
    async with daemon(home), reach_access(home) as desk:
        assert isinstance(desk, AccessClient)
        assert await use_all(desk) == alone


async def test_what_was_set_before_the_daemon_starts_holds_and_the_other_way_round(home: Home) -> None:
    async with reach_access(home) as desk:
        await desk.set_pin(PIN)
        code = await desk.code()
    async with daemon(home) as access:
        token = await access.enter_pin(PIN, "Ann's phone")
        assert await access.code() == code
        async with reach_access(home) as desk:
            [device] = await desk.devices()
    async with reach_access(home) as desk:
        assert await desk.devices() == (device,)
        await desk.revoke(device.number)
    async with daemon(home) as access:
        assert access.device_of(token) is None


async def test_a_device_is_paired_at_the_terminal(home: Home) -> None:
    async with daemon(home) as access:
        token, pairing = access.begin_pairing("Ann's phone")
        async with reach_access(home) as desk:
            assert await desk.confirm_pairing(pairing.number) == "Ann's phone"
        assert access.device_of(token) is not None


async def test_nobody_writes_the_file_beside_a_daemon_that_is_starting(home: Home) -> None:
    home.make()
    with lock(home.lock), pytest.raises(DaemonRuns):
        async with reach_access(home):
            pass


async def test_an_operator_s_token_opens_the_stream_of_snapshots_and_a_stranger_s_does_not(home: Home) -> None:
    async with daemon(home) as access:
        token, _ = access.begin_pairing("Wall")
        await access.confirm_held(0)
        async with watch(home, token) as socket:
            assert "Wall is an operator's device now." in str(await socket.recv())
        with pytest.raises(InvalidStatus, match="401"):
            async with watch(home, new_token()):
                pass


def watch(home: Home, token: str) -> connect:
    headers = {"Authorization": f"Bearer {token}"}
    return unix_connect(str(home.socket), "ws://box/api/snapshots", additional_headers=headers)


def simulated(home: Home) -> ChosenBox:
    return choose_box("two-level-9", Settings(), home, mock=True, faults=(), seed=1)


async def test_the_code_stays_the_same_from_game_to_game_with_and_without_a_daemon(home: Home) -> None:
    async with run_daemon(simulated(home), home, Settings()) as referee, reach_access(home) as desk:
        before = await desk.code()
        await referee.ask(StartGame((Player("Ann"),)))
        during = await desk.code()
    async with reach_access(home) as desk:
        alone = await desk.code()
    async with run_daemon(simulated(home), home, Settings()) as referee, reach_access(home) as desk:
        resumed = await desk.code()
        await referee.ask(Abandon())
        after = await desk.code()

    assert before == during == alone == resumed == after
