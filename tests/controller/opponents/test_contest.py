"""Rounds by chance: who wins how often, against the chances by seat, and the ladder of the house's strengths."""

from itertools import pairwise

import pytest

from controller.odds.shutbox.seats import seats_of
from controller.opponents.simulation import play_rounds
from controller.opponents.strength import CHOOSERS
from controller.rules.errors import InvalidOption
from controller.rules.shutbox.ruleset import rules_of

_RUNGS = ("careless", "casual", "steady", "skilled", "perfect")
_GAMES = 6_000


@pytest.mark.long
@pytest.mark.parametrize("game", ["two-level", "pub"])
def test_each_strength_beats_the_one_below_by_as_much_as_a_person_feels(game: str) -> None:
    """100,000 games a pair lie between 0.577 and 0.680, known to 0.003: see docs/reference/games-and-odds.md."""
    for below, above in pairwise(_RUNGS):
        wins = play_rounds(rules_of(game), [above, below], _GAMES, seed=3)
        assert wins.shares[0] - 2 * wins.standard_errors[0] > 0.56
        assert wins.shares[0] + 2 * wins.standard_errors[0] < 0.72


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "given"),
    [("pub", {}), ("2-to-go", {"tiles": 7}), ("thai", {}), ("pub", {"shut": "play_on", "ties": "earlier_wins"})],
)
def test_perfect_players_win_as_often_as_the_chances_by_seat_say(game: str, given: dict[str, str | int]) -> None:
    """Everybody plays from every seat: each wins the mean of the chances by seat."""
    rules = rules_of(game, given)
    wins = play_rounds(rules, ["perfect"] * 3, 4_500, seed=5)
    mean = sum(seats_of(rules).by_seat(3)) / 3

    for share, error in zip(wins.shares, wins.standard_errors, strict=True):
        assert share == pytest.approx(mean, abs=4 * error)


def test_the_order_of_the_players_is_that_of_their_shares() -> None:
    one = play_rounds(rules_of("pub"), ["careless", "best", "careless"], _GAMES - 2, seed=2)
    other = play_rounds(rules_of("pub"), ["best", "careless", "careless"], _GAMES - 2, seed=2)

    assert one.games == other.games == _GAMES  # each of three begins as often as the others
    assert one.shares[1] == pytest.approx(other.shares[0], abs=0.02)
    assert one.shares[1] > 0.5 > one.shares[0]
    assert sum(one.shares) == pytest.approx(1)


@pytest.mark.long
def test_the_same_seed_gives_the_same_wins_and_progress_only_rises() -> None:
    told: list[float] = []
    one = play_rounds(rules_of("pub"), ["steady", "perfect"], 500, seed=1, progress=told.append)

    assert one == play_rounds(rules_of("pub"), ["steady", "perfect"], 500, seed=1)
    assert one != play_rounds(rules_of("pub"), ["steady", "perfect"], 500, seed=2)
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1)


@pytest.mark.parametrize(
    ("game", "players", "said"),
    [
        ("pub", ["steady"], "2 to 12 players"),
        ("pub", ["steady", "brave"], f"say some of {', '.join(CHOOSERS)}"),
        ("lucky-7", ["steady", "skilled"], "nobody chooses anything"),
    ],
)
def test_rounds_that_cannot_be_are_refused(game: str, players: list[str], said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        play_rounds(rules_of(game), players, 10, seed=1)
