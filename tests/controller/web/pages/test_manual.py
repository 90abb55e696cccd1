"""The box serves its own copy of the documentation, and nothing beside it."""

from pathlib import Path
from urllib.parse import unquote

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from controller.web.pages import manual
from tests.support.api import open_api

OPENS = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
HOSTILE = (
    "../roles.py",
    "..%2froles.py",
    "%2e%2e/roles.py",
    "howto/../../roles.py",
    "howto/..%2f..%2froles.py",
    "..\\roles.py",
    "/etc/passwd",
    "%2fetc%2fpasswd",
    "link.html",
    "elsewhere/secret.html",
    "howto",
    "howto/",
    "index.html/",
    "index.html%00",
    "./index.html",
    "INDEX.HTML",
)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site of two pages, with links that lead out of it."""
    site = tmp_path / "site"
    (site / "howto").mkdir(parents=True)
    (tmp_path / "beside").mkdir()
    (tmp_path / "roles.py").write_text("secret", "utf-8")
    (tmp_path / "beside" / "secret.html").write_text("secret", "utf-8")
    (site / "index.html").write_text("<h1>shutbox</h1>", "utf-8")
    (site / "howto" / "install.html").write_text("<h1>Install</h1>", "utf-8")
    (site / "docs.js").write_text("", "utf-8")
    (site / "link.html").symlink_to(tmp_path / "roles.py")
    (site / "elsewhere").symlink_to(tmp_path / "beside")
    monkeypatch.setattr(manual, "SITE", site)
    return site


@pytest.mark.usefixtures("site")
async def test_everybody_may_read_the_documentation(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        first = await api.away.get("/docs", follow_redirects=True)
        page = await api.away.get("/docs/howto/install.html")
        script = await api.away.get("/docs/docs.js")

    assert (first.status_code, first.text) == (200, "<h1>shutbox</h1>")
    assert (page.text, page.headers["content-type"]) == ("<h1>Install</h1>", "text/html; charset=utf-8")
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("name", HOSTILE)
async def test_no_other_name_leads_to_a_file(tmp_path: Path, name: str) -> None:
    async with open_api(tmp_path, played=False) as api:

        async def untidied(scope: Scope, receive: Receive, send: Send) -> None:
            await api.app({**scope, "path": unquote(f"/docs/{name}")}, receive, send)

        # A client that means well tidies addresses up; a stranger's does not.
        transport = httpx.ASGITransport(app=untidied)
        async with httpx.AsyncClient(transport=transport, base_url="http://box") as client:
            answer = await client.get("/docs", headers=OPENS)

    assert answer.status_code == 404
    assert "secret" not in answer.text


async def test_a_box_without_its_copy_says_how_it_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manual, "SITE", tmp_path / "none")
    async with open_api(tmp_path, played=False) as api:
        page = await api.away.get("/docs/index.html", headers=OPENS)
        program = await api.away.get("/docs/index.html")

    assert page.status_code == program.status_code == 404
    assert "This box has no copy of its documentation." in page.text
    assert "make docs" in page.text
    assert program.json()["error"].startswith("This box has no copy of its documentation.")


async def test_the_start_page_and_the_workshop_lead_to_it(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        start = await api.away.get("/start", headers=OPENS)
        workshop = await api.here.get("/workshop", headers=OPENS)

    assert 'href="/docs"' in start.text
    assert 'href="/docs"' in workshop.text
