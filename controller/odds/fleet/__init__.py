"""Exact odds of Fleet! and Flash!: the throws that a combination takes, and the dice to keep. NumPy and rules only.

odds = FleetOdds(fleet_rules_of("fleet"))
odds.before(combination)            # FleetBefore(value=3.7647115054..., at_once=0.0868270747...)
odds.after(combination, throw)      # FleetAfter(value=2.9236155940..., best=(Dice(faces=(7,)),))
"""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from controller.odds.fleet.advice import FleetAfter, FleetBefore, FleetOdds
    from controller.odds.fleet.order import CardOrder, best_order
    from controller.odds.fleet.policy import PLAYERS
    from controller.odds.fleet.races import Races, play_races
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = ["PLAYERS", "CardOrder", "FleetAfter", "FleetBefore", "FleetOdds", "Races", "best_order", "play_races"]
