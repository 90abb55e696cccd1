"""The dice of a throw as a page draws them: where they lie, or in a tidy row where nobody has seen them."""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.game import BaizeView, DieView, Snapshot

_PIPS = 6  # faces with more than so many sides are written, not dotted
_TURN_STEP = 37  # degrees; so dice that lie there look thrown, and each always the same way
_MIDDLE, _APART = 50.0, 14.0  # percent of the field: where dice lie that nobody has seen
# Of a die that shows 1 to 6: the faces towards the player and to the left, opposite faces being 7 together.
_SIDES = {1: (2, 3), 2: (1, 4), 3: (2, 6), 4: (2, 1), 5: (1, 3), 6: (2, 4)}


@dataclass(frozen=True, slots=True)
class DrawnDie:
    """One die: the middle of it in percent of the field from its far left corner, its turn in degrees, its colour.

    face: the pips on top, and front and side those of the two faces that can be seen; 0 each where faces are marked
    otherwise, with `mark`.
    """

    x: float
    y: float
    turn: int
    colour: str
    mark: str
    face: int
    front: int
    side: int


def draw_dice(snapshot: Snapshot) -> tuple[DrawnDie, ...]:
    """The dice of the throw that lies; none where none does."""
    places = _places(snapshot.dice, snapshot.baize)
    return tuple(
        _draw(die, *place, marks=snapshot.marks.faces, sides=snapshot.sides)
        for die, place in zip(snapshot.dice, places, strict=True)
    )


def _places(dice: tuple[DieView, ...], baize: BaizeView | None) -> Iterator[tuple[float, float]]:
    for at, die in enumerate(dice):
        if die.x_mm is None or die.y_mm is None or baize is None:
            yield _MIDDLE + _APART * (at - (len(dice) - 1) / 2), _MIDDLE
        else:
            yield 100 * die.x_mm / baize.width_mm, 100 * die.y_mm / baize.depth_mm


def _draw(die: DieView, x: float, y: float, *, marks: tuple[str, ...], sides: int) -> DrawnDie:
    has_pips = sides <= _PIPS and not marks
    face, (front, side) = (die.face, _SIDES[die.face]) if has_pips else (0, (0, 0))
    mark = marks[die.face - 1] if marks else str(die.face)
    turn = (round(x + y) * _TURN_STEP) % 90 - 45 if die.x_mm is not None else 0
    return DrawnDie(round(x, 1), round(y, 1), turn, die.colour, mark, face, front, side)
