"""The rules of Fleet! and Flash! (S003) as a library: dice, combinations, cards, claims. Standard library only.

rules = fleet_rules_of("fleet", {"groups": "may_repeat"})
throw, combination = rules.throw("2,2,2,boat,5,6"), rules.combination("two-threes")
rules.has(throw, combination)                 # False
rules.shortfall(throw, combination).tell()    # "two three-of-a-kind: 2 2 2 and boat 5 6; one 5 or 6 is missing"
"""

from controller.rules.fleet.cards import CARDS, Card
from controller.rules.fleet.claim import ClaimFault, LaidDie, sort_claim
from controller.rules.fleet.combinations import COMBINATIONS, Combination
from controller.rules.fleet.dice import SET_SIZE, Dice
from controller.rules.fleet.faces import FACES, JOKER, JOKER_NAME, NUMBERS, Face
from controller.rules.fleet.options import CHOICES, FleetOptions, FleetTerms
from controller.rules.fleet.ruleset import MOST_RACERS, FleetRules, fleet_rules_of
from controller.rules.fleet.shortfall import Shortfall

__all__ = [
    "CARDS",
    "CHOICES",
    "COMBINATIONS",
    "FACES",
    "JOKER",
    "JOKER_NAME",
    "MOST_RACERS",
    "NUMBERS",
    "SET_SIZE",
    "Card",
    "ClaimFault",
    "Combination",
    "Dice",
    "Face",
    "FleetOptions",
    "FleetRules",
    "FleetTerms",
    "LaidDie",
    "Shortfall",
    "fleet_rules_of",
    "sort_claim",
]
