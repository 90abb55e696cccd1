"""Whether dice are fair: seldom a false alarm however often one looks, and loaded dice are found within an evening."""

import math
import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.opponents.fairness import fairness_of, stakes_of
from controller.rules.errors import InvalidNotation

EVENINGS, DICE = 120, 3000


def evening(seed: int, chances: Sequence[float]) -> list[int]:
    return random.Random(f"fairness/{seed}").choices(range(1, len(chances) + 1), chances, k=DICE)


def test_fair_dice_are_seldom_called_unfair_though_one_looks_after_every_die() -> None:
    alarms = sum(fairness_of(evening(seed, [1] * 6)).is_unfair for seed in range(EVENINGS))

    assert alarms <= 3  # one of a hundred at most; more than 3 of 120 would come in less than 4 of 100 runs at that


def test_a_six_that_comes_once_in_five_is_found_within_an_evening() -> None:
    found = [fairness_of(evening(seed, [0.16] * 5 + [0.2])) for seed in range(EVENINGS)]

    assert sum(each.is_unfair for each in found) >= 0.85 * EVENINGS
    assert all(each.face == 6 for each in found if each.is_unfair)


@pytest.mark.parametrize("chances", [[0.22, *[0.156] * 5], [0.13, *[0.174] * 5], [1, 1, 1, 2]], ids=str)
def test_other_unfair_dice_are_found_too(chances: list[float]) -> None:
    assert fairness_of(evening(1, chances), len(chances)).is_unfair


def test_a_verdict_once_given_stands() -> None:
    faces = [6] * 12 + [1, 2, 3, 4, 5] * 400

    bounds = [fairness_of(faces[:count]).p for count in (0, 5, 12, 100, len(faces))]

    assert bounds == sorted(bounds, reverse=True)
    assert bounds[0] == 1
    assert fairness_of(faces).is_unfair


@given(st.lists(st.integers(1, 6), max_size=40))
def test_the_stake_has_the_mean_of_one(faces: list[int]) -> None:
    """What a fair die may show next makes it neither more nor less on average: the promise rests on that."""
    before = math.exp([0.0, *stakes_of(faces, 6).tolist()][-1])

    after = [math.exp(stakes_of([*faces, face], 6)[-1]) for face in range(1, 7)]

    assert sum(after) / 6 == pytest.approx(before, rel=1e-9)


def test_counts_and_faces_are_told() -> None:
    found = fairness_of([1, 6, 6, 2])

    assert found.counts == (1, 1, 0, 0, 0, 2)
    assert found.dice == 4
    assert found.face == 6
    assert not found.is_unfair
    assert fairness_of([]).face is None


def test_a_face_that_the_die_lacks_is_an_error() -> None:
    with pytest.raises(InvalidNotation, match="6 sides shows 1 to 6, not 7 to 7"):
        fairness_of([7])
