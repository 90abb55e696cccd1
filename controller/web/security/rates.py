"""How often each address may come and ask: a token bucket for each, and one for all strangers together.

Everybody in the network may ask, and each question takes the loop that drives tiles some milliseconds. With no more
than this from strangers, however many they are, the loop has most of its time for the game. Pure; knows no clock.
"""

from collections import OrderedDict
from dataclasses import dataclass

_MOST_ADDRESSES = 4096
# What is said to one who asks beyond them.
TOO_MUCH = "too much is asked from this address or in all; try again in a moment"


@dataclass(frozen=True, slots=True)
class Rate:
    """Tokens: so many at once, and so many more a second."""

    at_once: float
    per_s: float


class Bucket:
    """A token bucket, full at first."""

    def __init__(self, rate: Rate, now_s: float) -> None:
        self._rate = rate
        self._left = rate.at_once
        self._since_s = now_s

    def wait_s(self, now_s: float) -> float:
        """Return in how many seconds there will be a whole token; 0 if there is one."""
        self._left = min(self._left + (now_s - self._since_s) * self._rate.per_s, self._rate.at_once)
        self._since_s = now_s
        return max(0.0, (1.0 - self._left) / self._rate.per_s)

    def take(self, cost: float) -> None:
        self._left -= cost


@dataclass(frozen=True, slots=True)
class Limits:
    """The rates of one stranger's address, of all strangers together, and of one who is known here.

    apart_s: the least time between two that strangers ask.
    """

    stranger: Rate
    strangers: Rate
    known: Rate
    apart_s: float = 0.0


# A browser opens up to seven connections for a page, and keeps each for five seconds; 64 of one address may be open.
CONNECTIONS = Limits(stranger=Rate(64, 4), strangers=Rate(256, 10), known=Rate(128, 20))
# The slowest page is made in 20 ms, so all strangers together get a tenth of the loop's time, and never more than a
# fourth of it.
REQUESTS = Limits(stranger=Rate(30, 2), strangers=Rate(100, 5), known=Rate(120, 20), apart_s=0.08)


class Rates:
    """Admits what is within the limits. Those who are known here do not wait for strangers.

    Concurrency: one thread.
    """

    def __init__(self, limits: Limits, now_s: float) -> None:
        self._limits = limits
        self._strangers = Bucket(limits.strangers, now_s)
        # The one that has been silent for longest is forgotten first: it would have a full bucket soonest.
        self._buckets: OrderedDict[tuple[str, bool], Bucket] = OrderedDict()

    def admit(self, who: str, now_s: float, *, is_known: bool, cost: float = 1.0) -> float:
        """Take so much of a token for `who`; return 0, or in how many seconds to try again if none is left."""
        rate = self._limits.known if is_known else self._limits.stranger
        own = self._buckets.setdefault((who, is_known), Bucket(rate, now_s))
        self._buckets.move_to_end((who, is_known))
        if len(self._buckets) > _MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        wait_s = own.wait_s(now_s) if is_known else max(own.wait_s(now_s), self._strangers.wait_s(now_s))
        if not wait_s:
            own.take(cost)
            if not is_known:
                self._strangers.take(cost)
        return wait_s
