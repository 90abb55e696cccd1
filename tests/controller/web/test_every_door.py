"""Every address of the table of roles, asked by every role through every socket: admitted just as the table says."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

import httpx

from controller.game.actions import Role
from controller.settings import Home
from controller.web.app import make_app
from controller.web.roles import LEAST, WEBSOCKET
from tests.support.served_box import Door, open_served_box

if TYPE_CHECKING:
    from controller.referee.referee import Referee

DESCRIPTION: dict[str, Any] = make_app(cast("Referee", None)).openapi()
HANDSHAKE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
}


def example_of(described: dict[str, Any]) -> Any:
    """The first example of a parameter or a body; None without one."""
    schema = described.get("schema", {})
    examples = [*(each["value"] for each in described.get("examples", {}).values()), *schema.get("examples", ())]
    return next(iter(examples), described.get("example"))


async def ask(door: Door, method: str, path: str) -> httpx.Response:
    """Ask with what the description gives as an example."""
    if method == WEBSOCKET:
        return await door.ask("GET", path, HANDSHAKE)
    operation = DESCRIPTION["paths"][path][method.lower()]
    given = {each["name"]: example_of(each) for each in operation.get("parameters", ())}
    filled = re.sub(r"{(\w+)}", lambda name: str(given[name[1]] or 1), path)
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    return await door.ask(method, filled, json=body and (example_of(body) or {}))


def gate_refuses(answer: httpx.Response) -> bool:
    return answer.status_code == 403 and str(answer.json()["error"]).startswith("this is for ")


def may(role: Role | None, least: Role) -> bool:
    ranks = get_args(Role)
    return least == "spectator" or (role is not None and ranks.index(role) >= ranks.index(least))


async def test_who_may_not_is_refused_before_anything_else_and_changes_nothing(tmp_path: Path) -> None:
    async with open_served_box(Home(tmp_path, tmp_path)) as box:
        doors = await box.doors()
        await box.rest()
        for (method, path), least in LEAST.items():
            for door in doors:
                if may(door.role, least):
                    continue
                before = box.state()
                answer = await ask(door, method, path)
                refused = answer.status_code == 401 if door.role is None else gate_refuses(answer)
                assert refused, (door.name, method, path)
                assert box.state() == before, (door.name, method, path)


async def test_who_may_is_admitted(tmp_path: Path) -> None:
    async with open_served_box(Home(tmp_path, tmp_path)) as box:
        for (method, path), least in LEAST.items():
            # Taken anew each time: among the addresses is the one that gives a token back.
            for door in await box.doors():
                if may(door.role, least):
                    answer = await ask(door, method, path)
                    assert not gate_refuses(answer), (door.name, method, path)
                    assert answer.status_code < 500, (door.name, method, path)


async def test_a_refusal_that_changes_something_is_seen(tmp_path: Path) -> None:
    async with open_served_box(Home(tmp_path, tmp_path)) as box:
        before = box.state()
        (tmp_path / "devices.json").write_text("{}")
        assert box.state() != before
