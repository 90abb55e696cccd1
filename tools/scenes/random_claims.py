"""Draws scenes of claims at random: dice laid on the baize, others next to it, and disturbances of the claim."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from hardware.box import Box, FieldLayout
from hardware.sim.dice import CLAIM_COLOURS, COLOURS, JOKER_VALUE, JOKERS, Colour, DieLook, SimulatedDie, claim_look
from tools.scenes import arrangement
from tools.scenes.families import FAMILIES, light_of, sensor_of
from tools.scenes.looks import colour
from vision.libraries import cv2
from vision.sim import placing
from vision.sim.camera import empty_field
from vision.sim.scene import Scene
from vision.sim.things import PIECES, Thing, outline_of

Cover = Literal["coin", "tile"]
Disturbance = Literal["coin", "tile", "die", "leaning", "over_edge", "colour", "size", "faces", "pips"]
_TABLES = 16
_TOUCHING, _MOST_TOUCHING = 0.25, 8
_HALF = (0.35, 0.7)  # hidden part of the top of a joker
_LENGTHS_MM = {"coin": (18.0, 27.0), "tile": (38.0, 60.0)}
_LEAN_RAD = (math.radians(8), math.radians(40))
_OVER_MM = 4.0  # largest distance from the edge of the middle of a die that lies over it
_SMALL_MM, _LARGE_MM = (10.0, 13.0), (19.0, 22.0)
_BESIDE_MM = (0.5, 45.0)
_FALLEN = 0.15  # part of the dice next to the baize that lean on something
_TRIES = 400
# Bodies and drawings that no dice of claims have.
_STRANGE: tuple[tuple[Colour, Colour], ...] = (
    COLOURS["orange"],
    ((238, 130, 170), (30, 20, 24)),
    ((112, 70, 38), (240, 232, 220)),
    ((20, 140, 140), (240, 244, 244)),
    ((130, 130, 134), (20, 20, 22)),
    ((120, 180, 232), (20, 24, 40)),
    ((160, 205, 50), (24, 30, 20)),
)
_STRANGE_FACES = ("numeral:1", "star", "ring", "arrow", "cross")


@dataclass(frozen=True, slots=True)
class LaidSet:
    """Dice of one colour that are laid with these values on top, and the picture on their jokers."""

    colour: str
    values: tuple[int, ...]
    joker: str = JOKERS[0]

    @property
    def look(self) -> DieLook:
        return claim_look(self.colour, self.joker)


def random_claim(
    box: Box, seed: int, sets: Sequence[LaidSet], *, disturbance: Disturbance | None = None, beside: int = 0
) -> Scene:
    """Draw a scene of the baize of a box on which these dice lie; the same arguments give the same scene.

    `disturbance` spoils the first set as a claim. A coin, a tile or its own last die hides half of a joker of it; or
    the last die leans, lies over the edge, or is foreign: of another colour or size or with other faces or pips.
    `beside` is the number of dice of all players around the baize. Raises `ValueError` when the joker is missing.
    """
    rng = random.Random(f"claim/{seed}")
    family = FAMILIES["club_green"]
    table = replace(
        empty_field(box, seed % _TABLES),
        light=light_of(rng, family, box.field),
        sensor=sensor_of(rng, family),
        noise_key=str(seed),
    )
    wanted = [(each.look, value) for each in sets for value in each.values]
    if disturbance is None:
        scene = replace(table, dice=_lay(rng, wanted, box.field))
    elif disturbance == "coin" or disturbance == "tile":
        dice = _lay(rng, wanted, box.field)
        scene = replace(table, dice=dice, things=(_cover(rng, disturbance, _joker_of(dice, sets[0])),))
    else:
        last = len(sets[0].values) - 1
        others = replace(table, dice=_lay(rng, [*wanted[:last], *wanted[last + 1 :]], box.field))
        scene = replace(others, dice=(*others.dice, _LAST[disturbance](rng, others, sets[0])))
    return replace(scene, dice=(*scene.dice, *_lay_beside(rng, scene, beside)))


def _lay(rng: random.Random, wanted: Sequence[tuple[DieLook, int]], layout: FieldLayout) -> tuple[SimulatedDie, ...]:
    """Lay dice with these values on top anywhere on the baize, sometimes touching one another."""
    looks = [look for look, _ in wanted]
    touching = 1 < len(looks) <= _MOST_TOUCHING and rng.random() < _TOUCHING
    dice = arrangement.lay_cluster(rng, looks, layout) if touching else arrangement.lay_apart(rng, looks, layout)
    return tuple(_show(rng, die, value) for die, (_, value) in zip(dice, wanted, strict=True))


def _show(rng: random.Random, die: SimulatedDie, value: int) -> SimulatedDie:
    """Return the die with this value on top."""
    beside = [side for side in range(1, 7) if side not in (value, 7 - value)]
    return replace(die, value=value, near_value=rng.choice(beside))


def _joker_of(dice: Sequence[SimulatedDie], laid: LaidSet) -> SimulatedDie:
    joker = next((die for die in dice if die.look == laid.look and die.value == JOKER_VALUE), None)
    if joker is None:
        raise ValueError(f"no {laid.colour} joker lies there")
    return joker


def _cover(rng: random.Random, kind: Cover, die: SimulatedDie) -> Thing:
    """Draw a thing on a die that hides about half of its top; if it hid more, it would fall."""
    tints = {"coin": ((0.05, 0.14), (0.0, 0.6), (0.6, 0.85)), "tile": ((0.05, 0.1), (0.3, 0.6), (0.45, 0.8))}
    # Places (n, 2) in mm all over the top of the die.
    along = (np.arange(10) / 9 - 0.5) * die.look.edge_mm
    across_mm, along_mm = (part.reshape(-1, 1) for part in np.meshgrid(along, along))
    top = arrangement.top_face(die)
    places = np.asarray((top.middle + across_mm * top.across + along_mm * top.along)[:, :2], np.float64)
    while True:
        away, towards = rng.uniform(4.0, 12.0), rng.uniform(0, 2 * math.pi)
        x, y = die.x_mm + away * math.cos(towards), die.y_mm + away * math.sin(towards)
        length = rng.uniform(*_LENGTHS_MM[kind])
        thing = Thing(kind, x, y, rng.uniform(0, 2 * math.pi), length, colour(rng, *tints[kind]), die.look.edge_mm)
        outline = np.asarray(outline_of(thing, PIECES[kind][1].outline), np.float32)
        hidden = [cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0 for x, y in places]
        if _HALF[0] <= float(np.mean(hidden)) <= _HALF[1]:
            return thing


def _lay_on_joker(rng: random.Random, scene: Scene, laid: LaidSet) -> SimulatedDie:
    """Lay the last die on a joker, hiding about a half of it."""
    joker = _joker_of(scene.dice, laid)
    return _show(rng, arrangement.lay_on(rng, joker, laid.look), laid.values[-1])


def _lean(rng: random.Random, scene: Scene, laid: LaidSet) -> SimulatedDie:
    def draw() -> SimulatedDie:
        leaning = arrangement.lean_on(rng, rng.choice(scene.dice), laid.look, rng.uniform(*_LEAN_RAD))
        return _show(rng, leaning, laid.values[-1])

    return next(die for die in iter(draw, None) if placing.is_free(die, scene.dice, scene.layout, 0.0))


def _lay_over_edge(rng: random.Random, scene: Scene, laid: LaidSet) -> SimulatedDie:
    def draw() -> SimulatedDie:
        out_mm = rng.uniform(-_OVER_MM, _OVER_MM)
        return _show(rng, arrangement.lay_over_edge(rng, laid.look, scene.layout, out_mm), laid.values[-1])

    return next(die for die in iter(draw, None) if all(placing.are_apart(die, other, 0.5) for other in scene.dice))


def _stranger(rng: random.Random, scene: Scene, look: DieLook, value: int) -> SimulatedDie:
    [die] = arrangement.lay_apart(rng, (look,), scene.layout, scene.dice)
    return _show(rng, die, value)


def _of_other_colour(rng: random.Random, scene: Scene, laid: LaidSet) -> SimulatedDie:
    body, drawn = rng.choice(_STRANGE)
    return _stranger(rng, scene, replace(laid.look, body=body, pip=drawn), laid.values[-1])


def _of_other_size(rng: random.Random, scene: Scene, laid: LaidSet) -> SimulatedDie:
    edge_mm = rng.uniform(*rng.choice((_SMALL_MM, _LARGE_MM)))
    return _stranger(rng, scene, replace(laid.look, edge_mm=edge_mm), laid.values[-1])


def _with_other_faces(rng: random.Random, scene: Scene, laid: LaidSet) -> SimulatedDie:
    faces = (rng.choice(_STRANGE_FACES),) * 6
    return _stranger(rng, scene, replace(laid.look, faces=faces), laid.values[-1])


def _with_pips(rng: random.Random, scene: Scene, laid: LaidSet) -> SimulatedDie:
    plain = DieLook(laid.look.edge_mm, laid.look.body, laid.look.pip)
    return _stranger(rng, scene, plain, laid.values[-1])


_LAST: dict[str, Callable[[random.Random, Scene, LaidSet], SimulatedDie]] = {
    "die": _lay_on_joker,
    "leaning": _lean,
    "over_edge": _lay_over_edge,
    "colour": _of_other_colour,
    "size": _of_other_size,
    "faces": _with_other_faces,
    "pips": _with_pips,
}


def _lay_beside(rng: random.Random, scene: Scene, count: int) -> tuple[SimulatedDie, ...]:
    """Lay dice of all players around the baize, as many of `count` as find room, some of them leaning."""
    lying: list[SimulatedDie] = []
    for _ in range(_TRIES):
        if len(lying) == count:
            break
        out_mm = rng.uniform(*_BESIDE_MM)
        die = placing.any_die(rng, claim_look(rng.choice(CLAIM_COLOURS)))
        if rng.random() < _FALLEN:
            die = replace(die, lean_rad=rng.uniform(*_LEAN_RAD), lean_to_rad=rng.uniform(0, 2 * math.pi))
        die = arrangement.push_outside(rng, die, scene.layout, out_mm)
        if all(placing.are_apart(die, other, 0.3) for other in (*scene.dice, *lying)):
            lying.append(die)
    return tuple(lying)
