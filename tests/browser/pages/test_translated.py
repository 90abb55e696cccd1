"""In a language that nobody speaks, longer and from right to left, no page shows raw English, and all of it fits."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.box_thread import FAST, BoxThread, serve_box
from tests.browser.pages.conftest import Use
from tests.browser.pages.device import SMALL_PHONE
from tests.browser.pages.raw import find_cut_off, find_raw
from tests.browser.pages.states import STATES
from tests.support.pseudo import pseudo_spoken

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Pages beside the table.
PATHS = (
    "/start",
    "/join",
    "/operator",
    "/kiosk",
    "/learn",
    "/games",
    "/games/1",
    "/players/Ann",
    "/dice",
    "/rules",
    "/rules/two-level",
)


@pytest.fixture
def box(browser: "Browser", tmp_path: Path) -> Iterator[BoxThread]:
    with pseudo_spoken(), serve_box(tmp_path, pace=FAST) as box:
        yield box


@pytest.mark.parametrize("state", STATES)
def test_the_table_speaks_any_language_on_a_small_phone(box: BoxThread, take: Use, state: str) -> None:
    STATES[state](box)
    phone = take(SMALL_PHONE).sit().open("/play")
    phone.catch_up()
    assert phone.page.locator("html").get_attribute("dir") == "rtl"
    assert find_raw(phone) == []
    assert find_cut_off(phone) == []


def test_every_page_speaks_any_language_on_a_small_phone(box: BoxThread, take: Use) -> None:
    STATES["ended"](box)
    phone = take(SMALL_PHONE).sit()
    found = {}
    for path in PATHS:
        phone.open(path)
        found[path] = find_raw(phone) + find_cut_off(phone)
    assert not any(found.values()), found
