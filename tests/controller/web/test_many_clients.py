"""Several clients at one daemon: who acts for another, late, twice or out of turn is refused with the state.

And whatever answers are lost, commands repeated and daemons started again: each command is done once or never, as a
second bookkeeper has it, who knows only what was sent and what was answered.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.game.events import DiceThrown, GameStarted, MoveChosen
from controller.game.snapshot import Snapshot
from controller.referee.referee import Referee
from controller.web.api import make_app
from tests.support.tables import TableRig, open_table_rig, until

START = {
    "do": "start",
    "players": [{"name": "Ann"}, {"name": "Bob"}],
    "options": {"first": "chosen"},
    "key": "start-the-game",
}
EMPTY: dict[str, str] = {}


@asynccontextmanager
async def door_of(referee: Referee) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=make_app(referee))
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


@dataclass
class Bookkeeper:
    """What was sent by whom (`None`: nobody's seat), and how it ended as far as its client knows."""

    sent: dict[str, tuple[str | None, dict[str, Any]]] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)

    def note(self, key: str, answer: httpx.Response) -> None:
        """An answer; a command that was once done may be answered again, one that was refused is done never."""
        if answer.status_code == 200:
            self.done.add(key)
            self.refused.discard(key)
        elif key not in self.done:
            self.refused.add(key)


@pytest.mark.parametrize("seed", range(4))
async def test_each_command_is_done_once_or_never_whatever_is_lost_and_restarted(tmp_path: Path, seed: int) -> None:
    assert not await interleave(tmp_path, seed)


async def interleave(folder: Path, seed: int) -> list[str]:
    """Four clients at random, through three runs of the daemon; what the journal has otherwise than the bookkeeper."""
    chance, books = random.Random(f"clients/{seed}"), Bookkeeper()
    async with open_table_rig(folder, store=folder / "wood") as table:
        headers: list[tuple[str | None, Mapping[str, str]]] = []
        for run in range(3):
            async with table.referee() as referee, door_of(referee) as client:
                if not run:
                    names = ("Ann", "Bob", None, None)
                    headers = [(name, EMPTY if name is None else await seat(client, name)) for name in names]
                    await client.post("/api/commands", json=START, headers=headers[0][1])
                clients = (
                    _play(client, referee, random.Random(chance.random()), books, name, header)
                    for name, header in headers
                )
                await asyncio.gather(*clients)
        return differences(table, books)


def differences(table: TableRig, books: Bookkeeper) -> list[str]:
    """What the journal has otherwise: twice, never, by another, or something that nobody sent."""
    found = []
    events = {entry.number: entry for entry in table.journal.entries(1)}
    rows = table.journal._db.execute("SELECT key, event FROM command WHERE key <> ?", (START["key"],)).fetchall()
    at = dict(rows)
    for key in books.done:
        name, command = books.sent[key]
        entry = events.get(at.get(key, -1))
        wanted = (None if name is None else ("Ann", "Bob").index(name), tuple(sorted(command.get("dice", ()))))
        if entry is None:
            found.append(f"{command} was answered and is not there")
        elif isinstance(entry.event, DiceThrown) and (entry.origin.seat, tuple(sorted(entry.event.dice))) != wanted:
            found.append(f"{command} of {name} became {entry}")
    found += [f"{books.sent[key]} was refused and is there" for key in books.refused & set(at)]
    found += [f"{key} is there and nobody knows of it" for key in set(at) - books.done]
    counted = [entry for entry in events.values() if isinstance(entry.event, DiceThrown | MoveChosen)]
    typed = {key for key in books.done if books.sent[key][1]["do"] in ("dice", "choose")}
    if len(counted) != len(typed):
        found.append(f"{len(counted)} throws and choices of {len(typed)} that were answered")
    if sum(isinstance(entry.event, GameStarted) for entry in events.values()) != 1:
        found.append("the game was started more than once")
    return found


async def _play(
    client: httpx.AsyncClient,
    referee: Referee,
    chance: random.Random,
    books: Bookkeeper,
    name: str | None,
    header: Mapping[str, str],
) -> None:
    """A client that acts for whoever is at turn, itself or another, and asks again until it knows how that ended."""
    for _ in range(10):
        seen = referee.snapshot
        await asyncio.sleep(chance.choice((0, 0.01, 0.5, 3)))
        command = _wish(chance, seen)
        if command is None:
            continue
        key = f"{chance.getrandbits(64):016x}"
        books.sent[key] = (name, command)
        for _ in range(chance.choice((1, 1, 2, 3))):
            asking = asyncio.ensure_future(
                client.post("/api/commands", json={**command, "key": key}, headers=dict(header))
            )
            if chance.random() < 0.3:
                await asyncio.sleep(0)
                asking.cancel()  # the answer is lost, the command perhaps not
                await asyncio.wait([asking])
            else:
                books.note(key, await asking)
        books.note(key, await client.post("/api/commands", json={**command, "key": key}, headers=dict(header)))


def _wish(chance: random.Random, seen: Snapshot) -> dict[str, Any] | None:
    meant = {"game_id": seen.game_id, "event": seen.event} if chance.random() < 0.7 else {}
    match seen.phase:
        case "awaiting_throw":
            dice = [chance.randint(1, 6) for _ in range(max(seen.dice_allowed))]
            return {"do": "dice", "dice": dice, **meant}
        case "choosing":
            return {"do": "choose", "tiles": list(chance.choice(seen.moves)), **meant}
        case "turn_lost":
            return {"do": "accept", **meant}
    return None
