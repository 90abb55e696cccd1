"""The reading of a picture: dice with values, or a refusal with its reason. Only the referee turns one into a throw."""

from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean
from typing import Literal

Point = tuple[float, float]
"""A place in the picture as (x, y) in pixels from the upper left corner."""


class Verdict(StrEnum):
    """The outcome of a reading: the dice were read, or the player is asked to help."""

    READ = "read"
    REFUSED = "refused"


class Reason(StrEnum):
    """The reasons not to read a picture. Nothing is broken: the player is asked to help."""

    MOVING = "moving"
    COCKED = "cocked"
    STACKED = "stacked"
    OFF_FIELD = "off_field"
    HAND = "hand"
    UNEXPLAINED = "unexplained"
    NO_DICE = "no_dice"
    TOO_MANY = "too_many"
    TOO_FEW = "too_few"
    DARK = "dark"
    GLARE = "glare"
    BLURRED = "blurred"
    NO_FIELD = "no_field"
    CAMERA_MOVED = "camera_moved"
    STALE = "stale"
    UNSURE = "unsure"
    NOT_A_PICTURE = "not_a_picture"
    TOO_LARGE = "too_large"


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die as it was read."""

    value: int  # 1..6, on a custom d20 1..20
    center_px: Point  # middle of the top face; it distinguishes thrown dice from those that already lay there
    confidence: float  # 0..1
    colour: str
    next_likely: int | None = None  # the second most likely value, where the reader knows one


@dataclass(frozen=True, slots=True)
class Reading:
    """The reading of one picture. One that cannot be read is no exception: at a table that is an ordinary event."""

    verdict: Verdict
    dice: tuple[DieReading, ...] = ()  # from left to right in the picture
    reason: Reason | None = None  # of a refusal
    say: str = ""  # one sentence for the player, which explains a refusal
    at_px: Point | None = None  # the place that a refusal is about, where there is one
    likely: tuple[tuple[int, ...], ...] = ()  # throws of an `unsure` refusal, best first, values in ascending order

    @property
    def values(self) -> tuple[int, ...]:
        """Return the values of the dice in ascending order."""
        return tuple(sorted(die.value for die in self.dice))

    @property
    def others(self) -> tuple[tuple[int, ...], ...]:
        """Return the throws this may be if one die was misread, each in ascending order, the least sure die first."""
        found = dict.fromkeys(
            tuple(sorted((*(each.value for each in self.dice if each is not die), die.next_likely)))
            for die in sorted(self.dice, key=lambda die: die.confidence)
            if die.next_likely is not None
        )
        return tuple(found)

    @property
    def is_read(self) -> bool:
        return self.verdict is Verdict.READ


def read(dice: tuple[DieReading, ...]) -> Reading:
    """Return a reading of these dice, sorted from left to right."""
    return Reading(Verdict.READ, tuple(sorted(dice, key=lambda die: die.center_px)))


def refused(
    reason: Reason, say: str, *, at_px: Point | None = None, likely: tuple[tuple[int, ...], ...] = ()
) -> Reading:
    return Reading(Verdict.REFUSED, (), reason, say, at_px, likely)


def check_count(reading: Reading, counts: frozenset[int]) -> Reading:
    """Return the reading, or a refusal when it holds another number of dice than `counts`, which is empty where nobody
    knows it.
    """
    seen = len(reading.dice)
    if not reading.is_read or not counts or seen in counts:
        return reading
    wanted = " or ".join(_count_of_dice(number) for number in sorted(counts))
    reason = Reason.TOO_FEW if seen < min(counts) else Reason.TOO_MANY
    x, y = (fmean(places) for places in zip(*(die.center_px for die in reading.dice), strict=True))
    return refused(reason, f"I see {_count_of_dice(seen)}, this throw needs {wanted}.", at_px=(x, y))


def _count_of_dice(number: int) -> str:
    return "one die" if number == 1 else f"{number} dice"


PIPS = "pips"  # the name of the dice that need not be taught
Sides = Literal[6, 20]
