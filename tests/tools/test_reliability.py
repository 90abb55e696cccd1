"""Counts of readings: right by told confidence."""

from tools.evaluation.reliability import Bin, reliability_of


def test_readings_are_sorted_by_the_confidence_that_was_told() -> None:
    told = [(0.99, True), (1.0, True), (0.989, False), (0.2, False), (0.5, True)]
    assert reliability_of(told) == [
        Bin(0.0, 0.5, 1, 0),
        Bin(0.5, 0.7, 1, 1),
        Bin(0.98, 0.99, 1, 0),
        Bin(0.99, 1.0, 2, 2),
    ]
