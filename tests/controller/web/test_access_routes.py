"""Who becomes what over the network, and what each may: every route for every role, at the box and away from it."""

import asyncio
import itertools
import json
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import httpx
import pytest

from controller.access import pin as pins
from controller.access.access import PAIRING_S, Access
from controller.game.core.actions import Role
from controller.game.core.commands import Abandon, StartGame
from controller.game.core.players import Player
from controller.referee.panel import serve_panel
from controller.referee.referee import Referee
from controller.referee.seats import GONE_S
from controller.runtime.threads import run_in_background
from controller.web.app import make_app
from controller.web.roles import LEAST, WEBSOCKET, Least, reaches
from controller.web.security.principal import LocalApp
from tests.support.hand_clock import HandClock
from tests.support.tables import TableRig, open_table_rig

PIN = "402817"
DEEDS = "/api/simulated/deeds"
NETWORK = ("192.168.1.20", 50000)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pins, "_COST", 16)
    monkeypatch.setattr(pins, "_PASSES", 1)


@dataclass(frozen=True)
class Door:
    """A table as it is seen from the network, and at the box's own terminal."""

    table: TableRig
    referee: Referee
    access: Access
    network: httpx.AsyncClient
    terminal: httpx.AsyncClient
    clock: HandClock

    async def operator(self, name: str = "Ann's phone") -> dict[str, str]:
        """The headers of an operator's device."""
        token, _ = self.access.begin_pairing(name)
        await self.access.confirm_held(0)
        return bearer(token)

    async def let_pass(self, seconds: float) -> None:
        """Let time pass for the table, and for who keeps the PIN and the pairings."""
        await asyncio.sleep(seconds)
        self.clock.pass_s(seconds)

    async def hold_button(self, seconds: float) -> None:
        """A finger holds the button of the box, and leaves it."""
        self.table.world.press_button(seconds)
        for _ in range(10):
            await self.let_pass(seconds / 5)

    async def headers(self, role: Least) -> dict[str, str]:
        """The headers of somebody of this role who comes from the network."""
        if role == "operator":
            return await self.operator()
        return await self.player() if role == "player" else {}

    async def player(self, *names: str) -> dict[str, str]:
        """The headers of somebody who has sat down with the code."""
        code = (await self.access.code()).typed
        ticket = await self.network.post("/api/seats", json={"names": names, "code": code})
        return bearer(ticket.json()["token"])


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@asynccontextmanager
async def door(folder: Path) -> AsyncIterator[Door]:
    async with open_table_rig(folder) as table, table.referee() as referee:
        clock = HandClock()
        access = Access(now_s=clock)
        access.announce = referee.announce
        app = make_app(referee, access=access)
        away, here = httpx.ASGITransport(app, client=NETWORK), httpx.ASGITransport(LocalApp(app))
        async with (
            httpx.AsyncClient(transport=away, base_url="http://box") as network,
            httpx.AsyncClient(transport=here, base_url="http://box") as terminal,
        ):
            yield Door(table, referee, access, network, terminal, clock)


ROUTES = sorted(address for address in LEAST if address[0] != WEBSOCKET)


@pytest.mark.parametrize("role", [*get_args(Role), "terminal"])
async def test_every_route_is_for_those_of_the_table_and_for_nobody_else(tmp_path: Path, role: Least) -> None:
    """Asked without a body, and so as if by mistake: who is let in hears of that, who is not of his role."""
    async with door(tmp_path) as box:
        client = box.terminal if role == "terminal" else box.network
        told = []
        for method, path in ROUTES:
            await box.access.revoke_all()
            headers = await box.headers(role)
            answer = await client.request(method, path.replace("{number}", "99"), headers=headers)
            is_refused = answer.status_code == 403 and answer.json()["code"] == "C-318"
            if is_refused == reaches(role, LEAST[method, path]):
                told.append((method, path, answer.status_code))
        assert told == []
        assert box.referee.snapshot.event == 0


async def test_who_says_the_pin_is_an_operator_by_token_and_by_cookie(tmp_path: Path) -> None:
    async with door(tmp_path) as box:
        assert (await box.terminal.put("/api/access/pin", json={"pin": PIN})).status_code == 204
        assert (await box.network.get("/api/access/devices")).status_code == 403
        entered = await box.network.post("/api/access/pin", json={"pin": PIN, "name": "Ann's phone"})
        by_cookie = (await box.network.get("/api/access/me")).json()
        box.network.cookies.clear()
        by_token = (await box.network.get("/api/access/me", headers=bearer(entered.json()["token"]))).json()
        nobody = (await box.network.get("/api/access/me")).json()

    assert by_cookie == by_token
    assert (by_token["role"], by_token["device"]["name"], by_token["is_local"]) == ("operator", "Ann's phone", False)
    assert (nobody["role"], nobody["device"]) == ("spectator", None)
    flags = [flag.strip().lower() for flag in entered.headers["Set-Cookie"].split(";")]
    assert {"httponly", "samesite=strict", "path=/"} <= set(flags)


async def test_a_guesser_is_told_to_wait_and_the_table_hears_of_him(tmp_path: Path) -> None:
    async with door(tmp_path) as box:
        await box.access.set_pin(PIN)
        answers = [
            await box.network.post("/api/access/pin", json={"pin": f"11111{last}", "name": "Eve"}) for last in range(7)
        ]
        right = await box.network.post("/api/access/pin", json={"pin": PIN, "name": "Eve"})
        await box.terminal.delete("/api/access/pin/tries")
        notice = box.referee.snapshot.notice

    assert [answer.status_code for answer in answers] == [403] * 5 + [429] * 2
    assert (right.status_code, right.headers["Retry-After"], right.json()["code"]) == (429, "120", "C-374")
    assert notice == "Somebody in the network has tried 5 wrong PINs at this box."


async def test_an_operator_sets_no_pin_and_confirms_no_pairing_from_away(tmp_path: Path) -> None:
    async with door(tmp_path) as box:
        operator = await box.operator()
        _, waiting = box.access.begin_pairing("Eve")
        asked = {"number": waiting.number}
        for refused in (
            await box.network.put("/api/access/pin", json={"pin": PIN}, headers=operator),
            await box.network.post("/api/access/pairings/confirmed", json=asked, headers=operator),
        ):
            assert refused.status_code == 403
            assert "the box's own terminal" in refused.json()["error"]
        assert (await box.access.pin()).is_set is False
        assert (await box.terminal.post("/api/access/pairings/confirmed", json=asked)).json() == {"name": "Eve"}


async def test_a_device_that_waits_is_nobody_until_somebody_at_the_box_agrees(tmp_path: Path) -> None:
    async with door(tmp_path) as box:
        begun = (await box.network.post("/api/access/pairings", json={"name": "Ann's phone"})).json()
        box.network.cookies.clear()
        headers = bearer(begun["token"])
        waits = (await box.network.get("/api/access/me", headers=headers)).json()
        other = await box.network.post("/api/access/pairings", json={"name": "Eve"})
        notice = box.referee.snapshot.notice
        assert (await box.network.get("/api/access/devices", headers=headers)).status_code == 403
        await box.terminal.post("/api/access/pairings/confirmed", json={"number": begun["pairing"]["number"]})
        agreed = (await box.network.get("/api/access/me", headers=headers)).json()

    assert (waits["role"], waits["pairing"]) == ("spectator", begun["pairing"])
    assert (other.status_code, other.json()["code"]) == (409, "C-375")
    assert "Ann's phone wants to be an operator's device" in notice
    assert (agreed["role"], agreed["pairing"]) == ("operator", None)


async def test_the_button_held_for_five_seconds_agrees_and_a_pause_does_not(tmp_path: Path) -> None:
    async with door(tmp_path) as box:
        panel = box.table.table.firmware.panel
        async with run_in_background(serve_panel(panel, box.referee, box.access.confirm_held)):
            token, _ = box.access.begin_pairing("Ann's phone")
            await box.hold_button(4.5)
            assert box.access.device_of(token) is None
            await box.hold_button(5.5)
            assert box.access.device_of(token) is not None
            await box.hold_button(5.5)  # nobody waits: that is no mistake


async def test_the_button_agrees_to_the_device_that_waited_when_it_went_down_and_to_no_other(tmp_path: Path) -> None:
    async with door(tmp_path) as box:
        panel = box.table.table.firmware.panel
        async with run_in_background(serve_panel(panel, box.referee, box.access.confirm_held)):
            ann, _ = box.access.begin_pairing("Ann's phone")
            box.clock.pass_s(PAIRING_S - 1)
            box.table.world.press_button(6)
            await box.let_pass(2)
            eve, _ = box.access.begin_pairing("Eve")
            await box.let_pass(5)
            assert [box.access.device_of(token) for token in (ann, eve)] == [None, None]
            await box.hold_button(5.5)
            assert box.access.device_of(eve) is not None, "she waited when it went down again"


@pytest.mark.parametrize("role", ["player", "operator"])
async def test_no_hand_from_away_says_yes_to_a_pairing_by_the_button_of_a_simulated_box(
    tmp_path: Path, role: Least
) -> None:
    async with door(tmp_path) as box:
        headers, press = await box.headers(role), {"do": "press", "seconds": 0.2}
        for seconds, status in ((0.2, 200), (2, 200), (2.1, 403), (7, 403)):
            answer = await box.network.post(DEEDS, json={**press, "seconds": seconds}, headers=headers)
            assert answer.status_code == status
        box.access.begin_pairing("Eve")
        refused = await box.network.post(DEEDS, json=press, headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (403, "C-318")
        assert "shutbox pair NUMBER" in refused.json()["error"]
        look = await box.network.post(DEEDS, json={"do": "look"}, headers=headers)
        assert look.status_code == 200
        assert (await box.terminal.post(DEEDS, json={**press, "seconds": 7})).status_code == 200


async def test_a_revoked_device_is_nobody_at_once(tmp_path: Path) -> None:
    async with door(tmp_path) as box:
        first, second = await box.operator("Ann's phone"), await box.operator("Bob's phone")
        [ann, _] = (await box.network.get("/api/access/devices", headers=second)).json()
        assert (await box.network.delete(f"/api/access/devices/{ann['number']}", headers=second)).status_code == 204
        gone = await box.network.get("/api/access/me", headers=first)
        assert (gone.status_code, gone.json()["code"]) == (401, "C-320")
        assert (await box.network.delete("/api/access/me", headers=second)).status_code == 204
        assert (await box.network.get("/api/access/devices", headers=second)).status_code == 401
        assert (await box.terminal.delete("/api/access/devices/7")).status_code == 404


@pytest.mark.parametrize("address", ["/api/access/devices/{number}", "/api/access/devices"])
async def test_who_sat_down_by_a_device_that_is_revoked_sits_there_no_more(tmp_path: Path, address: str) -> None:
    async with door(tmp_path) as box:
        ann = await box.operator("Ann's phone")
        [device] = (await box.network.get("/api/access/devices", headers=ann)).json()
        seats = []
        for names in (["Ann"], []):
            ticket = (await box.network.post("/api/seats", json={"names": names}, headers=ann)).json()
            seats.append({"Authorization": f"Bearer {ticket['token']}"})
        bob = await box.player("Bob")
        assert (await box.network.get("/api/access/me", headers=seats[0])).json()["role"] == "player"
        assert (await box.terminal.delete(address.format(number=device["number"]))).status_code == 204
        for seat in seats:
            assert (await box.network.get("/api/access/me", headers=seat)).status_code == 401
        assert (await box.network.get("/api/access/me", headers=bob)).json()["role"] == "player"


@pytest.mark.parametrize("role", ["player", "spectator"])
async def test_nobody_sits_down_from_the_network_without_the_code(tmp_path: Path, role: Role) -> None:
    async with door(tmp_path) as box:
        code = (await box.terminal.get("/api/access/code")).json()
        for asked in ({}, {"code": ""}, {"code": "222222"}):
            refused = await box.network.post("/api/seats", json={"role": role, **asked})
            assert (refused.status_code, refused.json()["code"]) == (403, "C-373")
        for said in (code["typed"], code["link"]):
            ticket = await box.network.post("/api/seats", json={"role": role, "code": said})
            assert ticket.json()["role"] == role
        assert (await box.terminal.post("/api/seats", json={})).status_code == 200


async def test_who_sits_at_the_table_invites_others_and_moves_to_other_seats_without_a_code(tmp_path: Path) -> None:
    async with door(tmp_path) as box:
        bob = await box.player("Bob")
        assert (await box.network.get("/api/access/code", headers=bob)).status_code == 200
        moved = await box.network.post("/api/seats", json={"names": ["Ann"]}, headers=bob)
        assert moved.json()["names"] == ["Ann"]
        await box.referee.ask(StartGame((Player("Ann"),)))
        assert (await box.network.post("/api/commands", json={"do": "park"}, headers=bob)).status_code == 200


async def test_who_came_in_by_a_code_stays_for_the_next_game_until_he_has_gone_home(tmp_path: Path) -> None:
    async with door(tmp_path) as box:
        guest, bea = await box.player(), await box.player("Bea")
        for _ in range(2):
            await box.referee.ask(StartGame((Player("Ann"),)))
            await box.referee.ask(Abandon())
        assert (await box.network.post("/api/seats", json={"names": ["Cid"]}, headers=guest)).status_code == 200
        await asyncio.sleep(GONE_S - 1)
        assert (await box.network.get("/api/access/me", headers=guest)).json()["names"] == ["Cid"]
        await asyncio.sleep(2)
        gone = await box.network.post("/api/seats", json={"names": ["Dan"]}, headers=bea)
        assert (gone.status_code, gone.json()["code"]) == (401, "C-320")
        assert (await box.network.post("/api/seats", json={"names": ["Bea"]}, headers=guest)).status_code == 200


async def test_a_new_code_shuts_out_who_came_in_by_the_old_one_and_holds_no_seat(tmp_path: Path) -> None:
    async with door(tmp_path) as box:
        guest, bea = await box.player(), await box.player("Bea")
        here = bearer((await box.terminal.post("/api/seats", json={})).json()["token"])
        assert (await box.terminal.delete("/api/access/code")).status_code == 200
        told = [(await box.network.get("/api/access/code", headers=each)).status_code for each in (guest, bea, here)]

    assert told == [401, 200, 200]


@pytest.mark.parametrize("code", ["right", "wrong"])
async def test_nobody_makes_himself_an_operator_by_saying_so(tmp_path: Path, code: str) -> None:
    async with door(tmp_path) as box:
        said = (await box.access.code()).typed if code == "right" else "222222"
        refused = await box.network.post("/api/seats", json={"role": "operator", "code": said})
        bob = await box.network.post("/api/seats", json={"role": "operator", "code": said}, headers=await box.player())

    assert (refused.status_code, bob.status_code) == (403, 403)
    assert refused.json()["error"] == "nobody sits down as an operator; say the PIN of this box, or pair this device"


async def test_what_an_operator_sat_down_as_is_worth_nothing_without_his_device(tmp_path: Path) -> None:
    async with door(tmp_path) as box:
        ticket = await box.terminal.post("/api/seats", json={"role": "operator"})
        headers = bearer(ticket.json()["token"])
        me = (await box.network.get("/api/access/me", headers=headers)).json()
        park = await box.network.post("/api/commands", json={"do": "park"}, headers=headers)

    assert (me["role"], park.status_code) == ("spectator", 403)


async def test_an_operator_without_a_seat_plays_for_nobody(tmp_path: Path) -> None:
    async with door(tmp_path) as box:
        operator = await box.operator()
        await box.referee.ask(StartGame((Player("Ann"),)))
        park = await box.network.post("/api/commands", json={"do": "park"}, headers=operator)
        await box.terminal.post("/api/commands", json={"do": "go_on"})
        dice = await box.network.post("/api/commands", json={"do": "dice", "dice": [5, 3]}, headers=operator)

    assert park.json()["phase"] == "parked"
    assert dice.status_code in (403, 409)


async def test_a_page_keeps_its_seat_in_a_cookie_and_one_that_is_gone_is_nobody_s(tmp_path: Path) -> None:
    async with door(tmp_path) as box:
        code = (await box.access.code()).typed
        sat = await box.network.post("/api/seats", json={"names": ["Ann"], "door": "page", "code": code})
        here = (await box.network.get("/api/access/me")).json()
        kept = box.network.cookies["shutbox-seat"]
        left = await box.network.delete("/api/seats")
        box.network.cookies.set("shutbox-seat", kept)
        gone = await box.network.get("/api/access/me")

    assert "HttpOnly" in sat.headers["Set-Cookie"]
    assert (here["role"], here["names"]) == ("player", ["Ann"])
    assert left.status_code == 204
    assert 'shutbox-seat=""' in left.headers["Set-Cookie"]
    assert (gone.status_code, gone.json()["role"]) == (200, "spectator")


async def test_a_guesser_of_codes_locks_nobody_out_who_has_the_code(tmp_path: Path) -> None:
    async with door(tmp_path) as box:
        statuses = [(await box.network.post("/api/seats", json={"code": "222222"})).status_code for _ in range(70)]
        right = {"code": (await box.access.code()).typed}
        assert [status for status, _ in itertools.groupby(statuses)] == [403, 429]
        app = make_app(box.referee, access=box.access)
        other = httpx.ASGITransport(app, client=("192.168.1.21", 50000))
        async with httpx.AsyncClient(transport=other, base_url="http://box") as phone:
            assert (await phone.post("/api/seats", json=right)).status_code == 200


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/access/pin", {"pin": PIN}),
        ("/api/access/pin", {"pin": PIN, "name": ""}),
        ("/api/access/pin", {"pin": "1" * 65, "name": "Ann"}),
        ("/api/access/pin", {"pin": "\ud800", "name": "Ann"}),
        ("/api/access/pin", {"pin": PIN, "name": "Ann\x1b"}),
        ("/api/access/pairings", {"name": "A" * 25}),
        ("/api/access/pairings", {"name": "Ann", "role": "operator"}),
    ],
)
async def test_what_cannot_be_is_refused_and_costs_no_try(tmp_path: Path, path: str, body: dict[str, str]) -> None:
    async with door(tmp_path) as box:
        await box.access.set_pin(PIN)
        sent = await box.network.post(path, content=json.dumps(body), headers={"Content-Type": "application/json"})
        assert sent.status_code == 422
        assert (await box.access.pin()).wrong == 0
        assert box.access.waiting is None


async def test_no_token_pin_or_code_comes_into_the_log_or_the_journal(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        async with door(tmp_path) as box:
            await box.access.set_pin(PIN)
            entered = await box.network.post("/api/access/pin", json={"pin": PIN, "name": "Ann's phone"})
            await box.network.post("/api/access/pin", json={"pin": "402818", "name": "Eve"})
            code = await box.access.code()
            bob = await box.player("Bob")
            secrets = [PIN, "402818", entered.json()["token"], code.typed, code.link, bob["Authorization"].split()[1]]
            written = b"".join(_files(tmp_path))

    assert "wrong PIN" in caplog.text
    assert [secret for secret in secrets if secret in caplog.text or secret.encode() in written] == []


def _files(folder: Path) -> Iterator[bytes]:
    return (path.read_bytes() for path in folder.rglob("*") if path.is_file())
