"""axe-core finds nothing in any state of the table, on tablet and phone, by day and by night."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from controller.web.pages.workshop.first import STEPS
from tests.browser.box_thread import BoxThread
from tests.browser.node import AXE, NEEDS_PACKAGES
from tests.browser.pages.axe import find_barriers
from tests.browser.pages.conftest import Use
from tests.browser.pages.device import PHONE, TABLET, Device
from tests.browser.pages.newly_built import pair
from tests.browser.pages.states import SOON_OVER, STATES, start
from tests.browser.pages.test_care import keep_pictures

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
    find_none(phone, (*PAGES, f"/games/{box.snapshot.game_id}?move=2"))


@pytest.mark.long
def test_nothing_keeps_an_operator_from_looking_after_the_box(box: BoxThread, take: Use, tmp_path: Path) -> None:
    STATES["choosing"](box)
    phone = pair(box, take(PHONE))
    find_none(phone, (*CARE, *keep_pictures(tmp_path)))


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
