"""The page of the settings: every key of the file, in a control that fits it."""

import html
import re
from pathlib import Path

import pytest

from controller.messages.words import ENGLISH
from controller.settings import Settings, setting_rows
from controller.web.pages.workshop.setting_words import choice_name, groups_of
from controller.web.pages.workshop.settings import control_of
from tests.support.api import open_api

ROWS = {row.key: row for row in setting_rows(Settings())}


def test_every_setting_is_in_one_group() -> None:
    keys = [key for keys in groups_of(ENGLISH).values() for key in keys]
    assert sorted(keys) == sorted(ROWS)


@pytest.mark.parametrize(
    ("key", "kind", "limits"),
    [
        ("web.on", "switch", {}),
        ("house_strength", "choice", {}),
        ("pace.count_s", "number", {"min": 0.1, "max": 5, "step": "any"}),
        ("web.port", "number", {"min": 1, "max": 65_535, "step": 1}),
        ("players", "list", {}),
        ("web.name", "text", {"maxlength": 253}),
        ("camera", "text", {}),
    ],
)
def test_a_control_fits_what_is_allowed(key: str, kind: str, limits: dict[str, object]) -> None:
    control = control_of(ROWS[key], (), ENGLISH)
    assert (control.kind, dict(control.limits), control.is_default) == (kind, limits, True)


def test_a_choice_has_words() -> None:
    assert choice_name("share", "no", ENGLISH) == "nobody"
    assert choice_name("language", "de", ENGLISH) == "Deutsch"
    assert choice_name("house_strength", "casual", ENGLISH) == "casual"
    assert choice_name("pins", "lgpio", ENGLISH) == "lgpio"


async def test_the_page_shows_every_value_and_what_can_be_gone_back_to(tmp_path: Path) -> None:
    async with open_api(tmp_path) as api:
        api.home.settings.write_text('players = ["Ann", "<b>"]\n[web]\non = true\n')
        page = (await api.here.get("/workshop/settings")).text
    forms = {
        found["key"]: found["form"]
        for found in re.finditer(r'<form class="setting" data-key="(?P<key>[^"]+)"(?P<form>.*?)</form>', page, re.S)
    }
    assert sorted(forms) == sorted(ROWS)
    assert "Ann\n&lt;b&gt;</textarea>" in forms["players"]
    assert 'data-default="[&#34;Player&#34;, &#34;House&#34;]"' in forms["players"]
    assert " checked>" in forms["web.on"]
    assert "data-usual aria-label" in forms["web.on"]
    assert "data-usual hidden" in forms["web.port"]
    assert "stars" in forms["dice"]
    assert html.unescape(forms["box"]).count("<option") > 3


async def test_a_file_that_cannot_be_read_is_told_on_the_page(tmp_path: Path) -> None:
    async with open_api(tmp_path) as api:
        api.home.settings.write_text("players = 3\n")
        page = (await api.here.get("/workshop/settings")).text
    assert "The file of the settings cannot be used." in page
    assert "settings.toml:1" in page
    assert str(tmp_path) not in page


async def test_only_operators_see_the_page(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        assert (await api.away.get("/workshop/settings")).status_code == 403
