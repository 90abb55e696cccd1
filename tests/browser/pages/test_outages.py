"""A box whose daemon is a process of its own, with real eyes: a camera that freezes, and a daemon that is killed."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from hardware.tiles import Position
from tests.browser.box_process import BoxProcess, run_box
from tests.browser.pages.conftest import keep_picture
from tests.browser.pages.device import TABLET, Device, use
from tests.browser.pages.states import ANN, HOUSE
from tests.browser.pages.test_troubles import AS_THEY_ARE, LET_THE_BOX

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long

MOVED = ("front-3", "front-6")
READS_S = 60  # until real eyes have seen a throw, or that they see none, on a busy machine


@pytest.fixture
def box(browser: "Browser", tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoxProcess]:
    """A box on which Ann's throw is awaited."""
    with run_box(tmp_path_factory.mktemp("box")) as box:
        box.do("start", players=[ANN, HOUSE], options={"first": "chosen"})
        yield box


@pytest.fixture
def tablet(browser: "Browser", box: BoxProcess) -> Iterator[Device]:
    with use(browser, box, TABLET) as tablet:
        yield tablet.sit("Ann").open("/play")


def test_a_camera_that_freezes_is_noticed_and_mended_and_the_game_goes_on(box: BoxProcess, tablet: Device) -> None:
    tablet.catch_up()
    drawer = tablet.page.get_by_text("Break something")
    drawer.click()
    tablet.deed("Freeze the camera")
    tablet.throw()
    tablet.expect_say("The camera gives one and the same picture", READS_S)
    assert box.snapshot.fault is not None
    tablet.deed("Mend")
    tablet.type_dice(4, 5)
    tablet.catch_up()
    tablet.shut("9 in front")
    tablet.catch_up()
    assert not box.snapshot.broken
    tablet.throw()
    tablet.expect_say("Ann threw", READS_S)


@pytest.mark.parametrize(("answer", "state"), [(LET_THE_BOX, "open"), (AS_THEY_ARE, "shut")])
def test_a_daemon_killed_amid_a_turn_asks_about_every_tile_that_was_moved_and_goes_on(
    box: BoxProcess, tablet: Device, answer: str, state: str
) -> None:
    tablet.catch_up()
    tablet.act("dice", dice=[4, 5])
    tablet.catch_up()
    tablet.shut("9 in front")
    tablet.catch_up()
    box.kill()
    for tile in MOVED:
        box.tip(tile, Position.SHUT)
    box.start()
    tablet.expect_say(re.compile("power|off|moved"), READS_S)
    tablet.catch_up()
    differing = tablet.page.get_by_role("region", name="What to do").get_by_role("listitem")
    told = " ".join(differing.all_inner_texts())
    assert re.findall(r"\b[1-9] in front", told) == ["3 in front", "6 in front"]
    tablet.command(answer)
    tablet.catch_up()
    assert [tablet.state_of(name).startswith(state) for name in ("3 in front", "6 in front")] == [True, True]
    assert "shut" in tablet.state_of("9 in front")
    assert box.snapshot.phase == "awaiting_throw"


def test_a_page_that_a_daemon_of_before_has_drawn_is_loaded_anew(box: BoxProcess, tablet: Device) -> None:
    tablet.catch_up()
    tablet.page.evaluate("document.body.dataset.drawn = 'before'")
    box.kill()
    box.start()
    tablet.page.locator("body:not([data-drawn])").wait_for()
    tablet.act("dice", dice=[4, 5])
    tablet.shut("9 in front")
    tablet.catch_up()
    assert "shut" in tablet.state_of("9 in front")


def test_a_page_that_saw_more_than_the_memory_card_kept_says_so_after_the_cut(box: BoxProcess, tablet: Device) -> None:
    tablet.catch_up()
    box.kill()
    before = box.kept()
    box.start()
    tablet.catch_up()
    tablet.act("dice", dice=[4, 5])
    # Only what a page has been shown it can tell of.
    tablet.shut("9 in front")
    tablet.catch_up()
    box.kill()
    box.go_back_to(before)
    box.start()
    tablet.expect_notice(re.compile("The memory card has lost the last [0-9]+ steps of the game"))


def test_the_dark_stays_until_somebody_ends_it_and_a_tap_tips_tiles_meanwhile(box: BoxProcess, tablet: Device) -> None:
    tablet.catch_up()
    tablet.page.get_by_text("Break something").click()
    tablet.deed("Cut the power")
    tablet.expect_say("The power is out.")
    for tile in ("3 in front", "6 in front"):
        with tablet.page.expect_response("**/api/simulated/deeds"):
            tablet.tile(tile).dispatch_event("click")
    assert [box.snapshot.job is not None, tablet.page.locator("#hand").is_visible()] == [True, False]
    keep_picture(tablet, "the-dark")
    tablet.button("Power on again").first.click()
    tablet.expect_say("Something moved", READS_S)
    told = " ".join(tablet.page.get_by_role("region", name="What to do").get_by_role("listitem").all_inner_texts())
    assert re.findall(r"\b[1-9] in front", told) == ["3 in front", "6 in front"]
