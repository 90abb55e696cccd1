"""The screen on the wall is read from four metres: by the size of its capitals and by their contrast."""

import pytest

from tests.browser.box_thread import BoxThread
from tests.browser.pages.conftest import Use
from tests.browser.pages.device import PHONE, WALL
from tests.browser.pages.legible import writing_on
from tests.browser.pages.states import ANN, BEN, STATES, start, throw

pytestmark = pytest.mark.long

# ISO 9241-303 wants 16 minutes of arc at least; WCAG a contrast of 4.5, and of 3 for large writing, which all here is.
LEAST_MINUTES, LEAST_CONTRAST = 16.0, 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_all_on_the_wall_is_read_at_four_metres(box: BoxThread, take: Use, theme: str) -> None:
    start(box, ANN, BEN, match="tournament", stake=2)
    throw(box, 3, 5)
    wall = take(WALL, color_scheme=theme).open("/wall")
    wall.catch_up()
    writing = writing_on(wall)
    assert "Ben" in [each.text for each in writing]
    assert not [each for each in writing if each.minutes < LEAST_MINUTES or each.contrast < LEAST_CONTRAST]


def test_a_wall_that_has_lost_the_box_says_so_while_it_has(box: BoxThread, take: Use) -> None:
    start(box)
    wall = take(WALL).open("/wall")
    wall.catch_up()
    lost = wall.page.get_by_text("No connection")
    assert not lost.is_visible()
    wall.context.set_offline(True)
    lost.wait_for()
    assert not [each for each in writing_on(wall) if each.minutes < LEAST_MINUTES or each.contrast < LEAST_CONTRAST]
    wall.context.set_offline(False)
    lost.wait_for(state="hidden")


def test_what_is_too_small_for_the_wall_is_seen(box: BoxThread, take: Use) -> None:
    start(box)
    phone = take(PHONE).open("/play")
    phone.catch_up()
    page = phone.page
    page.set_viewport_size({"width": 1920, "height": 1080})
    assert [each for each in writing_on(phone) if each.minutes < LEAST_MINUTES]


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_after_a_start_the_wall_shows_the_last_game_and_is_read_at_four_metres(
    box: BoxThread, take: Use, language: str
) -> None:
    STATES["played out"](box)
    ended = take(WALL, locale=language).sit().open("/wall")
    ended.catch_up()
    won = ended.page.locator(".scores .won")
    assert won.count() == len(box.snapshot.winners)
    walls = [ended]
    box.power_off()
    box.power_on()
    walls.append(take(WALL, locale=language).open("/wall"))
    ended.page.locator(".rest h2").wait_for()
    for wall in walls:
        wall.catch_up()
        assert wall.page.locator(".rest h2").is_visible()
        small = [each for each in writing_on(wall) if each.minutes < LEAST_MINUTES or each.contrast < LEAST_CONTRAST]
        assert not small
        bottom, top = (wall.page.locator(which).bounding_box() for which in (".rest", ".low"))
        assert bottom
        assert top
        last = wall.page.locator(".rest > :last-child").bounding_box()
        assert last
        assert last["y"] + last["height"] <= max(top["y"], WALL.height * (top["height"] == 0))
