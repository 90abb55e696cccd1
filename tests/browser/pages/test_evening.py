"""Three phones and a wall: a match with stakes, one phone out of reach for a while, and some who should not move."""

import pytest

from tests.browser.box_thread import BoxThread
from tests.browser.pages.conftest import Use
from tests.browser.pages.device import PHONE, SHUT, THROW, WALL
from tests.browser.pages.states import ANN, BEN, start
from tests.browser.whole_games import WHOLE_GAMES

pytestmark = pytest.mark.long

CLEO = {"name": "Cleo"}
# So long a phone is out of reach: a minute by the phone's own clock, where there is time for it.
AWAY_S = 60 if WHOLE_GAMES else 0
# A page so wrapped hears nothing more of the table once it is told to be deaf; what it sends goes out all the same. Its
# connection can be broken: Chromium keeps one that is open when it is told to be offline.
_WRAPPED = """
  const Real = WebSocket;
  window.WebSocket = class extends Real {
    constructor(...of) { super(...of); window.connection = this; }
    addEventListener(kind, listener) {
      super.addEventListener(kind, event => { if (kind !== "message" || !window.deaf) listener(event); });
    }
  };
"""


def test_three_phones_play_a_match_with_stakes_and_the_wall_shows_it(box: BoxThread, take: Use) -> None:
    start(box, ANN, BEN, CLEO, match="tournament", match_limit=20, stake=2)
    wall = take(WALL).open("/play")
    phones = tuple(take(PHONE).come_in(box.link(), name) for name in ("Ann", "Ben", "Cleo"))
    box.hands.plan((1, 1), (1, 1), (4, 5), (1, 1), (1, 1), (1, 2), (1, 1), (1, 1))
    phones[0].play_on(phones[1:])
    assert len(box.snapshot.winners) == 1
    assert sum(box.snapshot.coins.values()) == 0
    for each in (wall, *phones):
        each.expect_say(box.snapshot.winners[0])


def test_a_phone_that_was_out_of_reach_comes_back_to_the_table_as_it_is(box: BoxThread, take: Use) -> None:
    start(box, BEN, ANN)
    phone, other = (take(PHONE).sit(name) for name in ("Ann", "Ben"))
    phone.context.add_init_script(_WRAPPED)
    for each in (phone, other):
        each.open("/play").catch_up()
    phone.context.set_offline(True)
    phone.page.evaluate("() => window.connection.close()")
    box.hands.plan((4, 5), (3, 5))
    for _ in range(3):
        other.catch_up()
        other.step()
    other.catch_up()
    assert phone.shown() != other.shown()
    phone.page.wait_for_timeout(1000 * AWAY_S)
    phone.context.set_offline(False)
    phone.catch_up()
    shown = phone.say, phone.shown()
    phone.page.reload()
    assert (phone.say, phone.shown()) == shown
    # Whom the choice is not for is told the throw alone.
    assert other.say == f"{phone.say} Choose tiles that fit."


def test_a_second_tab_of_the_same_seat_cannot_move_twice(box: BoxThread, take: Use) -> None:
    start(box, ANN, BEN)
    first = take(PHONE).sit("Ann").open("/play")
    second = take(PHONE, storage_state=first.context.storage_state())
    second.context.add_init_script(_WRAPPED)
    second.open("/play")
    box.hands.plan((4, 5), (4, 5))
    first.catch_up()
    first.throw()
    for each, move in ((first, first.moves.first), (second, second.moves.last)):
        each.catch_up()
        move.click()
    second.page.evaluate("() => { window.deaf = true; }")
    first.command(SHUT)
    first.catch_up()
    # The same dice once more: what the second tab has chosen would be a move again.
    first.throw()
    first.catch_up()
    event = box.snapshot.event
    second.command(SHUT)
    box.rest()
    assert (box.snapshot.phase, box.snapshot.event) == ("choosing", event)


def test_a_stranger_without_a_seat_is_offered_nothing_and_cannot_move(box: BoxThread, take: Use) -> None:
    start(box, ANN, BEN)
    stranger = take(PHONE).open("/play")
    stranger.catch_up()
    assert not stranger.button(THROW).count()
    event = box.snapshot.event
    sent = stranger.context.request.post(f"{box.url}/api/commands", data={"do": "roll"})
    assert not sent.ok
    assert box.snapshot.event == event


def test_what_one_has_chosen_stays_chosen_while_others_come_and_go(box: BoxThread, take: Use) -> None:
    start(box, ANN, BEN)
    phone = take(PHONE).sit("Ann").open("/play")
    box.hands.plan((4, 5))
    phone.catch_up()
    phone.throw()
    phone.catch_up()
    phone.moves.first.click()
    take(PHONE).sit("Ben").open("/play").catch_up()
    phone.catch_up()
    phone.command(SHUT)
    box.rest()
    assert box.snapshot.phase == "awaiting_throw"
