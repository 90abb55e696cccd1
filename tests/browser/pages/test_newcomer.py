"""Somebody who is here for the first time finishes a game: by tapping, by the keys alone, by names alone."""

import pytest

from tests.browser.box_thread import BoxThread
from tests.browser.pages.conftest import Use
from tests.browser.pages.device import PHONE, SMALL_PHONE, Device
from tests.browser.pages.states import ANN, BEN, SOON_OVER, start
from tests.browser.whole_games import WHOLE_GAMES

pytestmark = pytest.mark.long


def test_a_first_game_against_the_house_is_played_by_tapping(box: BoxThread, take: Use) -> None:
    start(box)
    if not WHOLE_GAMES:
        box.hands.plan(*SOON_OVER)
    phone = take(PHONE).sit("Ann").open("/play")
    phone.play_on()
    assert box.snapshot.winners


def test_a_game_is_played_by_the_keys_alone(box: BoxThread, take: Use) -> None:
    start(box)
    box.hands.plan(*SOON_OVER)
    take().sit("Ann").open("/play").play_on(by=Device.press)
    assert box.snapshot.winners


def test_a_game_is_played_by_names_alone(box: BoxThread, take: Use) -> None:
    start(box)
    box.hands.plan(*SOON_OVER)
    take(PHONE).sit("Ann").open("/play").play_on(by=Device.find)
    assert box.snapshot.winners


def test_who_waits_at_the_door_is_at_the_table_when_the_game_begins(box: BoxThread, take: Use) -> None:
    ann, ben = take(PHONE).sit("Ann").open("/join"), take(PHONE).sit("Ben").open("/join")
    start(box, ANN, BEN)
    for phone in (ann, ben):
        phone.page.wait_for_url("**/play")
    # Whoever comes back to let others in may stay.
    ann.open("/join").catch_up()
    assert ann.page.url.endswith("/join")


def test_tiles_fall_and_dice_roll_in_sight_of_who_was_down_at_the_moves(box: BoxThread, take: Use) -> None:
    start(box)
    phone = take(SMALL_PHONE).sit("Ann").open("/play")
    box.hands.plan((4, 6), (4, 6))
    down = "scrollTo(0, document.body.scrollHeight); scrollY"
    assert phone.page.evaluate(down) > 0
    phone.throw()
    assert phone.page.evaluate("scrollY") == 0
    phone.catch_up()
    assert phone.page.evaluate(down) > 0
    phone.choose_first()
    assert phone.page.evaluate("scrollY") == 0
