"""Every route is listed in the one table of roles, which is checked before a body is read."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import httpx
import pytest
from fastapi import APIRouter, FastAPI

from controller.referee.referee import Referee
from controller.web.app import ROUTES, make_app
from controller.web.roles import LEAST, Least, least_role, methods_of, reaches
from controller.web.security.principal import AuthorizedRoute, LocalApp
from tests.support.routes import addresses
from tests.support.tables import open_table_rig

SERVED = set(addresses(ROUTES))


@asynccontextmanager
async def from_the_network(referee: Referee) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=make_app(referee))
    async with httpx.AsyncClient(transport=transport, base_url="http://box") as client:
        yield client


def test_the_table_has_a_line_for_each_address_and_no_other() -> None:
    assert set(LEAST) == SERVED


def test_a_route_without_a_line_is_not_made() -> None:
    with pytest.raises(LookupError, match="GET /api/secret has no role"):
        APIRouter(route_class=AuthorizedRoute).get("/api/secret")(lambda: None)


def test_a_mounted_application_would_be_served_to_everybody() -> None:
    with pytest.raises(TypeError, match="is served to everybody"):
        list(addresses(FastAPI().routes))


def test_the_methods_of_an_address_are_those_of_all_its_routes() -> None:
    assert methods_of("/api/seats") == ("DELETE", "POST")
    assert methods_of("/api/job") == ("DELETE", "GET", "HEAD", "POST")
    assert methods_of("/api/snapshots") == ()


@pytest.mark.parametrize(
    ("role", "least", "may"),
    [
        ("spectator", "spectator", True),
        ("spectator", "player", False),
        ("player", "player", True),
        ("player", "operator", False),
        ("operator", "operator", True),
        ("operator", "spectator", True),
        ("operator", "terminal", False),
        ("terminal", "operator", True),
    ],
)
def test_an_operator_may_what_others_may_and_not_the_other_way_round(role: Least, least: Least, may: bool) -> None:
    assert reaches(role, least) is may


async def test_who_comes_from_the_network_without_a_token_sees_and_does_nothing(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee, from_the_network(referee) as client:
        assert (await client.get("/api/state")).status_code == 200
        for body in (b'{"do": "park"}', b"no JSON", b""):  # none of them is read
            refused = await client.post("/api/commands", content=body, headers={"Content-Type": "application/json"})
            assert (refused.status_code, refused.json()["code"]) == (403, "C-318")
            assert refused.json()["error"] == "this is for players; take a seat first"
        assert refused.json()["state"]["event"] == 0


async def test_every_error_has_one_shape(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        transport = httpx.ASGITransport(app=LocalApp(make_app(referee)), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://box") as client:
            unknown = await client.get("/api/nothing")
            method = await client.put("/api/state")
            body = await client.post("/api/commands", content=b"{", headers={"Content-Type": "application/json"})
            token = await client.post("/api/commands", json={"do": "park"}, headers={"Authorization": "Bearer x"})
    assert [each.status_code for each in (unknown, method, body, token)] == [404, 405, 422, 401]
    assert method.headers["Allow"] == "GET, HEAD"
    for each in (unknown, method, body, token):
        assert set(each.json()) == {"error", "code"}


async def test_an_error_of_our_own_tells_strangers_nothing() -> None:
    class Broken:
        snapshot = None

        def moves(self) -> None:
            raise RuntimeError("the password is 1234")

    app = LocalApp(make_app(cast("Referee", Broken())))
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://box") as client:
        answer = await client.get("/api/moves")
    assert (answer.status_code, answer.json()["code"]) == (500, "C-369")
    assert "1234" not in answer.text


def test_no_role_is_given_by_default() -> None:
    with pytest.raises(LookupError, match="PUT /api/state has no role"):
        least_role("PUT", "/api/state")
