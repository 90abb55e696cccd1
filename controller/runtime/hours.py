"""Hours of a day, which may go on past midnight, as text such as `22:00-07:00`."""

import re
from datetime import time

_HOURS = re.compile(r"(([01]\d|2[0-3]):[0-5]\d)-(?!\1)([01]\d|2[0-3]):[0-5]\d", re.ASCII)


def are_hours(text: str) -> bool:
    """Return whether the text names hours: two times of day that differ."""
    return _HOURS.fullmatch(text) is not None


def is_within(hours: str, now: time) -> bool:
    """Return whether it is within these hours; never where the text is empty."""
    if not hours:
        return False
    first, last = map(time.fromisoformat, hours.split("-"))
    return first <= now < last if first < last else not last <= now < first
