"""How the table takes what a hand does: keys that go from tile to tile, a finger that trembles, one that asks twice."""

from typing import TYPE_CHECKING

from tests.browser.box_thread import BoxThread
from tests.browser.pages.conftest import Use
from tests.browser.pages.device import SHUT, Device
from tests.browser.pages.states import STATES, start

if TYPE_CHECKING:
    from playwright.sync_api import Locator


def has_focus(found: "Locator") -> bool:
    return bool(found.evaluate("element => element === document.activeElement"))


def choosing(box: BoxThread, take: Use) -> Device:
    """A tablet whose player has thrown 3 and 5."""
    STATES["choosing"](box)
    tablet = take().sit("Ann").open("/play")
    tablet.catch_up()
    return tablet


def test_arrows_go_from_tile_to_tile_and_escape_lets_go_of_all(box: BoxThread, take: Use) -> None:
    tablet = choosing(box, take)
    keys, eight = tablet.page.keyboard, tablet.tile("8 in front")
    tablet.tile("7 in front").focus()
    keys.press("ArrowRight")
    assert has_focus(eight)
    keys.press("Enter")
    assert eight.get_attribute("aria-pressed") == "true"
    keys.press("Escape")
    assert eight.get_attribute("aria-pressed") == "false"


def test_a_finger_that_trembles_taps_once(box: BoxThread, take: Use) -> None:
    tablet = choosing(box, take)
    tablet.tile("8 in front").click()
    tablet.command(SHUT, lambda _, button: button.dblclick())
    tablet.catch_up()
    assert box.snapshot.phase == "awaiting_throw"
    assert tablet.state_of("8 in front") == "shut"
    assert not tablet.page.locator("#refused").count()


def test_giving_up_is_asked_once_and_the_same_game_can_be_played_again(box: BoxThread, take: Use) -> None:
    start(box)
    tablet = take().sit().open("/play")
    tablet.catch_up()
    before = box.snapshot
    tablet.button("Give up").click()
    assert box.snapshot.event == before.event
    tablet.command("End it for everybody?")
    tablet.catch_up()
    assert box.snapshot.phase == "ended"
    tablet.command("The same again")
    tablet.catch_up()
    assert box.snapshot.game_id > before.game_id
