"""How the table takes what a hand does: keys that go from tile to tile, a finger that trembles, one that asks twice."""

from typing import TYPE_CHECKING

import pytest

from tests.browser.box_thread import BoxThread
from tests.browser.pages.conftest import Use, keep_picture
from tests.browser.pages.device import PHONE, SHUT, SMALL_PHONE, TABLET, Device, Kind
from tests.browser.pages.states import ANN, BEN, STATES, start, throw

UPRIGHT, ON_ITS_SIDE = Kind(820, 1180), Kind(844, 390)

if TYPE_CHECKING:
    from playwright.sync_api import Locator

pytestmark = pytest.mark.long


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


def test_a_chosen_tile_stays_in_reach_of_the_keys_when_somebody_sits_down(box: BoxThread, take: Use) -> None:
    start(box, ANN, BEN)
    throw(box, 3, 5)
    tablet = take().sit("Ann").open("/play")
    tablet.catch_up()
    eight = tablet.tile("8 in front")
    eight.focus()
    tablet.page.keyboard.press("Enter")
    take(PHONE).sit("Ben").open("/play").catch_up()
    tablet.catch_up()
    assert (eight.get_attribute("aria-pressed"), eight.get_attribute("tabindex")) == ("true", "0")


def test_the_keys_are_where_there_is_something_to_do_as_a_fault_comes_and_goes(box: BoxThread, take: Use) -> None:
    STATES["jammed tile"](box)
    tablet = take().sit("Ann").open("/play")
    tablet.catch_up()
    again = tablet.button("Let the box try again")
    again.focus()
    box.hands.mend()
    tablet.command("Let the box try again", lambda _, button: button.press("Enter"))
    tablet.catch_up()
    assert box.snapshot.phase == "awaiting_throw"
    assert tablet.page.evaluate("document.activeElement.closest('#acts') !== null")


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
    tablet.button("That is what they show").click()
    assert keypad.get_by_role("group", name="Die 2 say what it shows").is_visible()
    assert keypad.get_by_text("say what it shows").first.is_hidden()
    assert keypad.bounding_box() == before
    keypad.get_by_role("radio", name="5").last.check()
    assert keypad.get_by_text("say what it shows").last.is_hidden()
    assert keypad.get_by_role("button", name="These dice are already in play").is_disabled()
    keypad.get_by_role("radio", name="6").last.check()
    assert box.snapshot.event == event
    tablet.command("That is what they show")
    assert box.snapshot.throw == (3, 6)


def test_a_hand_that_reaches_into_the_box_covers_nothing_and_leaves_without_a_key(box: BoxThread, take: Use) -> None:
    choosing(box, take)
    phone = take(PHONE).sit().open("/play")
    phone.catch_up()
    phone.page.get_by_text("Break something").click()
    phone.button("Tip a tile by hand").click()
    hand, leave = phone.page.locator("#hand"), phone.button("Leave it")
    assert hand.inner_text().startswith("Tap the tile to tip.")
    assert "Escape" not in hand.inner_text()
    assert hand.evaluate("element => getComputedStyle(element).position") == "static"
    leave.click()
    assert hand.is_hidden()


def test_undo_that_is_not_possible_says_why_where_it_is_tapped(box: BoxThread, take: Use) -> None:
    tablet = choosing(box, take)
    why = tablet.page.locator("#why-no-undo")
    assert why.is_hidden()
    tablet.page.locator("#act-undo").dispatch_event("click")
    assert (
        why.inner_text()
        == "Nothing is shut for this throw yet: a second tap lets a tile go. What was shut before stays."
    )
    keep_picture(tablet, "no-undo")
    tablet.tile("8 in front").click()
    assert why.is_hidden()


def test_a_chair_is_left_to_another_and_who_looks_on_from_then_is_told(box: BoxThread, take: Use) -> None:
    STATES["choosing"](box)
    ann, bob = take(PHONE).sit("Ann"), take(PHONE).sit()
    ann.open("/join")
    bob.open("/join")
    full = bob.page.locator("[data-full]")
    full.get_by_text("You can watch this game, and play in the next one.").wait_for()
    assert bob.page.get_by_role("radio").count() == 1
    keep_picture(bob, "full")
    bob.page.get_by_label("Your name").fill("Bob")
    bob.button("Sit down").click()
    bob.page.wait_for_url("**/play")
    bob.expect_notice("You are watching. You are in the next game, Bob.")
    bob.open("/join")
    ann.button("Leave this seat to somebody else").click()
    bob.page.get_by_role("radio", name="Ann").check()
    keep_picture(bob, "take-over")
    bob.page.locator("#sit button").click()
    bob.page.wait_for_url("**/play")
    ann.open("/play")
    ann.expect_notice("You are watching: Ann plays on another device.")
    assert not ann.button(SHUT).count()
    assert ann.page.locator("#acts").get_by_role("link", name="Seats at this game").is_visible()
    keep_picture(ann, "looks-on")


def test_a_chair_that_is_chosen_turns_into_no_other_when_somebody_takes_it(box: BoxThread, take: Use) -> None:
    start(box, ANN, BEN)
    phone = take(PHONE).sit().open("/join")
    phone.page.get_by_role("radio", name="Ann").check()
    take(PHONE).sit("Ann").open("/play").catch_up()
    phone.page.get_by_text("taken").wait_for()
    assert not phone.page.get_by_role("radio", name="Ben").is_checked()
    keep_picture(phone, "chair-taken")


def test_who_may_act_for_a_chair_from_now_on_can_choose_for_it(box: BoxThread, take: Use) -> None:
    start(box, ANN, BEN)
    tablet = take().sit().open("/play")
    tablet.catch_up()
    ben = take(PHONE).sit("Ben").open("/play")
    box.hands.plan((3, 5))
    tablet.throw()
    ben.catch_up()
    assert not ben.moves.count()
    tablet.page.goto("about:blank")
    ben.moves.first.wait_for()
    ben.shut("8 in front")
    assert box.snapshot.news.startswith("Ann")


def test_a_device_that_keeps_nothing_of_pages_shows_the_table_live(box: BoxThread, take: Use) -> None:
    phone = take(PHONE).sit()
    phone.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no', 'SecurityError'); }})"
    )
    phone.open("/play")
    start(box)
    phone.catch_up()
    assert not phone.complaints
    assert phone.say.startswith("Ann")


def test_a_link_of_another_day_leads_to_joining_with_the_code(box: BoxThread, take: Use) -> None:
    stranger = take(PHONE).open("/join/AAAAAAAAAAAAAAAAAAAAAA")
    assert stranger.page.get_by_role("status").get_by_text("This link was for another day.").is_visible()
    assert stranger.page.locator("#refused").inner_text() == ""
    keep_picture(stranger, "stale-link")


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
    tablet.command("Play on after all")
    tablet.catch_up()
    assert (box.snapshot.game_id, box.snapshot.moves) == (before.game_id, before.moves)
    box.do("abandon")
    tablet.catch_up()
    tablet.command("The same again")
    tablet.catch_up()
    assert box.snapshot.game_id > before.game_id


def test_another_stage_of_the_evening_begins_at_the_top_of_the_page(box: BoxThread, take: Use) -> None:
    start(box)
    phone = take(SMALL_PHONE).sit("Ann").open("/play")
    places = []
    for do, words in (("dice", {"dice": [3, 6]}), ("abandon", {}), ("start", {"players": [ANN, BEN], "game": "fleet"})):
        phone.catch_up()
        phone.page.evaluate("scrollTo(0, 200)")
        phone.act(do, **words)
        phone.catch_up()
        places.append(phone.page.evaluate("scrollY"))
    assert places == [200, 0, 0]


def test_the_drawer_shuts_for_who_reaches_past_it_and_when_the_game_is_over(box: BoxThread, take: Use) -> None:
    tablet = choosing(box, take)
    drawer, inside = tablet.page.get_by_text("Break something"), tablet.button("Cut the power")
    drawer.click()
    assert inside.is_visible()
    tablet.tile("8 in front").click()
    assert inside.is_hidden()
    drawer.click()
    tablet.act("abandon")
    inside.wait_for(state="hidden")
    tablet.page.get_by_role("link", name="New game").click()
    tablet.page.wait_for_url("**/start")


@pytest.mark.parametrize("kind", [PHONE, SMALL_PHONE, UPRIGHT, TABLET, ON_ITS_SIDE], ids=str)
def test_the_main_button_and_the_one_beside_it_keep_their_place(box: BoxThread, take: Use, kind: Kind) -> None:
    """However long the list of moves is, and whatever is chosen; whoever scrolls past them has them with him."""
    start(box)
    device = take(kind).sit("Ann").open("/play")
    places = []
    for dice, chosen in (((3, 6), ("front-1", "front-2", "front-6")), ((6, 6), ("front-5", "front-7"))):
        device.catch_up()
        places.append(places_on(device))
        device.act("dice", dice=dice)
        device.catch_up()
        for tile in chosen:
            device.page.locator(f"#{tile}").dispatch_event("click")
        places.append(places_on(device))
        device.page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
        assert all(0 < lower <= kind.height for _, lower in places_on(device))
        device.page.evaluate("() => scrollTo(0, 0)")
        device.act("choose", tiles=chosen)
    assert places.count(places[0]) == len(places), places


def places_on(device: Device) -> tuple[tuple[float, float], ...]:
    """Where the two buttons stand on the screen: their left and lower edges."""
    main, undo = (device.page.locator(f"#acts > {which}").bounding_box() for which in (":first-child", "#act-undo"))
    assert main
    assert undo
    return tuple((round(each["x"]), round(each["y"] + each["height"])) for each in (main, undo))
