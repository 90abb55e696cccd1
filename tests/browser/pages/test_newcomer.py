"""Somebody who is here for the first time finishes a game: by tapping, by the keys alone, by names alone."""

import pytest

from tests.browser.box_thread import BoxThread
from tests.browser.pages.conftest import Use
from tests.browser.pages.device import PHONE, Device
from tests.browser.pages.states import SOON_OVER, start
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
