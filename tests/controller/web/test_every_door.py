"""Every address of the table of roles, asked by every role through every socket: admitted just as the table says."""

import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.runtime.home import Home
from controller.web.roles import LEAST, WEBSOCKET, Least
from tests.support.routes import description
from tests.support.served_box import Door, open_served_box

SAFE = ("GET", WEBSOCKET)
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
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
    """Ask with what the description of the API gives as an example; of pages there is none."""
    if method == WEBSOCKET:
        return await door.ask("GET", path.replace("{view}", "play"), HANDSHAKE)
    if path not in description()["paths"]:
        return await door.ask(method, re.sub(r"{\w+}", "1", path))
    operation = description()["paths"][path][method.lower()]
    given = {each["name"]: example_of(each) for each in operation.get("parameters", ())}
    filled = re.sub(r"{(\w+)}", lambda name: str(given[name[1]] or 1), path)
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    return await door.ask(method, filled, json=body and (example_of(body) or {}))


def gate_refuses(answer: httpx.Response) -> bool:
    return answer.status_code == 403 and str(answer.json()["error"]).startswith("this is for ")


def may(role: Least | None, least: Least) -> bool:
    ranks = ("spectator", "player", "operator", "terminal")
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


@pytest.mark.long
async def test_who_may_is_admitted(tmp_path: Path) -> None:
    async with open_served_box(Home(tmp_path, tmp_path)) as box:
        doors = await box.doors()
        for (method, path), least in LEAST.items():
            for index in range(len(doors)):
                if not may(doors[index].role, least):
                    continue
                name, answer = doors[index].name, await ask(doors[index], method, path)
                assert not gate_refuses(answer), (name, method, path)
                assert answer.status_code < 500, (name, method, path)
                assert answer.status_code != 401 or least == "spectator", (name, method, path)
                if method not in SAFE:
                    doors = await box.doors()  # a token may have been given back


async def test_head_is_answered_as_get_to_the_same_roles_and_without_a_body(tmp_path: Path) -> None:
    async with open_served_box(Home(tmp_path, tmp_path)) as box:
        for door in await box.doors():
            for path in ("/api/state", "/api/settings", "/api/access/code", "/api/access/link", "/nothing"):
                get, head = await door.ask("GET", path), await door.ask("HEAD", path)
                assert (head.status_code, head.content) == (get.status_code, b""), (door.name, path)
                assert head.headers["content-type"] == get.headers["content-type"]


async def test_a_method_without_a_line_in_the_table_is_nobodys(tmp_path: Path) -> None:
    async with open_served_box(Home(tmp_path, tmp_path)) as box:
        await box.rest()
        before = box.state()
        for path in {path for _, path in LEAST}:
            for method in METHODS:
                answer = (
                    None if (method, path) in LEAST else await box.terminal.ask(method, re.sub(r"{\w+}", "1", path))
                )
                assert answer is None or answer.status_code in (404, 405), (method, path)
                assert answer is None or set(answer.json()) == {"error", "code"}, (method, path)
        assert box.state() == before


async def test_a_refusal_that_changes_something_is_seen(tmp_path: Path) -> None:
    async with open_served_box(Home(tmp_path, tmp_path)) as box:
        before = box.state()
        (tmp_path / "devices.json").write_text("{}")
        assert box.state() != before
