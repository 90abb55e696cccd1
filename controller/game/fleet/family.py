"""Races as one of the families of games."""

from controller.game.family import Family
from controller.game.fleet.actions import actions_of_race
from controller.game.fleet.decide import decide_race, race_rules, start_race
from controller.game.fleet.digest import race_facts
from controller.game.fleet.evolve import evolve_race
from controller.game.fleet.narration import describe_race, describe_race_due, race_news_of
from controller.game.fleet.shown import show_race
from controller.game.fleet.state import Race
from controller.rules.fleet import CARDS

RACING: Family = Family(
    games=CARDS,
    state=Race,
    rules=race_rules,
    start=start_race,
    decide=decide_race,
    evolve=evolve_race,
    facts=race_facts,
    actions=actions_of_race,
    news=race_news_of,
    describe=lambda race, _dice_wanted, _reads: describe_race(race),
    due=describe_race_due,
    show=show_race,
)
