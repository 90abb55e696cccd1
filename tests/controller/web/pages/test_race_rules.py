"""The rules of a race as a page: every option changes what is said, and every example is what it is an example of."""

from pathlib import Path

import pytest

from controller.messages.words import words_in
from controller.rules.fleet.cards import CARDS, CHOICES
from controller.rules.fleet.dice import Dice
from controller.rules.fleet.ruleset import example_of, fleet_rules_of
from controller.rules.options import Choice
from controller.web.pages.rulebook.race import combination_lines, race_chapters
from tests.support.api import open_api
from tests.support.long import long_but_every

ENGLISH = words_in("en")
# With which others an option has a meaning; on the card of Flash all of them have one.
BESIDE = {"namer": {"challenge": "in_turn"}, "first": {"challenge": "in_turn"}}
# No sentence is about a coin that does not divide, nor about six jokers.
UNTOLD = {"odd_coin", "six_jokers"}


def said(options: dict[str, object]) -> list[str]:
    rules = fleet_rules_of("flash", options)
    sentences = [sentence for chapter in race_chapters(rules, ENGLISH) for sentence in chapter.sentences]
    return sentences + [line.wants for line in combination_lines(rules, ENGLISH)]


@pytest.mark.parametrize(
    "choice", long_but_every(4, [each for each in CHOICES if each.name not in UNTOLD]), ids=lambda each: each.name
)
def test_every_option_is_told(choice: Choice) -> None:
    allowed = choice.allowed[:4]
    told = {str(said({**BESIDE.get(choice.name, {}), choice.name: value})) for value in allowed}
    assert len(told) == len(allowed)


@pytest.mark.parametrize("card", CARDS)
def test_every_example_is_what_it_is_an_example_of(card: str) -> None:
    rules = fleet_rules_of(card)
    for name in rules.card.combinations:
        assert rules.has(Dice(example_of(rules, rules.combination(name))), rules.combination(name))
    assert len(combination_lines(rules, ENGLISH)) == len(rules.card.combinations)


def test_what_no_dice_make_has_no_example() -> None:
    rules = fleet_rules_of("fleet", {"straight": "impossible", "six_jokers": False})
    assert example_of(rules, rules.combination("straight")) == ()


async def test_the_rules_of_a_race_are_a_page_by_its_options(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        everything = (await api.away.get("/rules")).text
        page = (await api.away.get("/rules/fleet?timer=30&chips=1-3-8-15-25-40")).text
        wrong = await api.away.get("/rules/fleet?timer=7")
    assert 'href="/rules/flash"' in everything
    for words in ("30 seconds", "1, 3, 8, 15, 25 and 40", "All Boats", "For example: 2, 3, 4, 5, 6 and boat"):
        assert words in page, words
    assert "timer" in wrong.text
