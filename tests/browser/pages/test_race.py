"""Races on the pages: six phones name, count, throw their own dice and shout, and everybody sees who has which chip."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from controller.game.fleet.engine import ColumnView, RaceView
from controller.odds.fleet.advice import FleetOdds
from controller.rules.fleet.dice import SET_SIZE, Dice
from controller.rules.fleet.ruleset import fleet_rules_of
from controller.settings import Pace
from tests.browser.box_thread import BoxThread, serve_box
from tests.browser.node import AXE, NEEDS_PACKAGES
from tests.browser.pages.axe import find_barriers
from tests.browser.pages.conftest import Use
from tests.browser.pages.device import PHONE, SMALL_PHONE, TABLET, WALL, Device, expect_text
from tests.browser.pages.legible import writing_on
from tests.browser.whole_games import WHOLE_GAMES

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")
RULES = fleet_rules_of("fleet")
THROW_ALL, THROW_OTHERS, SHOUT, GO = "Throw your six dice", "Throw the other dice", "Fleet!", "GO"
# Three seconds of counting are for people.
QUICK = Pace(house_thinks_s=0, house_throws_s=0.5, watch_every_s=0.1, count_s=0.1)
# Many devices in one browser: nothing on them moves that need not.
CALM = {"reduced_motion": "reduce"}
LEAST_MINUTES, LEAST_CONTRAST = 16.0, 4.5
MOST_STEPS = 400
A_MOMENT_MS = 50


@pytest.fixture
def box(browser: "Browser", tmp_path: Path) -> Iterator[BoxThread]:
    with serve_box(tmp_path, pace=QUICK) as box:
        yield box


def begin(box: BoxThread, *names: str, house: bool = False, **options: object) -> None:
    players: list[dict[str, object]] = [{"name": name} for name in names]
    if house:
        players.append({"name": "House", "house": True, "strength": "steady"})
    box.do("start", game="fleet", players=players, options={"first": "chosen", **options})
    box.rest()


def race_of(box: BoxThread) -> RaceView:
    race = box.snapshot.race
    assert race is not None
    return race


def column_of(box: BoxThread, name: str) -> ColumnView:
    return next(column for column in race_of(box).columns if column.player == name)


def name_combination(box: BoxThread, phone: Device, name: str, number: int) -> None:
    """Tap on one that is left: another for each player, so that several are shown."""
    left = [row for row in race_of(box).rows if row.name not in column_of(box, name).boxes]
    phone.command(left[number % len(left)].title)


def name_all(box: BoxThread, phones: Sequence[Device]) -> None:
    """Each names one on his phone, where the sheet does not say what all race for."""
    if box.snapshot.phase == "naming":
        for number, phone in enumerate(phones):
            name_combination(box, phone, NAMES[number], number)


def throw_or_shout(box: BoxThread, phone: Device, name: str) -> bool:
    """What a player does who knows the odds: keep the best dice and throw the others, or shout. False if he waits."""
    column = column_of(box, name)
    # A claim that is looked at may end the round for the last one, amid what he does.
    is_looked_at = any(each.shouted for each in race_of(box).columns)
    if column.named is None or column.chip is not None or is_looked_at or not box.snapshot.can("shout"):
        return False
    kept, thrown = Dice(column.kept), Dice(column.dice)
    if not len(thrown):
        phone.command(THROW_ALL)
        return True
    combination = RULES.combination(column.named)
    # The page shows them a moment after the box has thrown.
    mark = "".join(map(str, (*column.kept, "-", *column.dice)))
    phone.page.locator(f"#die-1-{mark}-1").wait_for()
    if RULES.has(kept + thrown, combination):
        phone.command(SHOUT)
        return True
    keep = list(FleetOdds(RULES).after(combination, thrown, kept).best[0].faces)
    for place, face in enumerate(column.dice, start=1):
        if face in keep:
            keep.remove(face)
            phone.page.locator(f"#die-1-{mark}-{place}").check()
    phone.command(THROW_OTHERS)
    return True


def play_round(box: BoxThread, phones: Sequence[Device]) -> None:
    """One round, from the names to the last chip."""
    at = box.snapshot.round
    name_all(box, phones)
    phones[0].command(GO)
    for _ in range(MOST_STEPS):
        done = [throw_or_shout(box, phone, name) for phone, name in zip(phones, NAMES, strict=True)]
        if box.snapshot.round != at or box.snapshot.phase == "ended":
            box.rest()
            return
        if not any(done):
            # The box counts, looks at a claim, or moves the tile of a chip.
            phones[0].page.wait_for_timeout(A_MOMENT_MS)
    raise AssertionError(f"the round does not end: {box.snapshot.say}")


def pass_round(box: BoxThread, phones: Sequence[Device]) -> None:
    """One round in which nobody has it."""
    name_all(box, phones)
    phones[0].command(GO)
    while box.snapshot.phase != "racing":
        box.rest()
    phones[0].button("End the round").click()
    phones[0].command("End it for those who race")
    box.rest()


def six_phones(box: BoxThread, take: Use) -> tuple[Device, ...]:
    """A phone for each of them."""
    return tuple(take(PHONE, **CALM).come_in(box.link(), name) for name in NAMES)


def points_on(device: Device) -> list[str]:
    """The row of totals, as it is read there."""
    return list(device.page.locator("tfoot td").all_inner_texts())


@pytest.mark.long
def test_six_phones_race_two_rounds_and_all_see_who_has_which_chip(box: BoxThread, take: Use) -> None:
    begin(box, *NAMES)
    phones = six_phones(box, take)
    watcher = take(TABLET, **CALM).open("/play")
    for _ in range(2):
        play_round(box, phones)
    wall = take(WALL).open("/wall")
    assert box.snapshot.round == 3
    totals = [str(column.total) for column in race_of(box).columns]
    assert sum(map(int, totals)) == 2 * (1 + 2 + 3 + 4 + 5 + 6)
    for device in (*phones, watcher, wall):
        device.catch_up()
        assert points_on(device) == totals
        assert not device.complaints


@pytest.mark.long
def test_six_phones_race_to_the_end(box: BoxThread, take: Use) -> None:
    begin(box, *NAMES, challenge="announced" if WHOLE_GAMES else "in_order")
    phones = six_phones(box, take)
    while box.snapshot.phase != "ended":
        if WHOLE_GAMES or box.snapshot.round == 1:
            play_round(box, phones)
        else:
            pass_round(box, phones)
    for phone in phones:
        phone.expect_say(box.snapshot.winners[0])
    phones[0].button("Look back").or_(phones[0].page.get_by_role("link", name="Look back")).click()
    phones[0].page.wait_for_url("**/games/*")
    assert points_on(phones[0]) == [str(column.total) for column in race_of(box).columns]


@pytest.mark.long
def test_what_one_has_named_is_on_nobody_else_s_phone_before_all_have(box: BoxThread, take: Use) -> None:
    begin(box, "Ann", "Ben")
    ann, ben = (take(PHONE).come_in(box.link(), name) for name in ("Ann", "Ben"))
    ann.command("All Fives")
    for phone in (ann, ben):
        phone.catch_up()
    assert ann.page.get_by_role("button", name="All Fives").get_attribute("aria-pressed") == "true"
    assert ben.page.get_by_role("button", name="All Fives").get_attribute("aria-pressed") == "false"
    ben.command("Straight")
    ben.expect_say("For you: Straight")
    assert ben.page.get_by_role("region", name="Seats").get_by_text("All Fives").count()


@pytest.mark.long
def test_a_tap_meant_for_a_die_names_no_combination(box: BoxThread, take: Use) -> None:
    begin(box, "Ann", "Ben")
    ann = take(PHONE, reduced_motion="no-preference").come_in(box.link(), "Ann")
    # As at the moment at which the button comes, and when it has been there for a while.
    hit = """() => {
        const name = document.querySelector('[data-do=name]');
        const { x, y, width, height } = name.getBoundingClientRect();
        const isHit = () => name.contains(document.elementFromPoint(x + width / 2, y + height / 2));
        name.style.animation = "none";
        name.getBoundingClientRect();
        name.style.animation = "";
        const soon = isHit();
        for (const each of name.getAnimations()) each.finish();
        return [soon, isHit()];
    }"""
    assert ann.page.evaluate(hit) == [False, True]


@pytest.mark.long
def test_a_phone_that_was_out_of_reach_comes_back_into_the_race(box: BoxThread, take: Use) -> None:
    begin(box, "Ann", "Ben", "Cleo", challenge="in_order")
    ann, ben = (take(PHONE).come_in(box.link(), name) for name in ("Ann", "Ben"))
    ann.command(GO)
    for phone in (ann, ben):
        phone.command(THROW_ALL)
    ann.context.set_offline(True)
    ann.page.wait_for_timeout(100)
    for _ in range(MOST_STEPS):
        if column_of(box, "Ben").chip is not None:
            break
        throw_or_shout(box, ben, "Ben")
        ben.page.wait_for_timeout(A_MOMENT_MS)
    ann.context.set_offline(False)
    ann.page.reload()
    # Her dice lie as she left them, and what Ben has done meanwhile makes nothing that she does too late.
    throw_or_shout(box, ann, "Ann")
    assert len(column_of(box, "Ann").dice) + len(column_of(box, "Ann").kept) == SET_SIZE
    assert ann.page.get_by_role("list", name="Chips of this round").get_by_text("Ben").count()


@pytest.mark.long
def test_a_device_that_several_play_at_acts_for_the_one_that_is_chosen(box: BoxThread, take: Use) -> None:
    begin(box, "Ann", "Ben", challenge="in_order")
    tablet = take(TABLET).sit().open("/play")
    tablet.command(GO)
    tablet.page.get_by_role("radio", name="Ben").check(force=True)
    tablet.command(THROW_ALL)
    tablet.catch_up()
    assert column_of(box, "Ben").dice
    assert not column_of(box, "Ann").dice


@pytest.mark.long
def test_a_wrong_shout_is_said_and_a_shout_can_be_typed(box: BoxThread, take: Use) -> None:
    begin(box, "Ann", "Ben", "Cleo", challenge="in_order")
    phone = take(PHONE).come_in(box.link(), "Ann")
    phone.command(GO)
    phone.command(SHOUT)
    for face in (2, 2, 2, 3, 3, 3):
        phone.page.get_by_role("button", name=str(face), exact=True).click()
    phone.command("That is what they show")
    expect_text(phone.page.get_by_role("region", name="Your part"), "Missing: ")
    assert column_of(box, "Ann").chip is None
    phone.command(SHOUT)
    phone.command("Take the shout back")
    phone.command(SHOUT)
    for name in ("2", "2", "2", "2", "boat", "boat"):
        phone.page.get_by_role("button", name=name, exact=True).click()
    phone.command("That is what they show")
    expect_text(phone.page.get_by_role("region", name="Your part"), "You have the chip of 3")


@pytest.mark.long
def test_the_odds_are_told_to_who_asks_and_until_he_throws_again(box: BoxThread, take: Use) -> None:
    begin(box, "Ann", "Ben")
    _begun(box)
    phone = take(PHONE).come_in(box.link(), "Ann")
    hint = phone.page.locator("#odds-1 .hint")
    phone.page.get_by_role("button", name="Ask for the odds").click()
    expect_text(hint, "throws on average")
    phone.command(THROW_ALL)
    hint.wait_for(state="hidden")
    phone.page.get_by_role("button", name="Ask for the odds").click()
    expect_text(hint, "By the odds")
    box.do("shout", player="Ben")
    expect_text(hint, "By the odds")


def _named(box: BoxThread) -> None:
    box.do("name", player="Ann", combination="all-twos")
    box.do("name", player="Ben", combination="pair-and-four")
    box.rest()


def _begun(box: BoxThread) -> None:
    _named(box)
    box.do("go")
    while box.snapshot.phase != "racing":
        box.rest()


def _racing(box: BoxThread) -> None:
    _begun(box)
    for name in ("Ann", "Ben"):
        box.do("throw", player=name, keep=[])


def _shouted(box: BoxThread) -> None:
    """Who has not thrown at the box has dice that it does not know."""
    _begun(box)
    box.do("shout", player="Ann")


def _naming(_: BoxThread) -> None:
    pass


def _named_again(box: BoxThread) -> None:
    """One has named the combination of the second round."""
    _begun(box)
    box.do("end_round")
    box.rest()
    box.do("name", player="Ann", combination="all-threes")


STATES = {"naming": _naming, "named_again": _named_again, "ready": _named, "racing": _racing, "shouted": _shouted}


@pytest.mark.long
@pytest.mark.skipif(not AXE.exists(), reason=NEEDS_PACKAGES)
@pytest.mark.parametrize("state", STATES)
def test_nothing_keeps_anybody_from_a_race(box: BoxThread, take: Use, state: str) -> None:
    begin(box, "Ann", "Ben", house=True)
    STATES[state](box)
    found = {}
    for name, kind in (("tablet", TABLET), ("phone", PHONE), ("small phone", SMALL_PHONE)):
        device = take(kind).sit("Ann").open("/play") if name == "phone" else take(kind).sit().open("/play")
        for theme in ("light", "dark"):
            device.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            device.page.wait_for_timeout(200)
            found[f"{name}, {theme}"] = find_barriers(device.page)
        width, shown = device.page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
        assert width == shown
    assert not any(found.values()), found


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("state", STATES)
def test_a_race_on_the_wall_is_read_at_four_metres(box: BoxThread, take: Use, state: str, theme: str) -> None:
    begin(box, "Ann", "Ben", house=True)
    STATES[state](box)
    wall = take(WALL, color_scheme=theme, reduced_motion="reduce").open("/wall")
    wall.page.wait_for_timeout(300)
    writing = writing_on(wall)
    assert "Ben" in " ".join(each.text for each in writing)
    assert not [each for each in writing if each.minutes < LEAST_MINUTES or each.contrast < LEAST_CONTRAST]


@pytest.mark.long
@pytest.mark.skipif(not AXE.exists(), reason=NEEDS_PACKAGES)
def test_nothing_keeps_anybody_from_the_pages_beside_a_race(box: BoxThread, take: Use) -> None:
    begin(box, "Ann", "Ben")
    _shouted(box)
    box.do("claim", player="Ann", dice=[2] * 6)
    box.rest()
    phone = take(PHONE)
    found = {}
    for path in ("/start?game=fleet", "/rules/flash", f"/games/{box.snapshot.game_id}", "/wall", "/kiosk"):
        phone.open(path)
        for theme in ("light", "dark"):
            phone.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            found[f"{path}, {theme}"] = find_barriers(phone.page)
        width, shown = phone.page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
        assert path == "/wall" or width == shown
    assert not any(found.values()), found
