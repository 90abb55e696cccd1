"""What a page does when an answer of the box does not come, comes late, or is asked for twice."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.box_thread import BoxThread
from tests.browser.pages.conftest import Use
from tests.browser.pages.device import PHONE, SHUT, START
from tests.browser.pages.states import ANN, BEN, choose, start, throw

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.long

LOST = "The box does not answer. Try again."


def hold_back(page: "Page", address: str) -> Callable[[], None]:
    """Let nothing of this address arrive until what is returned is called."""
    held: list[Route] = []
    is_over = False

    def hold(route: "Route") -> None:
        if is_over:
            route.continue_()
        else:
            held.append(route)

    def release() -> None:
        nonlocal is_over
        is_over = True
        for route in held:
            route.continue_()

    page.route(address, hold)
    return release


def throw_twice(box: BoxThread) -> None:
    """A game of two throws, the first of which was played, to be looked back on."""
    start(box)
    throw(box, 3, 5)
    choose(box)
    throw(box, 2, 4)


def test_where_the_odds_do_not_come_the_page_says_so(box: BoxThread, take: Use) -> None:
    start(box)
    tablet = take().sit("Ann").open("/play")
    tablet.catch_up()
    tablet.page.route("**/api/odds", lambda route: route.abort())
    tablet.button("Ask for the odds").click()
    tablet.page.get_by_text(LOST).wait_for()


def test_odds_of_a_moment_that_is_over_are_not_told(box: BoxThread, take: Use) -> None:
    start(box)
    box.hands.plan((3, 5))
    tablet = take().sit("Ann").open("/play")
    tablet.catch_up()
    release = hold_back(tablet.page, "**/api/odds")
    tablet.button("Ask for the odds").click()
    tablet.throw()
    tablet.catch_up()
    with tablet.page.expect_response("**/api/odds"):
        release()
    tablet.catch_up()
    assert not tablet.page.locator("#hint").is_visible()


def test_a_game_whose_options_do_not_come_is_not_played_by_those_of_another(box: BoxThread, take: Use) -> None:
    tablet = take().sit().open("/start")
    tablet.page.route("**/start/pub", lambda route: route.abort())
    tablet.page.get_by_role("radio", name="Pub").click()
    tablet.page.get_by_text(LOST).wait_for()
    assert not tablet.page.locator("#terms select").count()


def test_who_taps_twice_starts_one_game(box: BoxThread, take: Use) -> None:
    tablet = take().sit().open("/start")
    asked: list[str] = []
    tablet.page.on("request", lambda request: asked.append(request.url) if request.method == "PUT" else None)
    release = hold_back(tablet.page, "**/api/box")
    tablet.button(START).dblclick()
    release()
    tablet.page.wait_for_url("**/play")
    assert len(asked) == 1


def test_a_lesson_goes_on_after_an_answer_that_was_lost(box: BoxThread, take: Use) -> None:
    start(box)
    box.hands.plan((3, 5))
    tablet = take().sit("Ann")
    tablet.page.route("**/lesson?*", lambda route: route.abort())
    tablet.open("/play?lesson")
    tablet.catch_up()
    tablet.page.unroute("**/lesson?*")
    tablet.throw()
    tablet.page.get_by_role("heading", name="Add up").wait_for()


def test_a_replay_shows_the_step_that_was_asked_for_last(box: BoxThread, take: Use) -> None:
    throw_twice(box)
    tablet = take().open("/games/1?move=1")
    release = hold_back(tablet.page, "**/games/1?move=2")
    tablet.page.keyboard.press("ArrowRight")
    tablet.page.locator("a[href='?move=1']").first.click()
    with tablet.page.expect_response("**/games/1?move=2"):
        release()
    tablet.page.wait_for_load_state("networkidle")
    assert tablet.page.url.endswith("?move=1")


def test_a_step_is_not_lost_to_a_look_for_the_odds(box: BoxThread, take: Use) -> None:
    throw_twice(box)
    tablet = take()
    tablet.page.clock.install()

    def still_work_it_out(route: "Route") -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("</main>", "<p data-waits></p></main>"))

    tablet.page.route("**/games/1?move=1", still_work_it_out)
    tablet.open("/games/1?move=1")
    release = hold_back(tablet.page, "**/games/1?move=2")
    tablet.page.keyboard.press("ArrowRight")
    tablet.page.clock.run_for(3000)
    with tablet.page.expect_response("**/games/1?move=2"):
        release()
    tablet.page.wait_for_load_state("networkidle")
    assert tablet.page.url.endswith("?move=2")


def test_a_game_is_saved_as_a_picture_that_messengers_take(box: BoxThread, take: Use) -> None:
    throw_twice(box)
    tablet = take().open("/games/1?move=1")
    tablet.page.keyboard.press("ArrowRight")
    tablet.page.wait_for_url("**/games/1?move=2")
    with tablet.page.expect_download() as saved:
        tablet.button("Share the picture").click()
    assert saved.value.suggested_filename == "shutbox-1.png"
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")


def test_a_picture_that_does_not_come_is_told(box: BoxThread, take: Use) -> None:
    throw_twice(box)
    tablet = take().open("/games/1?move=1")
    tablet.page.route("**/games/1/picture", lambda route: route.abort())
    tablet.button("Share the picture").click()
    tablet.page.get_by_text("This picture cannot be drawn here.").wait_for()


def test_who_taps_twice_on_play_at_the_end_plays_nothing(box: BoxThread, take: Use) -> None:
    throw_twice(box)
    tablet = take().open("/games/1?move=2")
    button = tablet.page.locator("#run")
    label = button.inner_text()
    release = hold_back(tablet.page, "**/games/1?move=1")
    button.dblclick()
    with tablet.page.expect_response("**/games/1?move=1"):
        release()
    tablet.page.wait_for_url("**/games/1?move=1")
    assert button.inner_text() == label


def test_who_came_second_is_told_until_their_own_next_act_whatever_others_do(box: BoxThread, take: Use) -> None:
    start(box, ANN, BEN)
    throw(box, 3, 5)
    tablet = take().sit().open("/play")
    tablet.catch_up()
    release = hold_back(tablet.page, "**/api/commands")
    tablet.moves.first.click()
    tablet.button(SHUT).click()
    choose(box)
    with tablet.page.expect_response("**/api/commands"):
        release()
    tablet.expect_notice("Something else has happened")
    box.do("undo")
    box.rest()
    tablet.catch_up()
    tablet.expect_notice("Something else has happened")
    tablet.moves.first.click()
    tablet.expect_no_notice()


def test_the_own_phone_says_whose_turn_it_is_and_moves_in_the_hand(box: BoxThread, take: Use) -> None:
    start(box, ANN, BEN)
    phone = take(PHONE).sit("Ben")
    phone.page.add_init_script("navigator.vibrate = () => { window.moved = (window.moved ?? 0) + 1 }")
    phone.open("/play").catch_up()
    you = phone.page.locator(".you")
    assert you.inner_text() == "You are Ben"
    assert (you.bounding_box() or {})["width"] > 0.9 * (PHONE.width - 2 * 16)
    # A browser lets only a page move its device that was touched.
    phone.page.get_by_role("heading", level=1).click()
    throw(box, 1, 1)
    while box.snapshot.turn == "Ann":
        if box.snapshot.phase == "choosing":
            choose(box)
        elif box.snapshot.phase == "turn_lost":
            box.do("accept")
            box.rest()
        else:
            throw(box, 1, 1)
    phone.catch_up()
    assert you.inner_text() == "Your turn, Ben"
    assert phone.page.evaluate("window.moved") == 1
