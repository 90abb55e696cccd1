"""What goes wrong at a table, and how it is mended at its page: each with the sentence that the page says then."""

import re

import pytest

from hardware.tiles import Position
from tests.browser.box_thread import BoxThread
from tests.browser.pages.conftest import Use
from tests.browser.pages.device import TAKE_BACK
from tests.browser.pages.states import STATES, UNSURE, start

TRY_AGAIN, LET_THE_BOX, AS_THEY_ARE = "Let the box try again", "Let the box do it", "Leave them so"


@pytest.mark.long
def test_dice_that_cannot_be_read_are_told_by_one_tap(box: BoxThread, take: Use) -> None:
    start(box)
    box.hands.refuse(UNSURE)
    box.hands.plan((3, 5))
    tablet = take().sit("Ann").open("/play")
    tablet.catch_up()
    tablet.throw()
    tablet.catch_up()
    tablet.open_up("Type the dice")
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
def test_after_a_power_cut_the_tiles_can_count_as_they_are(box: BoxThread, take: Use) -> None:
    STATES["power cut"](box)
    tablet = take().sit("Ann").open("/play")
    tablet.catch_up()
    tablet.command(AS_THEY_ARE)
    tablet.catch_up()
    assert "shut" in tablet.state_of("3 in front")
    assert box.snapshot.phase == "awaiting_throw"
