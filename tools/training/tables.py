"""Crowded tables to cut crops from: many dice at once, flat, touching, cocked and stacked, of many looks."""

import math
import random
from dataclasses import replace

from hardware.box import FieldLayout
from hardware.sim.dice import D20, NUMERALS, DieLook, SimulatedDie
from tools.scenes import arrangement, looks
from tools.scenes.families import FAMILIES, Family, empty_scene, mount_variously
from tools.training import squares
from vision.sim import placing
from vision.sim.hand import Hand
from vision.sim.light import Lamp, Light
from vision.sim.scene import Scene
from vision.sim.solids import solid_of
from vision.sim.table import marker_middles
from vision.sim.things import LEFT, Thing

HELD_OUT = ("leather",)
_SIZE_PX = (1280, 720)
TILT_RAD, _ASKEW = math.radians(18), 0.5  # cameras hang as much askew as this; part of the tables under such ones
_TWO_TONED = 0.12  # part of the looks that have a body of two colours
_LIKE_CLOTH = 0.1  # part of the dice that have about the cloth's colour
_LEAST_INK = 70  # levels of some colour between pips and body
_SYMBOLS = ("boat", "bolt", "star", "ring", "arrow", "cross", "blank")
_SURELY_COCKED_RAD = math.radians(13)  # less is hardly seen from above: neither flat nor cocked
_ON_MARKERS = 0.15  # part of the dice that lie on a marker or beside one
_AT_WALLS = 0.18  # part of the dice that rolled against a wall, where the table has some
_STICKS_OUT = 0.12  # of the upper die's edge: a lower die that shows this much gives a stack away


def table_of(rng: random.Random, family: Family, tilt_rad: float = TILT_RAD) -> Scene:
    """An empty table of the family, focused as well as cameras mostly are; half of the cameras hang more askew, by as
    much as `tilt_rad`.
    """
    scene = empty_scene(rng, family, FieldLayout(), _SIZE_PX)
    if rng.random() < _ASKEW:
        scene = replace(scene, optics=mount_variously(rng, scene.layout, _SIZE_PX, tilt_rad))
    return replace(scene, seed=rng.getrandbits(32))


def any_light(rng: random.Random, layout: FieldLayout) -> Light:
    """Lamps and suns, high and low: how long a shadow is says nothing about how a die lies."""
    suns = tuple(_sun(rng, layout) for _ in range(rng.randint(1, 2)))
    return Light(suns, rng.uniform(0.2, 0.75), (), rng.uniform(0.0, 0.15))


def _sun(rng: random.Random, layout: FieldLayout) -> Lamp:
    """A lamp 20 to 75 degrees over the baize as seen from its middle, from half a metre to two metres away."""
    up, around, away_mm = math.radians(rng.uniform(20, 75)), rng.uniform(0, 2 * math.pi), rng.uniform(500, 2000)
    level_mm, warmth = away_mm * math.cos(up), rng.uniform(-0.15, 0.15)
    return Lamp(
        0.5 + level_mm * math.cos(around) / layout.width_mm,
        0.5 + level_mm * math.sin(around) / layout.depth_mm,
        away_mm * math.sin(up),
        rng.uniform(0.5, 1.0),
        rng.uniform(0.01, 0.15) * away_mm,
        (1 + warmth, 1.0, 1 - warmth),
    )


def crowded(rng: random.Random, table: Scene, family: Family, count: int) -> Scene:
    """The table with up to `count` dice, another moment's sensor and now and then some things among them."""
    drawn = [
        like_cloth(rng, look, table) if rng.random() < _LIKE_CLOTH else look for look in _looks(rng, family, count)
    ]
    dice: list[SimulatedDie] = []
    for look in drawn:
        die = _next_die(rng, dice, look, table)
        if die is not None:
            dice.append(die)
    things = tuple(_thing(rng, table.layout) for _ in range(rng.randint(1, 4))) if rng.random() < 0.2 else ()
    sensor = replace(
        table.sensor,
        exposure=rng.uniform(0.28, 1.3) if rng.random() < 0.85 else rng.uniform(1.3, 1.7),
        noise=rng.uniform(0.5, 6.0),
        defocus_px=rng.uniform(0.4, 1.6),
        jpeg_quality=rng.randint(50, 95) if rng.random() < 0.3 else None,
    )
    return replace(table, dice=tuple(dice), things=things, sensor=sensor, noise_key=str(rng.getrandbits(32)))


def hand_over(rng: random.Random, layout: FieldLayout) -> Hand:
    """A hand anywhere over the field."""
    return Hand(
        rng.uniform(0.1, 0.9) * layout.width_mm,
        rng.uniform(0.1, 0.9) * layout.depth_mm,
        rng.uniform(0, 2 * math.pi),
        rng.uniform(0.75, 1.1),
        rng.random() < 0.5,
        looks.colour(rng, (0.02, 0.1), (0.2, 0.65), (0.2, 0.95)),
        looks.colour(rng, (0, 1), (0, 0.8), (0.1, 0.9)),
        rng.uniform(6, 40),
    )


def is_cocked(die: SimulatedDie) -> bool:
    """Whether a die leans so much that it must be called so."""
    return die.lean_rad >= _SURELY_COCKED_RAD


def shows_pips(die: SimulatedDie) -> bool:
    """Whether the face on top bears as many pips as its value."""
    return die.look.faces[die.value - 1] == f"pip:{die.value}"


def _looks(rng: random.Random, family: Family, count: int) -> list[DieLook]:
    """Looks of which some come from the family, some are of any colour and shape."""
    alike = rng.random() < 0.3
    drawn = [_look(rng, family) for _ in range(rng.randint(1, 3) if alike else count)]
    return [drawn[index % len(drawn)] for index in range(count)]


def like_cloth(rng: random.Random, look: DieLook, table: Scene) -> DieLook:
    """The look in about the colour of the table's cloth, with pips that stand out."""
    shade = rng.uniform(0.6, 1.5)
    red, green, blue = (max(0, min(255, round(part * shade + rng.gauss(0, 12)))) for part in table.cloth.colour)
    pip = (240, 240, 235) if looks.grey_of((red, green, blue)) < 120 else (20, 20, 25)
    return replace(look, body=(red, green, blue), pip=pip, asian=False)


def _look(rng: random.Random, family: Family) -> DieLook:
    if family.name in HELD_OUT:
        return family.dice(rng)
    if rng.random() < _TWO_TONED:
        return _two_toned(rng)
    look = looks.anything(rng) if rng.random() < 0.6 else _recoloured(rng, looks.anything(rng))
    if rng.random() < 0.5:
        look = _reshaped(rng, look)
    return replace(look, faces=_odd_faces(rng)) if rng.random() < 0.04 else look


def _recoloured(rng: random.Random, look: DieLook) -> DieLook:
    """Body and pips of any colours that differ enough."""
    while True:
        body, pip = (looks.colour(rng, (0, 1), (0, 1), (0.05, 1)) for _ in range(2))
        if max(abs(a - b) for a, b in zip(body, pip, strict=True)) >= _LEAST_INK:
            return replace(look, body=body, pip=pip)


def _two_toned(rng: random.Random) -> DieLook:
    """A body of two colours that flow into each other, and pips that differ from both in some colour, not in light."""
    while True:
        body, second, pip = (looks.colour(rng, (0, 1), (0.2, 1), (0.1, 1)) for _ in range(3))
        if all(max(abs(a - b) for a, b in zip(vein, pip, strict=True)) >= _LEAST_INK for vein in (body, second)):
            return replace(looks.anything(rng), body=body, pip=pip, material="marbled", second=second, asian=False)


def _reshaped(rng: random.Random, look: DieLook) -> DieLook:
    """Other pips, rounder or sharper edges, any size."""
    radius = rng.uniform(0.07, 0.135)
    six_pitch = rng.uniform(max(0.19, 2.1 * radius), 0.29)
    return replace(
        look,
        edge_mm=rng.uniform(12, 20),
        pip_radius=radius,
        pitch=rng.uniform(max(0.21, 2.2 * radius), 0.3),
        six_pitch=six_pitch,
        rounding=rng.uniform(0.03, 0.26),
        drilled=rng.random() < 0.5,
        gloss=rng.choice((0.0, rng.uniform(0, 1))),
        material="translucent" if rng.random() < 0.35 else look.material,
    )


def _odd_faces(rng: random.Random) -> tuple[str, ...]:
    """What no value may be read from: numerals or symbols."""
    return NUMERALS if rng.random() < 0.4 else tuple(rng.choice((*_SYMBOLS, *D20[6:])) for _ in range(6))


def _next_die(rng: random.Random, dice: list[SimulatedDie], look: DieLook, table: Scene) -> SimulatedDie | None:
    """One more die somewhere, or None when some tries find no room; some may lie on a marker."""
    layout, on_markers = table.layout, rng.random() < _ON_MARKERS
    at_wall = not on_markers and table.wall_mm > 0 and rng.random() < _AT_WALLS
    for _ in range(12):
        if at_wall:
            die = _at_wall(rng, look, layout)
        else:
            die = _near_marker(rng, look, layout) if on_markers else _anyhow(rng, dice, look, layout)
        free = placing.is_between_walls(die, layout) if on_markers else placing.is_inside(die, layout)
        if free and all(_beside(die, other) for other in dice):
            return die
    return None


def _near_marker(rng: random.Random, look: DieLook, layout: FieldLayout) -> SimulatedDie:
    """A die on a marker or beside it, flat or leaning."""
    x, y = rng.choice(marker_middles(layout))
    reach = layout.marker_mm
    die = placing.any_die(rng, look, x + rng.uniform(-reach, reach), y + rng.uniform(-reach, reach))
    return _leaning(rng, die) if rng.random() < 0.3 else die


def _at_wall(rng: random.Random, look: DieLook, layout: FieldLayout) -> SimulatedDie:
    """A die that touches a wall: flush with it, by a corner, or leaning on it."""
    side, way = rng.randrange(4), rng.random()
    die = placing.any_die(rng, look)
    if way < 0.5:
        die = replace(die, angle_rad=rng.randrange(4) * math.pi / 2 + rng.gauss(0, 0.03))
    if way > 0.7:
        die = replace(_leaning(rng, die), lean_to_rad=side * math.pi / 2 + rng.gauss(0, 0.3))
    return arrangement.move_to_wall(rng, die, layout, side)


def _leaning(rng: random.Random, die: SimulatedDie) -> SimulatedDie:
    most = rng.choice((20, 45))
    return replace(die, lean_rad=math.radians(rng.uniform(7.5, most)), lean_to_rad=rng.uniform(0, 2 * math.pi))


def _anyhow(rng: random.Random, dice: list[SimulatedDie], look: DieLook, layout: FieldLayout) -> SimulatedDie:
    way = rng.random()
    if dice and way < 0.14:
        return _stacked(rng, dice, look)
    flat = [each for each in dice if each.lean_rad == 0 and each.lift_mm == 0]
    if flat and way < 0.3:
        # As dice come to rest: on the shoulder of another one, mostly a little.
        return arrangement.lean_on(rng, rng.choice(flat), look, math.radians(rng.uniform(7.5, rng.choice((15, 30)))))
    die = placing.any_die(rng, look, rng.uniform(0, layout.width_mm), rng.uniform(0, layout.depth_mm))
    if rng.random() < 0.15:
        die = _leaning(rng, die)
    return squares.touching(rng, rng.choice(dice), die) if dice and way < 0.6 else die


def _stacked(rng: random.Random, dice: list[SimulatedDie], look: DieLook) -> SimulatedDie:
    below = rng.choice(dice)
    if below.lean_rad > 0 or below.lift_mm > 0:
        return squares.touching(rng, below, placing.any_die(rng, look))
    return arrangement.lay_on(rng, below, look)


def _beside(one: SimulatedDie, other: SimulatedDie) -> bool:
    """Whether two dice do not run into one another: one lies on the other, is far away, or just touches."""
    if abs(one.lift_mm - other.lift_mm) > 1:
        near = 0.5 * max(one.look.edge_mm, other.look.edge_mm)
        distance = math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)
        return distance < near or distance > 1.6 * (one.look.edge_mm + other.look.edge_mm) / 2
    return squares.gap_mm(one, other) > -0.05


def lies_under(die: SimulatedDie, others: tuple[SimulatedDie, ...]) -> bool:
    """Whether another die lies or leans over this one's top."""
    top = float(solid_of(die).middle[2])
    return any(
        other is not die
        and (other.lift_mm > 1 or other.lean_rad > 0)
        and solid_of(other).middle[2] > top - 6
        and math.hypot(die.x_mm - other.x_mm, die.y_mm - other.y_mm) < 0.45 * (die.look.edge_mm + other.look.edge_mm)
        for other in others
    )


def is_stacked(die: SimulatedDie, others: tuple[SimulatedDie, ...]) -> bool:
    """Whether `die` lies on another one that can be seen under it."""
    below = [other for other in others if other.lift_mm < 1 and other.lean_rad == 0 and squares.gap_mm(die, other) < 0]
    return any(
        math.hypot(die.x_mm - other.x_mm, die.y_mm - other.y_mm)
        > _STICKS_OUT * die.look.edge_mm + max(0.0, die.look.edge_mm - other.look.edge_mm) / 2
        for other in below
    )


def _thing(rng: random.Random, layout: FieldLayout) -> Thing:
    return Thing(
        rng.choice(LEFT),
        rng.uniform(0.1, 0.9) * layout.width_mm,
        rng.uniform(0.1, 0.9) * layout.depth_mm,
        rng.uniform(0, 2 * math.pi),
        rng.uniform(15, 70),
        looks.colour(rng, (0, 1), (0, 0.9), (0.2, 0.98)),
    )


def families(held_out: bool) -> list[Family]:
    """The families to train on, or those kept for the test."""
    return [family for name, family in FAMILIES.items() if (name in HELD_OUT) == held_out]
