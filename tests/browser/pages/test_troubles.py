"""What goes wrong at a table, and how it is mended at its page: each with the sentence that the page says then."""

import re

import pytest

from hardware.tiles import Position
from tests.browser.box_thread import BoxThread
from tests.browser.pages.conftest import Use, keep_picture
from tests.browser.pages.device import TAKE_BACK
from tests.browser.pages.states import STATES, UNSURE, start, throw

TRY_AGAIN, LET_THE_BOX, AS_THEY_ARE = "Let the box try again", "Let the box do it", "Leave them as they are"
STUCK_S = 30  # until the box has given up on a tile, on a busy machine


@pytest.mark.long
def test_dice_that_cannot_be_read_are_told_by_one_tap(box: BoxThread, take: Use) -> None:
    start(box)
    box.hands.refuse(UNSURE)
    box.hands.plan((3, 5))
    tablet = take().sit("Ann").open("/play")
    tablet.catch_up()
    tablet.throw()
    tablet.catch_up()
    tablet.command(re.compile("^(5 and 3|3, 5)$"))
    tablet.expect_say("8")
    assert box.snapshot.throw == (3, 5)


@pytest.mark.long
def test_dice_that_were_misread_are_corrected(box: BoxThread, take: Use) -> None:
    start(box)
    box.hands.plan((3, 5))
    tablet = take().sit("Ann").open("/play")
    tablet.catch_up()
    tablet.throw()
    tablet.catch_up()
    tablet.correct(4, 5)
    tablet.expect_say("9")
    assert box.snapshot.throw == (4, 5)


@pytest.mark.long
def test_a_choice_is_taken_back(box: BoxThread, take: Use) -> None:
    start(box)
    box.hands.plan((3, 6))
    tablet = take().sit("Ann").open("/play")
    tablet.catch_up()
    tablet.throw()
    tablet.catch_up()
    tablet.shut("9 in front")
    tablet.catch_up()
    assert "shut" in tablet.state_of("9 in front")
    tablet.command(TAKE_BACK)
    tablet.catch_up()
    assert "open" in tablet.state_of("9 in front")
    tablet.expect_say("9")


@pytest.mark.long
def test_a_tile_that_is_stuck_is_named_and_tried_again(box: BoxThread, take: Use) -> None:
    STATES["jammed tile"](box)
    tablet = take().sit("Ann").open("/play")
    tablet.catch_up()
    tablet.expect_say("9 in front")
    assert tablet.state_of("9 in front") != "open"
    box.hands.mend()
    tablet.command(TRY_AGAIN)
    tablet.catch_up()
    assert "shut" in tablet.state_of("9 in front")
    assert box.snapshot.phase == "awaiting_throw"


@pytest.mark.long
def test_a_tile_that_was_jammed_on_purpose_says_so_and_is_mended_where_it_is_told(box: BoxThread, take: Use) -> None:
    start(box)
    throw(box, 3, 6)
    tablet = take().sit("Ann").open("/play")
    tablet.catch_up()
    tablet.page.get_by_text("Break something").click()
    tablet.button("Jam a tile").click()
    with tablet.page.expect_response("**/api/simulated/deeds"):
        tablet.tile("9 in front").click()
    tablet.page.get_by_text("Broken on purpose. 9 in front:").wait_for()
    tablet.shut("9 in front")
    tablet.expect_say("9 in front", STUCK_S)
    keep_picture(tablet, "jammed-on-purpose")
    tablet.deed("Mend")
    tablet.button("Mend").wait_for(state="hidden")
    tablet.command(TRY_AGAIN)
    tablet.catch_up()
    assert "shut" in tablet.state_of("9 in front")


@pytest.mark.long
def test_a_tile_that_a_hand_has_moved_is_noticed_and_so_is_its_return(box: BoxThread, take: Use) -> None:
    start(box)
    tablet = take().sit("Ann").open("/play")
    tablet.catch_up()
    box.hands.tip("front-3", Position.SHUT)
    tablet.expect_notice("3")
    box.hands.tip("front-3", Position.OPEN)
    tablet.expect_no_notice()


@pytest.mark.long
def test_a_lid_that_falls_shut_stops_the_game_until_it_is_open_again(box: BoxThread, take: Use) -> None:
    STATES["lid closed"](box)
    tablet = take().sit("Ann").open("/play")
    tablet.expect_say("Paused")
    box.hands.mend()
    tablet.catch_up()
    tablet.command("Go on")
    tablet.catch_up()
    tablet.expect_say("Ann: throw")


@pytest.mark.long
def test_after_a_power_cut_the_box_puts_right_what_was_moved(box: BoxThread, take: Use) -> None:
    start(box)
    tablet = take().sit("Ann").open("/play")
    tablet.catch_up()
    box.power_off()
    box.hands.tip("front-3", Position.SHUT)
    box.power_on()
    tablet.expect_say(re.compile("power|off|moved"))
    tablet.catch_up()
    tablet.command(LET_THE_BOX)
    tablet.catch_up()
    assert "open" in tablet.state_of("3 in front")
    assert box.snapshot.phase == "awaiting_throw"


@pytest.mark.long
def test_after_a_power_cut_a_tap_on_the_tile_is_the_hand_that_puts_it_right(box: BoxThread, take: Use) -> None:
    STATES["power cut"](box)
    tablet = take().sit("Ann").open("/play")
    tablet.catch_up()
    assert tablet.say == "Something moved while the box was off."
    with tablet.page.expect_response("**/api/simulated/deeds"):
        tablet.tile("3 in front").click()
    tablet.expect_say("Ann: throw")
    assert "open" in tablet.state_of("3 in front")


@pytest.mark.long
def test_after_a_power_cut_the_tiles_can_count_as_they_are(box: BoxThread, take: Use) -> None:
    STATES["power cut"](box)
    tablet = take().sit("Ann").open("/play")
    tablet.catch_up()
    tablet.command(AS_THEY_ARE)
    tablet.catch_up()
    assert "shut" in tablet.state_of("3 in front")
    assert box.snapshot.phase == "awaiting_throw"
