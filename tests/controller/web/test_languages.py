"""Pages and refusals are in the language of the device that asks."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from controller.messages.words import LANGUAGE_NAMES
from controller.web.app import make_app
from controller.web.dependencies import LANGUAGE
from controller.web.refusals import refusal
from controller.web.security.principal import LocalApp
from tests.conftest import run_to_the_end
from tests.support.pseudo import CLOSES, OPENS, pseudo_spoken
from tests.support.tables import open_table_rig

IDLE = {"en": "No game is on.", "de": "Kein Spiel läuft.", "fr": "Aucune partie en cours."}


@asynccontextmanager
async def at_an_idle_table(folder: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with open_table_rig(folder) as table, table.referee() as referee:
        transport = httpx.ASGITransport(app=LocalApp(make_app(referee)))
        async with httpx.AsyncClient(transport=transport, base_url="http://box") as client:
            yield client


@pytest.mark.parametrize(
    ("accepted", "cookie", "language"),
    [
        (None, None, "en"),
        ("de-AT,de;q=0.9,en;q=0.5", None, "de"),
        ("en;q=0.3,fr;q=0.8", None, "fr"),
        ("de", "fr", "fr"),
        ("de", "klingon", "de"),
        ("es", None, "en"),
    ],
)
def test_a_page_is_in_the_language_of_the_device(
    tmp_path: Path, accepted: str | None, cookie: str | None, language: str
) -> None:
    async def look() -> str:
        async with at_an_idle_table(tmp_path) as client:
            if cookie:
                client.cookies.set(LANGUAGE, cookie)
            answer = await client.get("/play", headers={"Accept-Language": accepted} if accepted else {})
            return answer.text

    page = run_to_the_end(look())
    assert f'<html lang="{language}" dir="ltr"' in page
    assert IDLE[language] in page


def test_a_refusal_is_in_the_language_of_the_device_and_has_its_code(tmp_path: Path) -> None:
    async def ask() -> list[dict[str, object]]:
        async with at_an_idle_table(tmp_path) as client:
            answers = [
                await client.post("/api/commands", json={"do": "go_on"}, headers=headers)
                for headers in ({}, {"Accept-Language": "fr"})
            ]
            return [answer.json() for answer in answers]

    english, french = run_to_the_end(ask())
    assert str(english["error"]).startswith("you cannot go on now")
    assert french["error"] == "Ce n\u2019est pas possible maintenant."
    assert english["code"] == french["code"]


def test_a_refusal_keeps_the_space_of_a_french_colon_and_no_sign_that_steers_a_terminal() -> None:
    answer = json.loads(bytes(refusal(401, "C-373", "le code du jour\u00a0: \x1b[2J\n").body))
    assert answer["error"] == "le code du jour\u00a0: ?[2J?"


def test_a_page_in_the_pseudo_locale_shows_no_raw_text(tmp_path: Path) -> None:
    async def look() -> str:
        async with at_an_idle_table(tmp_path) as client:
            return (await client.get("/play")).text

    with pseudo_spoken():
        page = run_to_the_end(look())
    assert '<html lang="en-XA" dir="rtl"' in page
    body = re.sub(r"<(script|style)\b.*?</\1>", "", page.partition("<body")[2], flags=re.S)
    shown = re.sub(r"<[^>]*>", " ", body.partition(">")[2])
    raw = re.sub(f"{OPENS}[^{OPENS}{CLOSES}]*{CLOSES}", "", shown).split()
    # What ends a sentence, the name of the game of games, and languages as their own people call them.
    assert set(raw) <= {*".:;!?", "Shut", "the", "Box", *LANGUAGE_NAMES.values()}
