"""The dice of a throw as a page draws them: where they lie, or in a tidy row if nobody has seen them."""

from dataclasses import dataclass

from controller.game.table.snapshot import Snapshot

_PIPS = 6  # the faces of dice with more sides are written, not dotted
_TURN_STEP = 37  # degrees; makes dice look thrown, and each always turned the same way
_MIDDLE, _APART = 50.0, 14.0  # percent of the field; for dice that nobody has seen
# For the top faces 1 to 6: the faces towards the player and to the left; opposite faces add up to 7.
_SIDES = {1: (2, 3), 2: (1, 4), 3: (2, 6), 4: (2, 1), 5: (1, 3), 6: (2, 4)}


@dataclass(frozen=True, slots=True)
class DrawnDie:
    """One die as it is drawn.

    x, y: its middle in percent of the field, from the far left corner.
    turn: in degrees.
    mark: the sign on top, if the faces bear no pips.
    face, front, side: the pips of the three visible faces; 0 each if the faces bear no pips.
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
    """Return the dice of the present throw; empty if there is none."""
    marks, baize = snapshot.marks.faces, snapshot.baize
    has_pips = snapshot.sides <= _PIPS and not marks
    drawn = []
    for at, die in enumerate(snapshot.dice):
        if die.x_mm is None or die.y_mm is None or baize is None:
            x, y = _MIDDLE + _APART * (at - (len(snapshot.dice) - 1) / 2), _MIDDLE
        else:
            x, y = 100 * die.x_mm / baize.width_mm, 100 * die.y_mm / baize.depth_mm
        turn = (round(x + y) * _TURN_STEP) % 90 - 45 if die.x_mm is not None else 0
        mark = marks[die.face - 1] if marks else str(die.face)
        face, (front, side) = (die.face, _SIDES[die.face]) if has_pips else (0, (0, 0))
        drawn.append(DrawnDie(round(x, 1), round(y, 1), turn, die.colour, mark, face, front, side))
    return tuple(drawn)
