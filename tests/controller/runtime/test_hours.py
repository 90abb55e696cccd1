"""Hours of a day."""

from datetime import time

import pytest

from controller.runtime.hours import is_within


@pytest.mark.parametrize(
    ("hours", "now", "within"),
    [
        ("22:00-07:00", time(22), True),
        ("22:00-07:00", time(6, 59, 59), True),
        ("22:00-07:00", time(7), False),
        ("22:00-07:00", time(21, 59), False),
        ("13:00-15:00", time(14), True),
        ("13:00-15:00", time(15), False),
        ("13:00-15:00", time(3), False),
        ("", time(3), False),
    ],
)
def test_hours_begin_with_their_first_minute_and_may_go_on_past_midnight(hours: str, now: time, within: bool) -> None:
    assert is_within(hours, now) is within
