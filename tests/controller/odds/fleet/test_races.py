"""Races by chance: they come to the exact odds, chips are handed out once each, and the best dice win more."""

import numpy as np
import pytest

from controller.odds.fleet.advice import FleetOdds
from controller.odds.fleet.policy import PLAYERS, policy_of
from controller.odds.fleet.races import play_races
from controller.odds.fleet.sets import all_sets, done_sets
from controller.rules.errors import InvalidOption
from controller.rules.fleet.combinations import COMBINATIONS
from controller.rules.fleet.dice import Dice
from controller.rules.fleet.ruleset import fleet_rules_of
from tests.support.long import long_but_every

GAMES = 20_000


def kept(player: str, name: str, before: str, throw: str, **given: object) -> Dice:
    """What a player has kept after a throw, who had kept something before."""
    rules, sets = fleet_rules_of("fleet", given), all_sets()
    policy = policy_of(player, rules.options, done_sets(rules, COMBINATIONS[name]))
    had, whole = sets.number[Dice.parse(before)], sets.number[Dice.parse(before) + Dice.parse(throw)] - sets.kept
    return sets.all[int(policy[had, whole])]


@pytest.mark.parametrize(
    ("game", "keeping"),
    long_but_every(4, [("flash", "frozen"), ("fleet", "frozen"), ("fleet", "unfrozen"), ("flash", "unfrozen")]),
)
def test_the_throws_of_the_best_player_come_to_the_odds(game: str, keeping: str) -> None:
    rules = fleet_rules_of(game, {"keeping": keeping})
    races = play_races(rules, ["best", "best"], GAMES, seed=2)

    for name, found in races.throws.items():
        value = FleetOdds(rules).before(COMBINATIONS[name]).value
        assert found == pytest.approx((value, value), rel=0.02), name
    assert tuple(races.throws) == tuple(races.rounds) == rules.card.combinations


@pytest.mark.long
def test_a_round_is_over_when_all_but_one_have_it() -> None:
    """S003: "When all but one of the players have shouted 'Fleet!' the round is over"."""
    open_after = np.array([1 - (1 - (5 / 6) ** throws) ** 6 for throws in range(400)])  # All Boats, one player
    two = play_races(fleet_rules_of("fleet"), ["best"] * 2, GAMES, seed=3)
    three = play_races(fleet_rules_of("fleet"), ["best"] * 3, GAMES, seed=3)

    assert two.rounds["all-jokers"] == pytest.approx((open_after**2).sum(), rel=0.02)
    assert three.rounds["all-jokers"] == pytest.approx((3 * open_after**2 - 2 * open_after**3).sum(), rel=0.02)


@pytest.mark.long
def test_the_first_takes_the_highest_chip_and_the_last_the_one() -> None:
    """S003: "chips 1 through 4" for four players, "the last player collects the chip worth one point"."""
    races = play_races(fleet_rules_of("flash"), ["best", "thumb", "best", "thumb"], GAMES, seed=4)

    assert sum(races.chips) == pytest.approx(8 * (1 + 2 + 3 + 4))
    assert sum(races.wins) == pytest.approx(1)
    for best, thumb in ((0, 1), (2, 3)):
        assert races.chips[best] > races.chips[thumb]
        assert races.wins[best] - races.wins[thumb] > 4 * races.standard_errors[best]


@pytest.mark.long
def test_equal_players_win_as_often_and_a_seed_repeats_its_races() -> None:
    rules = fleet_rules_of("fleet")
    races = play_races(rules, ["best"] * 3, 5000, seed=5)

    assert races == play_races(rules, ["best"] * 3, 5000, seed=5) != play_races(rules, ["best"] * 3, 5000, seed=6)
    for share, error in zip(races.wins, races.standard_errors, strict=True):
        assert abs(share - 1 / 3) < 4 * error


def test_by_thumb_as_many_dice_are_kept_as_still_serve() -> None:
    assert str(kept("thumb", "straight", "", "2,2,3,5,6,joker")) == "2,3,5,6,joker"
    assert str(kept("best", "straight", "", "2,2,3,5,6,joker")) == "joker"
    assert str(kept("thumb", "all-twos", "2,joker", "2,4,5,6")) == "2,2,joker"
    assert str(kept("thumb", "six-of-a-kind", "", "2,2,5,5,5,6")) == "5,5,5"


def test_frozen_dice_are_never_given_back_by_any_player() -> None:
    assert str(kept("thumb", "six-of-a-kind", "2,2", "5,5,5,6")) == "2,2"
    assert str(kept("best", "six-of-a-kind", "2,2", "5,5,5,6")) == "2,2"
    for player in PLAYERS:
        assert str(kept(player, "six-of-a-kind", "2,2", "5,5,5,6", keeping="unfrozen")) == "5,5,5"


@pytest.mark.parametrize("keeping", ["frozen", "unfrozen"])
def test_the_best_player_keeps_what_is_advised(keeping: str) -> None:
    rules, sets = fleet_rules_of("fleet", {"keeping": keeping}), all_sets()
    combination = COMBINATIONS["pair-and-four"]
    policy = policy_of("best", rules.options, done_sets(rules, combination))
    for whole, throw in enumerate(sets.whole):
        if not rules.has(throw, combination):
            assert sets.all[policy[0, whole]] in FleetOdds(rules).after(combination, throw).best


def test_what_cannot_be_raced_is_refused() -> None:
    rules = fleet_rules_of("fleet")
    with pytest.raises(InvalidOption, match="2 to 6 players, not 7"):
        play_races(rules, ["best"] * 7, 10, seed=1)
    with pytest.raises(InvalidOption, match="no player 'Ann' in this game; say some of best, thumb"):
        play_races(rules, ["best", "Ann"], 10, seed=1)
    with pytest.raises(InvalidOption, match="at most 1000000 games"):
        play_races(rules, ["best", "best"], 1_000_001, seed=1)
    with pytest.raises(InvalidOption, match="Straight can never be with these options"):
        play_races(fleet_rules_of("flash", {"straight": "impossible"}), ["best", "best"], 10, seed=1)
