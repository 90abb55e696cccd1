"""The drawings of pages that look back: numbers as bars, and the odds of one turn as a curve. Pure."""

from dataclasses import dataclass
from itertools import count

from controller.messages.words import Words
from controller.opponents.lookback import TurnStory
from controller.web.pages.phrases import say_change

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


HEIGHT = 236
_WIDTH = 560  # the room on a tablet; kept unless the steps between throws would be too short or too long
_LEAST_STEP, _MOST_STEP = 46, 90  # between throws
_LEFT_LEAST, _RIGHT, _TOP, _BOTTOM = 44, 20, 26, 40  # margins: for numbers, labels above, throws below
_DIGIT = 8  # width of a digit next to the grid
_MOST_LINES = 5
_VISIBLE = 0.05  # a choice that cost less is not marked: it would read 0.0


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One throw: the expected score after the dice (y), and after the choice of tiles (y_after)."""

    x: float
    y: float
    y_after: float
    cost: float  # points that the choices of tiles and of the number of dice added

    @property
    def costs(self) -> bool:
        """True if another choice would have been better."""
        return self.cost > _VISIBLE


@dataclass(frozen=True, slots=True)
class Curve:
    """A turn as a drawing of `width` x `height`."""

    width: float
    grid: tuple[tuple[float, int], ...]  # y and value of each line, from 0 upwards, beginning at x = `left`
    left: float
    start_x: float  # the beginning of the turn
    points: tuple[CurvePoint, ...]
    path: str  # the line from there, as an SVG path
    height: int = HEIGHT


def curve_of(turn: TurnStory) -> Curve:
    """Return the curve of a turn that was analysed by the odds."""
    # Expected after each throw, if followed by the best choice, and after the choice that was made.
    thrown, chosen, expected = [], [], turn.expected
    for choice in turn.choices:
        thrown.append(expected + choice.dice_error + choice.luck)
        expected = thrown[-1] + choice.error
        chosen.append(expected)
    most = max((turn.expected, *thrown, *chosen, 1.0))
    # The least unit of 1, 2, 5, 10, 20, 50 ... that needs no more lines than allowed.
    units = (factor * 10**power for power in count() for factor in (1, 2, 5))
    unit: int = next(each for each in units if each >= most / _MOST_LINES)
    top = unit * -(-most // unit)
    lines = [index * unit for index in range(int(top // unit) + 1)]
    left = max(_LEFT_LEAST, 16 + _DIGIT * len(str(lines[-1])))
    step = min(_MOST_STEP, max(_LEAST_STEP, (_WIDTH - left - _RIGHT) / (len(thrown) + 1)))
    start_x = left + step / 2

    def y(value: float) -> float:
        return round(HEIGHT - _BOTTOM - value / top * (HEIGHT - _TOP - _BOTTOM), 1)

    points = tuple(
        CurvePoint(round(start_x + number * step, 1), y(before), y(after), choice.dice_error + choice.error)
        for number, (before, after, choice) in enumerate(zip(thrown, chosen, turn.choices, strict=True), 1)
    )
    # The line from point to point is broken at a choice that cost something, which is drawn by itself.
    path = f"M{start_x:g} {y(turn.expected):g}"
    for point in points:
        path += f"L{point.x:g} {point.y:g}"
        if point.costs:
            path += f"M{point.x:g} {point.y_after:g}"
    return Curve(
        width=round(left + step * (len(thrown) + 1) + _RIGHT, 1),
        grid=tuple((y(value), value) for value in lines),
        left=left,
        start_x=round(start_x, 1),
        points=points,
        path=path,
    )
