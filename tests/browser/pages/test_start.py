"""Games are started from the page, by somebody who was let in by the address in the QR code."""

import re

import pytest

from tests.browser.box_thread import BoxThread
from tests.browser.pages.conftest import Use
from tests.browser.pages.device import PHONE, START, Device, Kind
from tests.browser.pages.states import SOON_OVER, STATES
from tests.browser.whole_games import WHOLE_GAMES

# One of each kind of box; `make test-browser` takes all, and tests/controller/web/pages/test_every_game.py, too.
SOME = ("two-level", "thai", "the-300", "dominoes")


@pytest.mark.long
def test_a_newcomer_comes_by_the_address_starts_and_plays_to_the_end(box: BoxThread, take: Use) -> None:
    phone = take(PHONE).open(box.link())
    phone.start()
    box.hands.plan(*SOON_OVER)
    phone.play_on()
    assert box.snapshot.winners


def test_the_button_says_at_once_which_game_it_starts(box: BoxThread, take: Use) -> None:
    phone = take(PHONE).open(box.link())
    phone.open("/start")
    # The options of the game do not come.
    phone.page.route("**/start/pub", lambda route: route.abort())
    phone.page.locator("[name=game][value=pub]").check()
    assert phone.button(START).inner_text() == "Start Pub"
    assert phone.page.locator("[data-earlier]").first.text_content() == "↑"


@pytest.mark.long
def test_every_game_that_a_simulated_box_can_show_starts_from_the_page(box: BoxThread, take: Use) -> None:
    tablet = take().open(box.link())
    games = games_on(tablet)
    assert len(games) >= len(SOME)
    for game in games if WHOLE_GAMES else SOME:
        tablet.open("/start")
        tablet.open_up("All games")
        tablet.page.locator(f"[name=game][value='{game}']").check()
        tablet.start()
        assert box.snapshot.game == game
        tablet.expect_say(re.compile("throw", re.IGNORECASE))
        box.do("abandon")


def games_on(device: Device) -> list[str]:
    """The games that can be started there."""
    device.open("/start")
    device.open_up("All games")
    radios = device.page.get_by_role("group", name="Game").get_by_role("radio", disabled=False)
    return [str(each.get_attribute("value")) for each in radios.all()]


@pytest.mark.long
def test_letters_instead_of_numbers_are_chosen_with_the_game(box: BoxThread, take: Use) -> None:
    phone = take(PHONE).open(box.link())
    phone.open("/start")
    phone.page.get_by_text("Options, all as in").click()
    phone.page.get_by_role("radio", name="Letters").check()
    phone.start()
    phone.catch_up()
    assert phone.tile("A in front").inner_text() == "A"
    box.do("abandon")
    phone.open("/start")
    assert phone.page.get_by_role("radio", name="Letters").is_checked()


@pytest.mark.long
def test_what_is_typed_wrong_and_then_hidden_keeps_no_game_from_starting(box: BoxThread, take: Use) -> None:
    phone = take(PHONE).open(box.link())
    phone.open("/start")
    match, rounds = (phone.page.locator(f"[name={name}]") for name in ("match", "rounds"))
    match.select_option("points")
    rounds.fill("0")
    match.select_option("single")
    assert not rounds.is_visible()
    phone.start()
    assert box.snapshot.phase != "idle"


@pytest.mark.long
def test_what_is_typed_wrong_and_then_folded_away_is_shown(box: BoxThread, take: Use) -> None:
    phone = take(PHONE).open(box.link())
    phone.open("/start")
    options = phone.page.get_by_text("Options, all as in")
    options.click()
    field = phone.page.locator("details input[type=number]:enabled").first
    field.fill("-1")
    options.click()
    assert not field.is_visible()
    phone.button(START).click()
    assert field.evaluate("field => field === document.activeElement")


@pytest.mark.long
def test_too_long_a_name_is_refused_at_its_field_whole_and_its_limit_stands_there(box: BoxThread, take: Use) -> None:
    phone, name = take(PHONE).open(box.link()), "Maximiliane-Theodora " * 2
    phone.open("/start")
    field = phone.page.get_by_role("textbox", name="Name").first
    assert phone.page.get_by_text("A name has at most 24 letters.").is_visible()
    field.clear()
    field.press_sequentially(name.strip())
    assert field.input_value() == name.strip()
    phone.button(START).click()
    assert field.evaluate("field => field.matches(':user-invalid') && field === document.activeElement")
    assert (field.get_attribute("title"), box.snapshot.phase) == ("At most 24 letters", "idle")
    field.fill("Maximiliane-Theodora Mae")
    phone.start()
    assert "Maximiliane-Theodora Mae" in box.snapshot.players


@pytest.mark.long
def test_a_code_that_lacks_is_told_at_its_field_and_not_at_the_name_and_who_sat_down_is_in(
    box: BoxThread, take: Use
) -> None:
    phone = take(PHONE).open("/join")
    phone.page.get_by_role("textbox", name="Your name").fill("Ben")
    phone.button("Sit down").click()
    code = phone.page.get_by_role("textbox", name="Today's code")
    assert code.evaluate("field => field.matches(':user-invalid') && field === document.activeElement")
    limit = phone.page.get_by_text("A name has at most 24 letters.")
    assert limit.evaluate("element => getComputedStyle(element).fontWeight") == "400"
    code.fill(box.code())
    phone.button("Sit down").click()
    phone.page.wait_for_url("**/start")
    assert phone.page.get_by_text("You are in, Ben: you play in the next game").is_visible()


@pytest.mark.long
def test_a_long_word_for_undo_stays_in_its_column(box: BoxThread, take: Use) -> None:
    STATES["choosing"](box)
    tablet = take(Kind(1024, 768), locale="de").sit("Ann").open("/play")
    tablet.catch_up()
    undo, seats = (tablet.page.locator(which).bounding_box() for which in ("#act-undo", "#seats"))
    assert undo
    assert seats
    assert undo["x"] + undo["width"] <= seats["x"] + seats["width"] + 1


def listed(device: Device) -> list[str]:
    """The players in the list of the next game."""
    return [each.input_value() for each in device.page.get_by_role("textbox", name="Name", exact=True).all()]


@pytest.mark.long
def test_people_who_sit_down_take_the_places_of_those_who_only_stand_in(box: BoxThread, take: Use) -> None:
    tablet = take().open(box.link()).open("/start")
    chosen = take().open(box.link()).open("/start")
    assert listed(tablet) == ["Player", "House"]
    chosen.page.get_by_label("How well the house plays").select_option("perfect")
    take(PHONE).sit("Ann").open("/start")
    tablet.page.locator("[data-waiting=Ann]").wait_for(state="attached")
    assert listed(tablet) == ["Ann", "House"]
    take(PHONE).sit("Ben").open("/start")
    for each in (tablet, chosen):
        each.page.locator("[data-waiting=Ben]").wait_for(state="attached")
    assert listed(tablet) == ["Ann", "Ben"]
    assert listed(chosen) == ["Ann", "House", "Ben"]


@pytest.mark.long
def test_a_refused_name_is_told_with_its_reason_and_start_is_the_main_button_only_between_games(
    box: BoxThread, take: Use
) -> None:
    phone = take(PHONE).open(box.link()).open("/start")
    colour = "element => getComputedStyle(element).backgroundColor"
    green = phone.button(START).evaluate(colour)
    name = phone.page.get_by_role("textbox", name="Name", exact=True).first
    name.fill("\N{MAN}\u200d\N{WOMAN}")
    phone.button(START).click()
    refused = phone.page.locator("#refused")
    refused.get_by_text("cannot be a name: it has something in it that is not seen").wait_for()
    STATES["throw"](box)
    table = phone.page.get_by_role("link", name="To the table")
    phone.open("/start")
    assert table.evaluate(colour) == green
    assert phone.button(START).evaluate(colour) != green


@pytest.mark.long
def test_without_scripts_no_form_is_offered_and_what_works_is_linked(box: BoxThread, take: Use) -> None:
    # Who sits at the table would be offered most.
    for path in ("/start", "/join", "/play", "/learn"):
        STATES["idle" if path != "/play" else "choosing"](box)
        phone = take(PHONE, java_script_enabled=False).sit().open(path)
        # Words of a `noscript` are found by no text.
        note = phone.page.locator("noscript p")
        assert note.is_visible()
        offered = phone.page.locator("button:not(#box *), input, select")
        assert not [each.evaluate("e => e.outerHTML") for each in offered.all() if each.is_visible()], path
        note.get_by_role("link", name="Rules").click()
        assert phone.page.get_by_role("heading", level=1).is_visible()


@pytest.mark.long
def test_who_comes_back_to_the_choice_of_a_game_finds_it_with_its_own_options(box: BoxThread, take: Use) -> None:
    phone = take(PHONE).sit("Ann").open("/start")
    phone.page.get_by_role("radio", name="Pub").check()
    phone.button("Start Pub").wait_for()
    phone.page.get_by_role("link", name="Look back").click()
    phone.page.wait_for_url("**/games")
    phone.page.go_back()
    phone.button("Start Pub").click()
    phone.page.wait_for_url("**/play")
    assert box.snapshot.game == "pub"
