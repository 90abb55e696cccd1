"""Simulated dice: what they look like, where they lie, how a throw rolls out.

Field coordinates are millimetres from the far left corner of the baize as the player sees it:
x to the right, y towards the player.
"""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

LIFTED_S = 0.35  # the dice are in the hand this long before they come back into the field
_FLIP_S = 0.06  # a rolling die shows another face about this often
_CLEARANCE = 1.45  # least distance of two centres in edge lengths; sqrt(2) is corner to corner
_TRIES = 1000  # places for one die: on a field with any room to speak of, a handful are enough

Colour = tuple[int, int, int]


PIPS = tuple(f"pip:{value}" for value in range(1, 7))
NUMERALS = tuple(f"numeral:{value}" for value in range(1, 7))
# A 6 and a 9 of a die with twenty sides are told apart by the line under them.
D20 = tuple(f"numeral:{value}_" if value in (6, 9) else f"numeral:{value}" for value in range(1, 21))


@dataclass(frozen=True, slots=True)
class DieLook:
    """The look of a die.

    `edge_mm` is the length of an edge of the solid (of one triangle's edge with 20 sides), `body` and `pip` are
    (red, green, blue) in 0..255. As parts of the edge: `pip_radius`; `pitch` from the middle to an outer pip;
    `six_pitch` between neighbours in a row of three of the 6 (less than `pitch`: close rows); `rounding`, the radius
    of edges and corners. A common 16 mm die has pips of 3.3 mm, 4.2 mm from middle to middle, and edges rounded by
    about 2 mm. `drilled` pips are hollows, others are painted. `asian`: a large red 1 and a red 4. `left_handed`: 1, 2
    and 3 run clockwise about their corner. `second` veins a marbled body. `gloss` (0..1) is how much of the lamp is
    mirrored.

    `faces` names the drawing on each face by value: `pip:N`, `numeral:N` (`numeral:6.` with a dot,
    `numeral:6_` with a line), the name of a symbol (boat, bolt, star, ring, arrow, cross) or `blank`; as many
    as `sides` (6 or 20).
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

# The bodies and drawings of those of one colour each, by the name that people give it.
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
    """One die: the value that points up most, the value facing near at angle 0, the middle of the solid, its turn.

    `angle_rad` turns the die about the vertical, clockwise as seen from above. Then it leans: its top tips by
    `lean_rad` (0 lies flat) towards `lean_to_rad`, 0 being +x (right) and a quarter turn +y (near). Its lowest
    point is `lift_mm` above the baize (0, or what it lies on).
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
    """One throw: where the dice come to rest, and when. Before `started_s` they are in the hand."""

    started_s: float
    rest_s: float
    at_rest: tuple[SimulatedDie, ...]
    seed: int

    def at(self, now_s: float) -> tuple[SimulatedDie, ...]:
        """The dice as they lie or roll at `now_s`; none while they are in the hand."""
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

    Raises `ValueError` when they find no room beside one another and those that lie there, `among`.
    """
    lying: list[SimulatedDie] = []
    for look in looks:
        places = (_drop_die(rng, look, width_mm, depth_mm, margin_mm) for _ in range(_TRIES))
        free = next((die for die in places if all(_are_apart(die, other) for other in (*among, *lying))), None)
        if free is None:
            raise ValueError(f"{len(looks)} dice find no room in a field of {width_mm:g} x {depth_mm:g} mm")
        lying.append(free)
    started_s = now_s + LIFTED_S
    return DiceThrow(started_s, started_s + rng.uniform(0.7, 1.3), tuple(lying), rng.getrandbits(32))


def show_values(throw: DiceThrow, values: Sequence[int], rng: random.Random) -> DiceThrow:
    """The same throw, its dice (of six sides) coming to rest with these values on top."""
    shown = (
        replace(die, value=value, near_value=_beside(rng, value))
        for die, value in zip(throw.at_rest, values, strict=True)
    )
    return replace(throw, at_rest=tuple(shown))


def _drop_die(rng: random.Random, look: DieLook, width_mm: float, depth_mm: float, margin_mm: float) -> SimulatedDie:
    """A die anywhere in the field, whatever lies there."""
    value, near = _orientation(rng)
    x_mm = rng.uniform(margin_mm, width_mm - margin_mm)
    y_mm = rng.uniform(margin_mm, depth_mm - margin_mm)
    return SimulatedDie(value, near, x_mm, y_mm, rng.uniform(0.0, 2 * math.pi), look)


def _are_apart(one: SimulatedDie, other: SimulatedDie) -> bool:
    distance = math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)
    return distance >= _CLEARANCE * max(one.look.edge_mm, other.look.edge_mm)


def _orientation(rng: random.Random) -> tuple[int, int]:
    """A value on top and one of the four beside it, facing near. Opposite faces add to seven."""
    top = rng.randint(1, 6)
    return top, _beside(rng, top)


def _beside(rng: random.Random, top: int) -> int:
    """One of the four values beside this one."""
    return rng.choice([value for value in range(1, 7) if value not in (top, 7 - top)])
