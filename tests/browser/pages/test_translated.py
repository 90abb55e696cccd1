"""In a language that nobody speaks, longer and from right to left, no page shows raw English, and all of it fits."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from controller.web.pages.selftest import draw_selftest
from firmware.selftest.findings import SelftestReport, TileTimes
from firmware.selftest.wear import SelftestResult, WearBook
from hardware.box import load_box
from hardware.errors import Fault
from tests.browser.box_thread import FAST, BoxThread, serve_box
from tests.browser.pages.conftest import Use
from tests.browser.pages.device import SMALL_PHONE, WALL
from tests.browser.pages.newly_built import pair
from tests.browser.pages.raw import find_cut_off, find_raw
from tests.browser.pages.states import ANN, BEN, STATES, start, throw
from tests.browser.pages.test_barriers import CARE
from tests.browser.pages.test_care import keep_pictures
from tests.support.pseudo import pseudo_spoken, pseudo_words

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long

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


WALLS = ((1920, 1080), (1280, 720))
TWO_ROWS = load_box("two-level-9")
NOW = datetime(2030, 5, 1, 20, 15, tzinfo=UTC)
TIMES = tuple(TileTimes(tile, 0.2, 0.3) for tile in TWO_ROWS.tile_ids[:6])
SOUND = SelftestReport((), (), TIMES)
BROKEN = SelftestReport((Fault("H-301", "front-7", "SHUT", "OPEN", "Free it."),), ("back-3",), TIMES)


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


def test_the_wall_speaks_any_language_on_any_screen(box: BoxThread, take: Use) -> None:
    start(box, ANN, BEN, match="tournament", stake=2)
    throw(box, 3, 5)
    wall = take(WALL).open("/wall")
    wall.catch_up()
    assert find_raw(wall) == []
    for width, height in WALLS:
        wall.page.set_viewport_size({"width": width, "height": height})
        assert find_cut_off(wall) == []
        assert wall.page.evaluate("() => document.documentElement.scrollHeight <= innerHeight"), "nobody scrolls a wall"


def test_a_report_of_the_self_test_speaks_any_language_on_a_small_phone(box: BoxThread, take: Use) -> None:
    phone = take(SMALL_PHONE)
    for report in (SOUND, BROKEN):
        book = WearBook(box=TWO_ROWS.name, games=30)
        phone.page.set_content(draw_selftest(SelftestResult(TWO_ROWS, report, book, NOW), pseudo_words()))
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


def test_every_page_of_an_operator_speaks_any_language_on_a_small_phone(
    box: BoxThread, take: Use, tmp_path: Path
) -> None:
    STATES["choosing"](box)
    phone = pair(box, take(SMALL_PHONE))
    found = {}
    for path in (*CARE, *keep_pictures(tmp_path)):
        phone.open(path)
        found[path] = find_raw(phone) + find_cut_off(phone)
    assert not any(found.values()), found
