"""Whoever opens a page that there is not, or cannot be shown, is answered by a page; programs are told in JSON."""

from pathlib import Path

import httpx
import pytest

from controller.web.app import make_app
from tests.support.api import open_api
from tests.support.tables import open_table_rig

OPENS = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize(
    ("address", "status", "line"),
    [
        ("/games/1?move=abc", 422, "That was not understood."),
        ("/games/none", 422, "That was not understood."),
        ("/games?before=-1", 422, "That was not understood."),
        ("/nowhere", 404, "There is no such page."),
        ("/games/12", 404, "There is no game 12 here."),
    ],
)
async def test_a_person_is_answered_by_a_page(tmp_path: Path, address: str, status: int, line: str) -> None:
    async with open_api(tmp_path, played=False) as api:
        page = await api.away.get(address, headers=OPENS)

    assert (page.status_code, page.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert f'<h1 class="say">{line}</h1>' in page.text


async def test_the_page_is_in_the_language_of_the_device(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        page = await api.away.get("/nowhere", headers={**OPENS, "accept-language": "fr"})

    assert '<html lang="fr"' in page.text
    assert "There is no such page" not in page.text


@pytest.mark.parametrize("address", ["/games", "/games/1", "/players/Ann", "/dice", "/start", "/rules/pub", "/play"])
async def test_a_table_that_keeps_nothing_answers_by_pages_too(tmp_path: Path, address: str) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        transport = httpx.ASGITransport(app=make_app(referee))
        async with httpx.AsyncClient(transport=transport, base_url="http://box") as client:
            page = await client.get(address, headers=OPENS)

    assert page.status_code in (200, 404)
    assert page.headers["content-type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize(
    ("address", "accept", "status"),
    [
        ("/games/1?move=abc", "*/*", 422),
        ("/games/99", "*/*", 404),
        ("/players/Nobody", "*/*", 404),
        ("/rules/chess", "*/*", 404),
        ("/api/games/none", "text/html", 404),
    ],
)
async def test_programs_are_told_in_json(tmp_path: Path, address: str, accept: str, status: int) -> None:
    async with open_api(tmp_path, played=False) as api:
        answer = await api.away.get(address, headers={"accept": accept})

    assert answer.status_code == status
    assert set(answer.json()) == {"error", "code"}
