"""What to do in a game, and what was done in it: house players, answers about odds, games looked back on, fair dice."""

from controller.strategy.account import Account, Choice, as_played
from controller.strategy.fairness import Fairness, fairness_of
from controller.strategy.hints import OddsBook
from controller.strategy.house import House
from controller.strategy.lookback import LookBack, Share, look_back
from controller.strategy.simulation import tally_json, wins_json
from controller.strategy.statistics import PlayerStatistics, Statistics, count_tiles, faces_of, statistics_of

__all__ = [
    "Account",
    "Choice",
    "Fairness",
    "House",
    "LookBack",
    "OddsBook",
    "PlayerStatistics",
    "Share",
    "Statistics",
    "as_played",
    "count_tiles",
    "faces_of",
    "fairness_of",
    "look_back",
    "statistics_of",
    "tally_json",
    "wins_json",
]
