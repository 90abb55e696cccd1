"""Arranges simulated dice as scenes want them: apart, touching, leaning, on one another, at the wall."""

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import replace

from hardware.box import FieldLayout
from hardware.sim.dice import DieLook, SimulatedDie
from vision.sim.placing import CLOSE_MM, any_die, is_free, reach_mm
from vision.sim.solids import Face, gap_mm, solid_of

_TRIES = 600


def top_face(die: SimulatedDie) -> Face:
    return next(face for face in solid_of(die).faces if face.value == die.value)


def lay_apart(
    rng: random.Random, looks: Sequence[DieLook], layout: FieldLayout, among: Iterable[SimulatedDie] = ()
) -> tuple[SimulatedDie, ...]:
    """Lay dice anywhere in the field, off the markers, apart from one another and from `among`.

    Raises `ValueError` when there is no room.
    """
    lying: list[SimulatedDie] = []
    for look in looks:
        others = [*among, *lying]
        tries = (
            any_die(rng, look, rng.uniform(0, layout.width_mm), rng.uniform(0, layout.depth_mm)) for _ in range(_TRIES)
        )
        free = next((die for die in tries if is_free(die, others, layout)), None)
        if free is None:
            raise ValueError(
                f"{len(looks)} dice find no room in a field of {layout.width_mm:g} x {layout.depth_mm:g} mm"
            )
        lying.append(free)
    return tuple(lying)


def lay_cluster(rng: random.Random, looks: Sequence[DieLook], layout: FieldLayout) -> tuple[SimulatedDie, ...]:
    """Lay dice in the field each of which touches another one. Raises `ValueError` when there is no room."""
    for _ in range(_TRIES):
        dice = list(lay_apart(rng, looks[:1], layout))
        for look in looks[1:]:
            tries = (lay_touching(rng, rng.choice(dice), look) for _ in range(30))
            fit = next((die for die in tries if is_free(die, dice, layout, 0.0)), None)
            if fit is None:
                break
            dice.append(fit)
        if len(dice) == len(looks):
            return tuple(dice)
    raise ValueError(f"{len(looks)} touching dice find no room in {layout.width_mm:g} x {layout.depth_mm:g} mm")


def lay_touching(rng: random.Random, one: SimulatedDie, look: DieLook) -> SimulatedDie:
    """Lay a die of `look` so that it touches `one`: half of the time face to face, else at random."""
    other = any_die(rng, look)
    towards = rng.uniform(0, 2 * math.pi)
    if rng.random() < 0.5:
        quarter = rng.randrange(4) * math.pi / 2
        other = replace(other, angle_rad=one.angle_rad)
        towards = one.angle_rad + quarter + rng.uniform(-0.35, 0.35)
    return push_against(other, (one,), (one.x_mm, one.y_mm), towards)


def push_against(
    die: SimulatedDie, others: Sequence[SimulatedDie], from_mm: tuple[float, float], towards_rad: float
) -> SimulatedDie:
    """Push `die` along a ray from `from_mm` as near to `others` as possible without entering them."""

    def at(away_mm: float) -> SimulatedDie:
        x, y = from_mm[0] + away_mm * math.cos(towards_rad), from_mm[1] + away_mm * math.sin(towards_rad)
        return replace(die, x_mm=x, y_mm=y)

    low, high = 0.0, 120.0
    while high - low > CLOSE_MM / 4:
        middle = (low + high) / 2
        inside = any(gap_mm(at(middle), other) < 0 for other in others)
        low, high = (middle, high) if inside else (low, middle)
    return at(high)


def lean_on(rng: random.Random, one: SimulatedDie, look: DieLook, lean_rad: float) -> SimulatedDie:
    """Lay a cocked die of `look` that leans towards `one` and touches it."""
    towards = rng.uniform(0, 2 * math.pi)
    cocked = replace(any_die(rng, look), lean_rad=lean_rad, lean_to_rad=towards + math.pi + rng.uniform(-0.3, 0.3))
    return push_against(cocked, (one,), (one.x_mm, one.y_mm), towards)


def lean_on_wall(rng: random.Random, look: DieLook, layout: FieldLayout, lean_rad: float) -> SimulatedDie:
    """Lay a cocked die that leans on one of the walls of the field, between the markers."""
    side = rng.randrange(4)
    die = replace(any_die(rng, look), lean_rad=lean_rad, lean_to_rad=side * math.pi / 2)
    return move_to_wall(rng, die, layout, side)


def move_to_wall(rng: random.Random, die: SimulatedDie, layout: FieldLayout, side: int) -> SimulatedDie:
    """Move `die` until it touches a wall between the markers: 0 right, 1 near, 2 left, 3 far."""
    clear = 2 * layout.marker_margin_mm + layout.marker_mm + die.look.edge_mm
    x, y = rng.uniform(clear, layout.width_mm - clear), rng.uniform(clear, layout.depth_mm - clear)
    solid = solid_of(die)
    low, high = solid.core.min(axis=0) - solid.radius_mm, solid.core.max(axis=0) + solid.radius_mm
    right, near = layout.width_mm - (high[0] - die.x_mm), layout.depth_mm - (high[1] - die.y_mm)
    left, far = die.x_mm - low[0], die.y_mm - low[1]
    place = ((right, y), (x, near), (left, y), (x, far))[side]
    return replace(die, x_mm=float(place[0]), y_mm=float(place[1]))


def roll_to_wall(rng: random.Random, dice: tuple[SimulatedDie, ...], layout: FieldLayout) -> tuple[SimulatedDie, ...]:
    """Let the first die stand flush at a wall, if there is room; the others stay."""
    first, *others = dice
    side, quarter = rng.randrange(4), rng.randrange(4)
    turned = move_to_wall(rng, replace(first, angle_rad=quarter * math.pi / 2), layout, side)
    return (turned, *others) if is_free(turned, others, layout) else dice


def lay_over_edge(rng: random.Random, look: DieLook, layout: FieldLayout, out_mm: float) -> SimulatedDie:
    """Lay a die with its middle `out_mm` outside the edge of the field, on any side between the markers."""
    clear = 2 * layout.marker_margin_mm + layout.marker_mm + look.edge_mm
    x, y = rng.uniform(clear, layout.width_mm - clear), rng.uniform(clear, layout.depth_mm - clear)
    sides = ((layout.width_mm + out_mm, y), (x, layout.depth_mm + out_mm), (-out_mm, y), (x, -out_mm))
    return any_die(rng, look, *rng.choice(sides))


def push_outside(rng: random.Random, die: SimulatedDie, layout: FieldLayout, out_mm: float) -> SimulatedDie:
    """Move `die` to any place outside the field, its nearest corner `out_mm` from the edge."""
    left, far, right, near = (end - at for end, at in zip(reach_mm(die), (die.x_mm, die.y_mm) * 2, strict=True))
    x = rng.uniform(-out_mm, layout.width_mm + out_mm)
    y = rng.uniform(-out_mm, layout.depth_mm + out_mm)
    places = (
        (layout.width_mm + out_mm - left, y),
        (x, layout.depth_mm + out_mm - far),
        (-out_mm - right, y),
        (x, -out_mm - near),
    )
    x_mm, y_mm = rng.choice(places)
    return replace(die, x_mm=x_mm, y_mm=y_mm)


def lay_on(rng: random.Random, one: SimulatedDie, look: DieLook) -> SimulatedDie:
    """Lay a die of `look` flat on `one`, somewhat off its middle."""
    height = max(solid_of(one).core[:, 2].tolist()) + solid_of(one).radius_mm
    reach = 0.33 * one.look.edge_mm
    upper = any_die(rng, look, one.x_mm + rng.uniform(-reach, reach), one.y_mm + rng.uniform(-reach, reach))
    return replace(upper, lift_mm=float(height))
