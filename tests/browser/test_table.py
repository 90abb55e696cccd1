"""The page of the table in a real Chromium: a turn by taps and by keys, corrected, undone, in two tabs, cut off."""

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright", reason="needs playwright: make lanes")

from playwright.sync_api import Error, expect, sync_playwright

from tests.browser.box_thread import BoxThread, serve_box

if TYPE_CHECKING:
    from playwright.sync_api import Page

CHROMIUM = shutil.which("chromium")
PATIENCE_MS = 15_000
SIT = """async (code) => (await fetch("/api/seats", {method: "POST", headers: {"Content-Type": "application/json"},
    body: JSON.stringify({door: "page", code})})).status"""
# The dice of the page's own keypad, of which each pair makes a move on the start.
THROW = (6, 3)

expect.set_options(timeout=PATIENCE_MS)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt install chromium")


@pytest.fixture
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoxThread]:
    with serve_box(tmp_path_factory.mktemp("home")) as box:
        yield box


@pytest.fixture
def page(box: BoxThread) -> "Iterator[Page]":
    """A tablet whose player has sat down at the table."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"] if os.geteuid() == 0 else []
        )
        page = browser.new_context(viewport={"width": 1180, "height": 820}).new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{box.url}/play")
        assert page.evaluate(SIT, box.code()) == 200
        page.reload()
        yield page
        browser.close()


def type_dice(page: "Page") -> None:
    page.click(".fix > summary")
    for die, face in enumerate(THROW):
        page.locator(f".keypad input[name=die{die}][value='{face}']").check(force=True)
    page.click(".keypad button")


def throw(page: "Page") -> None:
    """The dice tumble; who begins is thrown for first."""
    while page.locator("[data-tiles]").count() == 0:
        page.locator("[data-do=roll], [data-tiles]").first.wait_for()
        if page.locator("[data-do=roll]").count():
            page.locator("[data-do=roll]").first.click()
        page.wait_for_timeout(200)


def test_a_turn_is_played_by_taps_alone(page: "Page") -> None:
    throw(page)
    assert page.locator(".die").count() == 2
    first = page.locator("[data-tiles]").first
    names = (first.get_attribute("data-tiles") or "").split()
    for name in names:
        page.locator(f"#{name}").click()
    expect(page.locator("[data-confirm]")).to_have_text(f"Shut {' and '.join(name[-1] for name in names)}")
    page.locator("[data-confirm]").click()
    for name in names:
        expect(page.locator(f"#{name}")).to_have_attribute("data-s", "shut")

    page.locator("[data-do=undo]").click()

    for name in names:
        expect(page.locator(f"#{name}")).to_have_attribute("data-s", "open")
    expect(page.locator("[data-confirm]")).to_have_text("Tap tiles")


def test_a_turn_is_played_by_keyboard_alone(page: "Page") -> None:
    page.locator("[data-keypad=dice]").wait_for(state="attached")
    type_dice(page)
    page.locator("[data-tiles]").first.wait_for()
    page.locator("#front-1").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "front-2"
    page.locator("#front-9").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#front-9")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(page.locator("#front-9")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press(" ")
    page.locator("[data-confirm]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#front-9")).to_have_attribute("data-s", "shut")
    expect(page.locator("#act-roll-2")).to_be_focused()


def test_a_finger_that_trembles_taps_once(page: "Page") -> None:
    page.locator("[data-keypad=dice]").wait_for(state="attached")
    type_dice(page)
    page.locator("[data-tiles='front-9']").click()
    page.locator("[data-confirm]").dblclick()
    expect(page.locator("#act-roll-2")).to_be_visible()
    expect(page.locator("#front-9")).to_have_attribute("data-s", "shut")
    expect(page.locator("#refused")).to_have_count(0)


def test_giving_up_is_asked_once_and_the_same_game_can_be_played_again(page: "Page") -> None:
    page.locator("[data-do=abandon]").click()
    expect(page.locator("[data-do=abandon]")).to_have_text("End it for everybody?")
    page.locator("[data-do=abandon]").click()
    page.locator("[data-again]").click()
    expect(page.locator("#act-roll-2")).to_be_visible()


def test_two_tabs_of_a_seat_move_once_and_both_show_the_same(page: "Page") -> None:
    page.locator("[data-keypad=dice]").wait_for(state="attached")
    type_dice(page)
    page.locator("[data-tiles='front-9']").click()
    other = page.context.new_page()
    other.goto(page.url)
    other.locator("[data-tiles='front-9']").click()
    page.locator("[data-confirm]").click()
    with suppress(Error):  # gone, where this tab has heard of it already
        other.locator("#act-choose").click(timeout=1000)
    for tab in (page, other):
        expect(tab.locator("#front-9")).to_have_attribute("data-s", "shut")
        expect(tab.locator(".tile[data-s=shut]")).to_have_count(1)
    assert page.inner_text("#say h1") == other.inner_text("#say h1")


def test_a_page_that_was_cut_off_says_so_and_comes_back_to_the_right_state(page: "Page") -> None:
    page.locator("[data-keypad=dice]").wait_for(state="attached")
    other = page.context.browser.new_context().new_page() if page.context.browser else page
    other.goto(page.url)
    other.context.set_offline(True)
    expect(other.locator("#away")).to_have_text("No connection to the box; trying again")
    type_dice(page)
    page.locator("[data-tiles]").first.wait_for()
    other.context.set_offline(False)
    expect(other.locator("#say h1")).to_have_text(page.inner_text("#say h1"))
    expect(other.locator("#away")).to_have_count(0)
