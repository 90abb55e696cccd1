"""Several clients at one daemon: who acts for another, late, twice or out of turn is refused with the state.

What comes of it when answers are lost and daemons started again: tests/controller/bench/clients.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from controller.referee.referee import Referee
from controller.web.app import make_app
from controller.web.security.principal import LocalApp
from tests.support.tables import open_table_rig, until

START = {
    "do": "start",
    "players": [{"name": "Ann"}, {"name": "Bob"}],
    "options": {"first": "chosen"},
    "key": "start-the-game",
}
EMPTY: dict[str, str] = {}


@asynccontextmanager
async def door_of(referee: Referee) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=LocalApp(make_app(referee)))
    async with httpx.AsyncClient(transport=transport, base_url="http://box") as client:
        yield client


async def seat(client: httpx.AsyncClient, *names: str, role: str = "player", door: str = "terminal") -> dict[str, str]:
    """The header of somebody who has sat down."""
    ticket = await client.post("/api/seats", json={"names": names, "door": door, "role": role})
    assert ticket.status_code == 200, ticket.text
    return {"Authorization": f"Bearer {ticket.json()['token']}"}


async def test_thirty_attempts_to_act_for_another_late_twice_or_out_of_turn_are_refused_with_the_state(
    tmp_path: Path,
) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee, door_of(referee) as client:
        ann, bob = await seat(client, "Ann"), await seat(client, "Bob")
        watcher, operator = await seat(client, role="spectator"), await seat(client, role="operator")
        assert (await client.post("/api/commands", json=START, headers=ann)).status_code == 200
        waiting = await until(referee, "awaiting_throw")
        refused = 0

        async def refuse(header: Mapping[str, str], status: int, **command: object) -> None:
            nonlocal refused
            before = referee.snapshot.event
            answer = await client.post("/api/commands", json=command, headers=header)
            assert (answer.status_code, referee.snapshot.event) == (status, before), answer.text
            assert answer.json()["state"]["event"] == before
            refused += 1

        others = (bob, watcher, operator, EMPTY)
        for header in others:
            await refuse(header, 403, do="roll")
            await refuse(header, 403, do="dice", dice=[5, 3])
        for late in ({"game_id": 7}, {"event": waiting.event - 1}, {"game_id": waiting.game_id, "event": 99}):
            await refuse(ann, 409, do="dice", dice=[5, 3], **late)
        for out_of_turn in ("accept", "undo", "go_on", "try_again"):
            await refuse(ann, 409, do=out_of_turn)
        await refuse(ann, 409, do="choose", tiles=["front-8"])
        meant = {"game_id": waiting.game_id, "event": waiting.event}
        thrown = {"do": "dice", "dice": [5, 3], "key": "five and three", **meant}
        assert (await client.post("/api/commands", json=thrown, headers=ann)).json()["throw"] == [3, 5]
        await refuse(ann, 409, do="dice", dice=[5, 3], **meant)
        for header in others:
            await refuse(header, 403, do="choose", tiles=["front-8"])
            await refuse(header, 403, do="correct", dice=[1, 1])
        for _ in range(5):
            await refuse(bob, 403, do="choose", tiles=["front-5", "front-3"])
        again = await client.post("/api/commands", json=thrown, headers=ann)
        assert (again.status_code, again.json()["event"]) == (200, waiting.event + 1)
        assert refused >= 30
        strange = await client.post("/api/commands", json={"do": "park"}, headers={"Authorization": "Bearer nobody's"})
        assert (strange.status_code, strange.json()["code"]) == (401, "C-320")


async def test_a_key_is_one_clients_and_for_one_command(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee, door_of(referee) as client:
        ann, bob = await seat(client, "Ann"), await seat(client, "Bob")
        assert (await client.post("/api/commands", json=START, headers=ann)).status_code == 200
        await until(referee, "awaiting_throw")

        async def ask(header: Mapping[str, str], **command: object) -> httpx.Response:
            return await client.post("/api/commands", json={**command, "key": "number 1"}, headers=header)

        thrown = await ask(ann, do="dice", dice=[1, 2])
        for header in (ann, bob):
            refused = await ask(header, do="choose", tiles=["front-3"])
            expected = (422, "C-322") if header is ann else (403, "C-318")
            assert (refused.status_code, refused.json()["code"]) == expected
        assert referee.snapshot.event == thrown.json()["event"]
        # The key is also free for those at this computer who have not sat down, who pause.
        assert (await ask(EMPTY, do="park")).json()["phase"] == "parked"
        assert (await ask(bob, do="go_on")).status_code == 200
