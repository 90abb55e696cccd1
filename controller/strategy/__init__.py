"""Choices in a game, before and after: house players, answers about odds, look-backs on games, fairness of dice."""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from controller.strategy.account import Account, Choice, as_played
    from controller.strategy.fairness import Fairness, fairness_of
    from controller.strategy.fleet_book import FleetBook
    from controller.strategy.hints import OddsBook
    from controller.strategy.house import Decision, House
    from controller.strategy.lookback import GameStory, LookBack, Share, TurnStory, look_back, story_of
    from controller.strategy.racer import RaceAim, Racer
    from controller.strategy.simulation import order_json, races_json, tally_json, wins_json
    from controller.strategy.statistics import (
        PlayerStatistics,
        Statistics,
        TileStatistics,
        count_tiles,
        faces_by_sides,
        statistics_of,
    )
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = [
    "Account",
    "Choice",
    "Decision",
    "Fairness",
    "FleetBook",
    "GameStory",
    "House",
    "LookBack",
    "OddsBook",
    "PlayerStatistics",
    "RaceAim",
    "Racer",
    "Share",
    "Statistics",
    "TileStatistics",
    "TurnStory",
    "as_played",
    "count_tiles",
    "faces_by_sides",
    "fairness_of",
    "look_back",
    "order_json",
    "races_json",
    "statistics_of",
    "story_of",
    "tally_json",
    "wins_json",
]
