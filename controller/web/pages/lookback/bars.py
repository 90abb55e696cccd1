"""Numbers as small bars, to the left or to the right of zero."""

from dataclasses import dataclass

from controller.web.pages.phrases import say_change
from controller.words.words import Words

_LONGEST = 100


@dataclass(frozen=True, slots=True)
class Bar:
    """A number in words, and as a bar from `x` with this width, in a frame from -100 to 100."""

    text: str
    x: float
    width: float


def bar_of(value: float, most: float, words: Words) -> Bar:
    """Return a number as a bar, on a scale whose greatest value is `most`."""
    width = round(_LONGEST * abs(value) / most, 1)
    return Bar(say_change(value, words), -width if value < 0 else 0, width)
