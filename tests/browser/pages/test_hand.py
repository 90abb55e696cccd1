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


def test_what_tile_does_not_fit_is_told_why_and_nothing_moves(box: BoxThread, take: Use) -> None:
    tablet = choosing(box, take)
    before = tablet.page.locator("#moves").bounding_box()
    for tile, why in (
        ("9 in front", "9 does not go with 5 and 3."),
        ("4 behind", "The 4 behind is hidden: the one in front goes first."),
    ):
        tablet.tile(tile).dispatch_event("click")
        assert tablet.page.get_by_role("status").get_by_text(why, exact=True).is_visible()
    tablet.tile("8 in front").click()
    tablet.tile("3 in front").dispatch_event("click")
    assert tablet.page.locator("#why").inner_text() == "3 does not go together with 8."
    assert tablet.page.locator("#moves").bounding_box() == before
    tablet.command(SHUT)
    tablet.catch_up()
    assert not tablet.page.locator("#why").count()


def test_half_a_correction_is_told_at_the_die_that_lacks_and_the_same_dice_are_none(box: BoxThread, take: Use) -> None:
    tablet = choosing(box, take)
    tablet.page.get_by_text("Dice wrong?").click()
    keypad = tablet.page.locator(".keypad")
    if not keypad.is_visible():
        tablet.page.get_by_text("Other dice").click()
    before, event = keypad.bounding_box(), box.snapshot.event
    keypad.get_by_role("radio", name="3").first.check()
    tablet.button("That is what lies there").click()
    assert keypad.get_by_role("group", name="Die 2 say what it shows").is_visible()
    assert keypad.get_by_text("say what it shows").first.is_hidden()
    assert keypad.bounding_box() == before
    keypad.get_by_role("radio", name="5").last.check()
    assert keypad.get_by_text("say what it shows").last.is_hidden()
    assert keypad.get_by_role("button", name="These dice are played already").is_disabled()
    keypad.get_by_role("radio", name="6").last.check()
    assert box.snapshot.event == event
    tablet.command("That is what lies there")
    assert box.snapshot.throw == (3, 6)


def test_giving_up_is_asked_once_and_the_same_game_can_be_played_again(box: BoxThread, take: Use) -> None:
    start(box)
    tablet = take().sit().open("/play")
    tablet.catch_up()
    before = box.snapshot
    tablet.button("Give up").click()
    tablet.button("No, leave it").click()
    assert tablet.page.get_by_role("dialog").count() == 0
    tablet.button("Give up").click()
    assert [each.inner_text() for each in tablet.page.get_by_role("dialog").get_by_role("button").all()] == [
        "No, leave it",
        "End it for everybody",
    ]
    assert box.snapshot.event == before.event
    tablet.command("End it for everybody")
    tablet.catch_up()
    assert box.snapshot.phase == "ended"
    tablet.command("The same again")
    tablet.catch_up()
    assert box.snapshot.game_id > before.game_id
