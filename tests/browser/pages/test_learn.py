"""Learn by playing, in the browser: every idea is told when it first happens, and who knows enough plays on without."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.box_thread import BoxThread
from tests.browser.pages.conftest import Use
from tests.browser.pages.device import ACCEPT, PHONE, SMALL_PHONE, TAKE_BACK, Device, Kind, expect_text
from tests.browser.pages.states import SOON_OVER

if TYPE_CHECKING:
    from playwright.sync_api import Locator

pytestmark = pytest.mark.long

FIRST = (4, 6), ("1 in front", "2 in front", "3 in front", "4 in front")
# The shortest way from there to where one die is enough.
ON = (
    ((6, 6), ("front-5", "back-7")),
    ((3, 6), ("back-9",)),
    ((6, 6), ("front-7", "back-5")),
    ((6, 6), ("front-6", "back-6")),
    ((6, 6), ("front-8", "back-4")),
    ((4, 6), ("back-8", "back-2")),
    ((4, 5), ("front-9",)),
)


def begin(take: Use, kind: Kind = PHONE) -> Device:
    """The phone of Mia, who has begun a lesson."""
    phone = take(kind).sit().open("/learn")
    phone.page.get_by_label("Your name").fill("Mia")
    phone.button("Begin").click()
    phone.page.wait_for_url("**/play?lesson")
    phone.catch_up()
    return phone


def test_the_lesson_brings_its_box(box: BoxThread, take: Use) -> None:
    phone = take(PHONE).sit()
    other = phone.context.request.put(f"{box.url}/api/box", data={"game": "the-300", "options": {}})
    assert other.ok, other.text()
    begin(take)
    assert box.snapshot.game == "two-level"


def lesson_on(phone: Device) -> "Locator":
    return phone.page.get_by_role("region", name="Learn by playing")


def expect_idea(phone: Device, title: str, text: str) -> None:
    """Wait until this idea is told, with these words in it; beside it stands one before that still holds."""
    expect_text(lesson_on(phone).get_by_role("heading"), [title])
    expect_text(lesson_on(phone), text)


def throw(box: BoxThread, phone: Device, *dice: int) -> None:
    box.hands.plan(dice)
    phone.throw()
    phone.catch_up()


def test_the_first_turn_teaches_every_idea_when_it_happens_and_ends(box: BoxThread, take: Use) -> None:
    phone = begin(take)
    expect_idea(phone, "Throw the dice", "Shut all tiles if you can")
    throw(box, phone, *FIRST[0])
    expect_idea(phone, "Add up", "You threw 10.")
    phone.shut(*FIRST[1])
    phone.catch_up()
    expect_idea(phone, "The back row", "the 9 behind, the 8 behind, the 7 behind and the 6 behind")
    for dice, tiles in ON:
        phone.act("dice", dice=dice)
        phone.act("choose", tiles=tiles)
        phone.catch_up()
    expect_idea(phone, "One die", "one die alone")
    box.hands.plan((2,))
    phone.command("Throw one die")
    phone.catch_up()
    expect_idea(phone, "Your turn is over", "End the turn. Then the coach plays.")
    phone.command(ACCEPT)
    phone.catch_up()
    # At a simulated box the house needs nobody for its turn.
    assert box.snapshot.phase == "ended"
    expect_idea(phone, "Your first game is over", "Now you know the game.")


def test_each_idea_is_read_whole_on_a_small_phone(box: BoxThread, take: Use) -> None:
    phone = begin(take, SMALL_PHONE)
    steps: dict[str, Callable[[], None]] = {
        "Throw the dice": lambda: throw(box, phone, *FIRST[0]),
        "Add up": lambda: phone.shut(*FIRST[1]),
        "The back row": lambda: None,
    }
    for title, go_on in steps.items():
        expect_text(lesson_on(phone).get_by_role("heading"), [title])
        below = phone.page.evaluate(
            "document.querySelector('#acts').getBoundingClientRect().top"
            " - document.querySelector('#lesson').getBoundingClientRect().bottom"
        )
        assert below >= 0, title
        go_on()
        phone.catch_up()


def test_who_takes_a_choice_back_has_the_card_of_that_moment_again(box: BoxThread, take: Use) -> None:
    phone = begin(take)
    throw(box, phone, *FIRST[0])
    phone.shut(*FIRST[1])
    phone.catch_up()
    expect_idea(phone, "The back row", "the 9 behind")
    phone.command(TAKE_BACK)
    phone.catch_up()
    expect_idea(phone, "Add up", "You threw 10.")
    phone.shut(*FIRST[1])
    phone.catch_up()
    expect_idea(phone, "The back row", "the 9 behind")


def test_the_end_of_the_first_game_is_told_with_what_was_luck_and_no_turn_is_over_any_more(
    box: BoxThread, take: Use
) -> None:
    phone = begin(take)
    box.hands.plan(*SOON_OVER)
    phone.play_on()
    phone.catch_up()
    expect_idea(phone, "Your first game is over", "Now you know the game.")
    end = phone.page.get_by_role("region", name="The end")
    expect_text(end, "Lesson coach left it, open: ")
    expect_text(end.get_by_role("listitem"), ["Mia ended on ", "Lesson coach ended on "])
    assert phone.page.get_by_role("region", name="Moves").is_hidden()
    phone.command("The same again")
    phone.catch_up()
    assert end.is_hidden()


def test_who_knows_enough_leaves_the_lesson_and_the_game_goes_on(box: BoxThread, take: Use) -> None:
    phone = begin(take)
    expect_idea(phone, "Throw the dice", "Shut all tiles if you can")
    phone.button("I know enough").click()
    throw(box, phone, *FIRST[0])
    phone.shut(*FIRST[1])
    phone.catch_up()
    assert not lesson_on(phone).count()
    assert phone.page.url == f"{box.url}/play"
    assert (box.snapshot.turn, box.snapshot.phase) == ("Mia", "awaiting_throw")
