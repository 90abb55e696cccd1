"""Simulated dice: their looks (those of Fleet! and Flash! included), their places, and how a throw rolls.

Field coordinates are millimetres from the far left corner of the baize as the player sees it: x to the right, y towards
the player.
"""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

LIFTED_S = 0.35  # time between lifting the dice and their return to the field
_FLIP_S = 0.06  # time for which a rolling die shows one face
_CLEARANCE = 1.45  # least distance of two centres in edge lengths; sqrt(2) is corner to corner
_TRIES = 1000  # places tried for one die; a field with some free room needs only a few

Colour = tuple[int, int, int]


PIPS = tuple(f"pip:{value}" for value in range(1, 7))
NUMERALS = tuple(f"numeral:{value}" for value in range(1, 7))
# A line under the number tells a 6 from a 9 on a die with twenty sides.
D20 = tuple(f"numeral:{value}_" if value in (6, 9) else f"numeral:{value}" for value in range(1, 21))


@dataclass(frozen=True, slots=True)
class DieLook:
    """The look of a die. A common 16 mm die has pips of 3.3 mm, 4.2 mm apart, and edges rounded by about 2 mm.

    edge_mm: length of an edge of the solid (of a triangle's edge with 20 sides).
    body, pip: colours.
    pip_radius: as a fraction of the edge, like the next three.
    pitch: from the middle to an outer pip.
    six_pitch: between neighbours in a row of three of the 6 (less than `pitch`: close rows).
    rounding: radius of edges and corners.
    drilled: pips are hollows, not painted.
    asian: a large red 1 and a red 4.
    left_handed: 1, 2 and 3 run clockwise about their corner.
    second: the colour of the veins of a marbled body.
    gloss: the fraction of the lamp's light that is mirrored (0..1).
    faces: the drawing on each of the `sides` faces by value: `pip:N`, `numeral:N` (`numeral:6.` with a dot,
    `numeral:6_` with a line), the name of a symbol (boat, bolt, star, ring, arrow, cross) or `blank`.
    """

    edge_mm: float
    body: Colour
    pip: Colour
    pip_radius: float = 0.103
    pitch: float = 0.262
    six_pitch: float = 0.262
    rounding: float = 0.12
    drilled: bool = False
    asian: bool = False
    left_handed: bool = False
    material: Literal["solid", "translucent", "marbled"] = "solid"
    second: Colour = (240, 240, 240)
    gloss: float = 0.0
    faces: tuple[str, ...] = PIPS
    sides: Literal[6, 20] = 6


LOOKS: tuple[tuple[Colour, Colour], ...] = (
    ((236, 232, 220), (22, 22, 24)),
    ((238, 236, 230), (176, 24, 28)),
    ((178, 22, 30), (240, 238, 232)),
    ((24, 60, 158), (238, 238, 240)),
    ((26, 26, 28), (236, 236, 232)),
    ((226, 186, 40), (24, 22, 20)),
    ((236, 112, 34), (250, 246, 240)),
    ((92, 34, 120), (244, 240, 246)),
)

# The colours of body and pips by the common name of the body's colour.
COLOURS: Mapping[str, tuple[Colour, Colour]] = {
    "white": LOOKS[0],
    "red": LOOKS[2],
    "blue": LOOKS[3],
    "black": LOOKS[4],
    "yellow": LOOKS[5],
    "orange": LOOKS[6],
    "purple": LOOKS[7],
}


@dataclass(frozen=True, slots=True)
class SimulatedDie:
    """One die in the field.

    value: the value that points up most.
    near_value: the value that faces the player at angle 0.
    x_mm, y_mm: the middle of the solid.
    angle_rad: the turn about the vertical, clockwise as seen from above.
    lean_rad: how far its top then tips (0 lies flat), towards `lean_to_rad` (0 is +x, right; a quarter turn +y, near).
    lift_mm: height of its lowest point over the baize, such as that of the thing it lies on.
    """

    value: int
    near_value: int
    x_mm: float
    y_mm: float
    angle_rad: float
    look: DieLook
    lean_rad: float = 0.0
    lean_to_rad: float = 0.0
    lift_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class DiceThrow:
    """One throw: where and when the dice come to rest. Before `started_s` they are in the hand."""

    started_s: float
    rest_s: float
    at_rest: tuple[SimulatedDie, ...]
    seed: int

    def at(self, now_s: float) -> tuple[SimulatedDie, ...]:
        """Return the dice as they lie or roll at `now_s`; none while they are in the hand."""
        if now_s < self.started_s:
            return ()
        if now_s >= self.rest_s:
            return self.at_rest
        return tuple(self._roll(die, index, now_s) for index, die in enumerate(self.at_rest))

    def _roll(self, die: SimulatedDie, index: int, now_s: float) -> SimulatedDie:
        left = (self.rest_s - now_s) / (self.rest_s - self.started_s)
        rng = random.Random(f"{self.seed}/{index}/{int(left * (self.rest_s - self.started_s) / _FLIP_S)}")
        value, near = _orientation(rng)
        away_mm = 160.0 * left * left
        heading = die.angle_rad + 0.9 * index
        return replace(
            die,
            value=value,
            near_value=near,
            x_mm=die.x_mm + 0.4 * away_mm * math.sin(heading),
            y_mm=die.y_mm + away_mm,
            angle_rad=die.angle_rad + 9.0 * left * left,
        )


def throw_dice(
    rng: random.Random,
    looks: Sequence[DieLook],
    *,
    now_s: float,
    width_mm: float,
    depth_mm: float,
    margin_mm: float,
    among: Sequence[SimulatedDie] = (),
) -> DiceThrow:
    """Throw one die per look into a field of `width_mm` x `depth_mm`, at least `margin_mm` from its edges.

    Raises `ValueError` when there is no room beside each other and the dice that lie there already, `among`.
    """
    lying: list[SimulatedDie] = []
    for look in looks:
        for _ in range(_TRIES):
            value, near = _orientation(rng)
            x_mm = rng.uniform(margin_mm, width_mm - margin_mm)
            y_mm = rng.uniform(margin_mm, depth_mm - margin_mm)
            die = SimulatedDie(value, near, x_mm, y_mm, rng.uniform(0.0, 2 * math.pi), look)
            if all(
                math.hypot(x_mm - other.x_mm, y_mm - other.y_mm) >= _CLEARANCE * max(look.edge_mm, other.look.edge_mm)
                for other in (*among, *lying)
            ):
                lying.append(die)
                break
        else:
            raise ValueError(f"{len(looks)} dice find no room in a field of {width_mm:g} x {depth_mm:g} mm")
    started_s = now_s + LIFTED_S
    return DiceThrow(started_s, started_s + rng.uniform(0.7, 1.3), tuple(lying), rng.getrandbits(32))


def show_values(throw: DiceThrow, values: Sequence[int], rng: random.Random) -> DiceThrow:
    """Return the same throw with its dice (of six sides) coming to rest with these values on top."""
    shown = (
        replace(die, value=value, near_value=_beside(rng, value))
        for die, value in zip(throw.at_rest, values, strict=True)
    )
    return replace(throw, at_rest=tuple(shown))


def _orientation(rng: random.Random) -> tuple[int, int]:
    """Return a value on top and one of the four beside it, facing near. Opposite faces add to seven."""
    top = rng.randint(1, 6)
    return top, _beside(rng, top)


def _beside(rng: random.Random, top: int) -> int:
    return rng.choice([value for value in range(1, 7) if value not in (top, 7 - top)])


# For Fleet! and Flash! each player has six dice of one colour, with five numbers and a joker on each. These are the
# most distinct of the known colours: orange is too close to yellow.
CLAIM_COLOURS = ("white", "red", "blue", "black", "yellow", "purple")
JOKERS = ("boat", "bolt")
JOKER_VALUE = 1  # numbers 2 to 6 have their own values
_EDGE_MM = 16.0


def claim_look(colour: str, joker: str = JOKERS[0]) -> DieLook:
    """Return the look of the dice of a colour, with `joker` drawn on the sixth face. Raises `ValueError`."""
    if colour not in COLOURS:
        raise ValueError(f"there are no {colour} dice: the colours are {', '.join(COLOURS)}")
    return DieLook(_EDGE_MM, *COLOURS[colour], faces=(joker, *(f"numeral:{number}" for number in range(2, 7))))


def read_faces(written: str) -> tuple[int, ...]:
    """Return the values of faces written as `2,2,boat,5,6,6`; a joker may be written as either picture, or `joker`.

    Raises `ValueError` for a face that these dice do not have.
    """
    values = []
    for word in written.replace(",", " ").split():
        if word.lower() in ("joker", *JOKERS):
            values.append(JOKER_VALUE)
        elif word in ("2", "3", "4", "5", "6"):
            values.append(int(word))
        else:
            raise ValueError(f"no face {word!r}: these dice show 2 to 6 or a joker")
    return tuple(values)
