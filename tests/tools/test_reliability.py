"""Counts of readings: right by told confidence, and how often wrong at most."""

import pytest

from tools.evaluation.reliability import Bin, most_wrong, reliability_of
from vision.scoring import Tally


def test_readings_are_sorted_by_the_confidence_that_was_told() -> None:
    told = [(0.99, True), (1.0, True), (0.989, False), (0.2, False), (0.5, True)]
    assert reliability_of(told) == [
        Bin(0.0, 0.5, 1, 0),
        Bin(0.5, 0.7, 1, 1),
        Bin(0.98, 0.99, 1, 0),
        Bin(0.99, 1.0, 2, 2),
    ]


@pytest.mark.parametrize(
    ("wrong", "pictures", "most"),
    # Means at which 0, 1 and 3 or fewer have a chance of 5 % (half the chi-squared table's 0.95 of 2, 4, 8 degrees).
    [(0, 300_000, 2.9957 / 300_000), (1, 1000, 4.7439 / 1000), (3, 1000, 7.7537 / 1000)],
)
def test_the_bound_on_wrong_readings_is_that_of_a_poisson_count(wrong: int, pictures: int, most: float) -> None:
    assert most_wrong(Tally(pictures - wrong, wrong, 0)) == pytest.approx(most, rel=1e-4)


def test_nothing_read_excludes_nothing() -> None:
    assert most_wrong(Tally()) == 1.0
