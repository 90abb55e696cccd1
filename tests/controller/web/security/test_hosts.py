"""The very address that a connection came to is one of the box's names, however either is written."""

import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from controller.web.security.guards import OwnHosts


async def answer_to(host: str, came_to: str) -> int:
    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        await OwnHosts(PlainTextResponse("welcome"))({**scope, "server": (came_to, 8080)}, receive, send)

    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=serve), base_url="http://box") as client:
        return (await client.get("/", headers={"Host": host})).status_code


@pytest.mark.parametrize(
    ("came_to", "host"),
    [
        ("192.168.1.20", "192.168.1.20:8080"),
        ("::ffff:192.168.1.20", "192.168.1.20:8080"),  # a socket for both families
        ("::1", "[::1]:8080"),
        ("2001:db8::1", "[2001:DB8:0:0::1]"),
        ("fe80::1%eth0", "[fe80::1]:8080"),
    ],
)
async def test_its_own_address_is_one_of_its_names(came_to: str, host: str) -> None:
    assert await answer_to(host, came_to) == 200


@pytest.mark.parametrize(
    ("came_to", "host"),
    [
        ("192.168.1.20", "192.168.1.21:8080"),
        ("::1", "::1"),
        ("::1", "[::1"),
        ("::1", "[::2]"),
        ("::1", "[evil.example]"),
        ("192.168.1.20", "[192.168.1.20]x"),
        ("192.168.1.20", "192.168.1.20:port"),
    ],
)
async def test_what_is_no_name_of_its_own_is_refused(came_to: str, host: str) -> None:
    assert await answer_to(host, came_to) == 421


@pytest.mark.parametrize("host", ["shutbox", "shutbox.local", "shutbox.home.arpa", "shutbox.home.arpa.local"])
async def test_a_computer_with_a_whole_name_answers_to_what_is_announced_of_it(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "shutbox.home.arpa")
    assert await answer_to(host, "192.168.1.20") == 200
    assert await answer_to(f"not-{host}", "192.168.1.20") == 421
