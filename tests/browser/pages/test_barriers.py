"""axe-core finds nothing in any state of the table, on tablet and phone, by day and by night."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from controller.game.evening.decide import finish, open_evening
from controller.game.evening.evening import evolve, replay
from controller.game.evening.events import Called, Finished, Opened
from controller.game.evening.view import EVENING, EveningView, Rating, view_of
from controller.web.pages.workshop.first import STEPS
from tests.browser.box_thread import BoxThread
from tests.browser.node import AXE, NEEDS_PACKAGES
from tests.browser.pages.axe import find_barriers
from tests.browser.pages.conftest import Use
from tests.browser.pages.device import PHONE, TABLET, Device
from tests.browser.pages.newly_built import pair
from tests.browser.pages.states import SOON_OVER, STATES, start
from tests.browser.pages.test_care import keep_pictures
from tests.support.any_evening import AT

PAGES = ("/start", "/join", "/kiosk", "/wall", "/games", "/players/Ann", "/dice", "/rules", "/rules/two-level")
CARE = (
    "/operator",
    "/workshop",
    *(f"/workshop/first?step={step}" for step in STEPS),
    *(f"/workshop/{kind}" for kind in ("bringup", "servos", "camera", "dice", "selftest")),
    "/workshop/settings",
    "/workshop/backup",
    "/workshop/report",
    "/workshop/pictures",
    "/workshop/versions",
)

pytestmark = pytest.mark.skipif(not AXE.exists(), reason=NEEDS_PACKAGES)


@pytest.mark.long
@pytest.mark.parametrize("state", STATES)
def test_nothing_keeps_anybody_from_the_table(box: BoxThread, take: Use, state: str) -> None:
    STATES[state](box)
    found = {}
    for name, kind in (("tablet", TABLET), ("phone", PHONE)):
        device = take(kind).sit().open("/play")
        for theme in ("light", "dark"):
            device.page.emulate_media(color_scheme=theme)
            device.catch_up()
            found[f"{name}, {theme}"] = find_barriers(device.page)
    assert not any(found.values()), found


@pytest.mark.long
def test_nothing_keeps_anybody_from_the_pages_beside_the_table(box: BoxThread, take: Use) -> None:
    start(box)
    box.hands.plan(*SOON_OVER)
    phone = take(PHONE).sit("Ann").open("/play")
    phone.play_on()
    box.ask("PUT", "/api/evening", json=json.loads(EVENING.dump_json(knock_out())))
    find_none(phone, (*PAGES, "/evening", f"/games/{box.snapshot.game_id}?move=2"))


@pytest.mark.long
def test_nothing_keeps_an_operator_from_looking_after_the_box(box: BoxThread, take: Use, tmp_path: Path) -> None:
    STATES["choosing"](box)
    phone = pair(box, take(PHONE))
    find_none(phone, (*CARE, *keep_pictures(tmp_path)))


def knock_out() -> EveningView:
    """An evening with a match that was won, one that is on, a bye, and a ladder."""
    opened = Opened("autumn", AT, "knock-out", ("Ann", "Bea", "Carl", "Dora", "Emil"), "pub")
    evening = replay(open_evening(opened))
    for event in finish(evening, Finished(1, ("Dora",), "played", AT, {"Dora": 3, "Emil": 9}, "Red", 1)):
        evening = evolve(evening, event)
    return view_of(evolve(evening, Called(2, "Red", 1)), (Rating("Dora", 1600.0, 120.0, 4),))


def find_none(phone: Device, paths: Iterable[str]) -> None:
    found = {}
    for path in paths:
        phone.open(path)
        # As high as the page: what is half behind the main button now is so until somebody scrolls.
        phone.page.set_viewport_size({"width": PHONE.width, "height": 4 * PHONE.height})
        for theme in ("light", "dark"):
            phone.page.emulate_media(color_scheme=theme)
            found[f"{path}, {theme}"] = find_barriers(phone.page)
    assert not any(found.values()), found


@pytest.mark.long
def test_a_barrier_is_seen(box: BoxThread, take: Use) -> None:
    page = take().open("/play").page
    page.evaluate("() => document.body.append(document.createElement('button'))")
    assert "button-name" in " ".join(find_barriers(page))
