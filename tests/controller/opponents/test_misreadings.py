"""Misreadings of the camera, by what people corrected; and the bound on how many there may be."""

from collections.abc import Iterable

import pytest

from controller.game.core.events import GameEvent
from controller.game.shutbox.events import DiceThrown, FirstRolled, ThrowCorrected
from controller.opponents.misreadings import Misreadings, misreadings_of, most_of

READ = DiceThrown((3, 5), "camera")


@pytest.mark.parametrize(
    ("events", "seen"),
    [
        ([FirstRolled(0, (4,), "camera"), READ, READ], Misreadings(3, ())),
        ([READ, ThrowCorrected((3, 5), (3, 4)), READ], Misreadings(2, (((3, 5), (3, 4), 1),))),
        # What was corrected back was read rightly; the last word holds.
        ([READ, ThrowCorrected((3, 5), (3, 4)), ThrowCorrected((3, 4), (3, 5))], Misreadings(1, ())),
        # Nobody misread what somebody typed.
        ([READ, DiceThrown((1, 1), "typed"), ThrowCorrected((1, 1), (1, 2))], Misreadings(1, ())),
        ([], Misreadings(0, ())),
    ],
)
def test_a_throw_of_the_camera_is_misread_if_other_dice_hold_in_the_end(
    events: Iterable[GameEvent], seen: Misreadings
) -> None:
    assert misreadings_of([list(events)]) == seen


def test_the_commonest_misreading_comes_first() -> None:
    six, four = ThrowCorrected((3, 5), (3, 6)), ThrowCorrected((3, 5), (3, 4))
    seen = misreadings_of([[READ, four, READ, six], [READ, six, READ]])
    assert (seen.throws, seen.wrong) == (4, 3)
    assert seen.corrected == (((3, 5), (3, 6), 2), ((3, 5), (3, 4), 1))


@pytest.mark.parametrize(
    ("count", "trials", "most"),
    # Means at which 0, 1 and 3 or fewer have a chance of 5 % (half the chi-squared table's 0.95 of 2, 4, 8 degrees).
    [(0, 300_000, 2.9957 / 300_000), (1, 1000, 4.7439 / 1000), (3, 1000, 7.7537 / 1000), (0, 0, 1.0)],
)
def test_the_bound_is_that_of_a_poisson_count(count: int, trials: int, most: float) -> None:
    assert most_of(count, trials) == pytest.approx(most, rel=1e-4)
