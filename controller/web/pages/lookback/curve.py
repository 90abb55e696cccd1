"""The odds of one turn as a curve: what the score was expected to be, moved by dice and by choices. Pure.

Lengths are those of the drawing's own frame, from its upper left corner, in pixels: a long turn is a wide drawing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from controller.strategy import TurnStory

HEIGHT = 236
_WIDTH = 560  # as wide as there is room for on a tablet, where throws are not too many for that, or too few
_LEAST_STEP, _MOST_STEP = 46, 90  # between throws
_LEFT_LEAST, _RIGHT, _TOP, _BOTTOM = 44, 20, 26, 40  # margins: for figures, labels above, throws below
_DIGIT = 8  # width of a figure beside the grid
_MOST_LINES = 5
_VISIBLE = 0.05  # a choice that cost less is not marked: it would read 0.0


@dataclass(frozen=True, slots=True)
class GridLine:
    """A line across at a round value."""

    y: float
    value: int


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One throw: where the dice led (y), and where the choice of tiles did (y_after).

    cost: points that choices added, of tiles and of how many dice were thrown.
    """

    x: float
    y: float
    y_after: float
    cost: float

    @property
    def costs(self) -> bool:
        """True if another choice would have been better."""
        return self.cost > _VISIBLE


@dataclass(frozen=True, slots=True)
class Curve:
    """A turn as a drawing of `width` x `height`.

    grid: from the value 0 upwards, beginning at `left`. start_x: where the turn begins. path: the line from there on,
    as SVG has it.
    """

    width: float
    grid: tuple[GridLine, ...]
    left: float
    start_x: float
    points: tuple[CurvePoint, ...]
    path: str
    height: int = HEIGHT


def curve_of(turn: TurnStory) -> Curve:
    """The curve of a turn that was looked back on."""
    thrown, chosen = _values(turn)
    most = max((turn.expected, *thrown, *chosen, 1.0))
    unit = _round_unit(most / _MOST_LINES)
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
    return Curve(
        width=round(left + step * (len(thrown) + 1) + _RIGHT, 1),
        grid=tuple(GridLine(y(value), value) for value in lines),
        left=left,
        start_x=round(start_x, 1),
        points=points,
        path=_path(start_x, y(turn.expected), points),
    )


def _values(turn: TurnStory) -> tuple[list[float], list[float]]:
    """What was expected after each throw, were it met by the best choice, and after the choice that was made."""
    thrown, chosen, value = [], [], turn.expected
    for choice in turn.choices:
        thrown.append(value + choice.dice_error + choice.luck)
        value = thrown[-1] + choice.error
        chosen.append(value)
    return thrown, chosen


def _path(x: float, y: float, points: Sequence[CurvePoint]) -> str:
    """A line from point to point, broken where a choice cost something: that is drawn by itself."""
    parts = [f"M{x:g} {y:g}"]
    for point in points:
        parts.append(f"L{point.x:g} {point.y:g}")
        if point.costs:
            parts.append(f"M{point.x:g} {point.y_after:g}")
    return "".join(parts)


def _round_unit(least: float) -> int:
    """The least of 1, 2, 5, 10, 20, 50 and so on that is no less."""
    unit = 1
    while True:
        for factor in (1, 2, 5):
            if unit * factor >= least:
                return unit * factor
        unit *= 10
