"""Makes scenes that need help: leaning and stacked dice, hands, things, darkness, glare, blur, covered markers."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from hardware.sim.dice import DieLook, SimulatedDie
from tools.scenes import arrangement
from tools.scenes.looks import colour
from vision.reading import Reason
from vision.sim import placing
from vision.sim.canvas import silhouette
from vision.sim.hand import Hand
from vision.sim.light import Band
from vision.sim.scene import Scene
from vision.sim.sensor import Glare
from vision.sim.solids import solid_of
from vision.sim.table import RIM_MM, marker_middles
from vision.sim.things import LEFT, Left, Thing

Looks = tuple[DieLook, ...]
Make = Callable[[random.Random, Scene, Looks], Scene]

_LENGTHS_MM: dict[Left, tuple[float, float]] = {
    "coin": (18, 27),
    "pencil": (80, 150),
    "paper": (40, 90),
    "key": (45, 65),
}


@dataclass(frozen=True, slots=True)
class Trouble:
    """A kind of trouble: the function that makes it, the reasons a refusal may give, and whether it must be refused."""

    make: Make
    acceptable: tuple[Reason, ...]
    must_refuse: bool = True


def _make_cocked(rng: random.Random, empty: Scene, looks: Looks) -> Scene:
    """One die leans by 8 to 40 degrees, on another die or on a wall."""
    # A die with twenty sides that leans by more than 20 degrees shows another face.
    lean = math.radians(rng.uniform(8, 40 if looks[0].sides == 6 else 19))
    if len(looks) == 1 or rng.random() < 0.5:
        walled = replace(empty, wall_mm=rng.uniform(13, 26))
        flat = arrangement.lay_apart(rng, looks[1:], empty.layout)
        return _with_one_more(walled, flat, lambda: arrangement.lean_on_wall(rng, looks[0], empty.layout, lean))
    flat = arrangement.lay_apart(rng, looks[1:], empty.layout)
    return _with_one_more(empty, flat, lambda: arrangement.lean_on(rng, rng.choice(flat), looks[0], lean))


def _with_one_more(scene: Scene, flat: tuple[SimulatedDie, ...], draw: Callable[[], SimulatedDie]) -> Scene:
    """Return the scene with `flat` and the first die drawn that lies in none of them and on no marker."""
    while True:
        die = draw()
        if placing.is_inside(die, scene.layout) and all(placing.are_apart(die, other, 0.0) for other in flat):
            return replace(scene, dice=(*flat, die))


def _make_stacked(rng: random.Random, empty: Scene, looks: Looks) -> Scene:
    """One die lies on another."""
    pair = looks if len(looks) > 1 else looks * 2
    flat = arrangement.lay_apart(rng, pair[1:], empty.layout)
    return replace(empty, dice=(*flat, arrangement.lay_on(rng, rng.choice(flat), pair[0])))


def _make_hand(rng: random.Random, empty: Scene, looks: Looks) -> Scene:
    """A hand reaches in, most often from the player's side."""
    layout = empty.layout
    towards = rng.choice((-0.5, -0.5, -0.5, 0.5, 0.0, 1.0)) * math.pi + rng.uniform(-0.5, 0.5)
    hand = Hand(
        rng.uniform(0.15, 0.85) * layout.width_mm,
        rng.uniform(0.15, 0.85) * layout.depth_mm,
        towards,
        rng.uniform(0.75, 1.1),
        rng.random() < 0.5,
        colour(rng, (0.03, 0.075), (0.3, 0.6), (0.35, 0.92)),
        colour(rng, (0, 1), (0, 0.7), (0.1, 0.8)),
        rng.uniform(6, 40),
    )
    return replace(empty, dice=arrangement.lay_apart(rng, looks, layout), hand=hand)


def _make_off_field(rng: random.Random, empty: Scene, looks: Looks) -> Scene:
    """One die lies over the edge of the baize, on the rim or just outside, whole in the picture."""
    flat = arrangement.lay_apart(rng, looks[1:], empty.layout)
    walled = empty.wall_mm > 0
    while True:
        out_mm = rng.uniform(2, RIM_MM - 2) if walled else rng.uniform(-3, RIM_MM + 16)
        lift_mm = empty.wall_mm if walled else 0.0
        die = replace(arrangement.lay_over_edge(rng, looks[0], empty.layout, out_mm), lift_mm=lift_mm)
        outline = silhouette(solid_of(die), empty.optics)
        seen = bool(np.all(outline > 4) and np.all(outline < np.array(empty.size_px) - 4))
        if seen and all(placing.are_apart(die, other, 0.0) for other in flat):
            return replace(empty, dice=(*flat, die))


def _make_object(rng: random.Random, empty: Scene, looks: Looks) -> Scene:
    """A coin, a pencil, a paper or a key lies in the field, next to the dice or under them."""
    tints = {
        "coin": ((0.05, 0.14), (0.0, 0.6), (0.6, 0.85)),
        "pencil": ((0.0, 1.0), (0.4, 0.95), (0.4, 0.9)),
        "paper": ((0.1, 0.16), (0.0, 0.15), (0.88, 0.98)),
        "key": ((0.08, 0.14), (0.0, 0.5), (0.6, 0.8)),
    }
    things = []
    for _ in range(rng.choice((1, 1, 2))):
        kind = rng.choice(LEFT)
        x, y = (rng.uniform(0.25, 0.75) * side for side in (empty.layout.width_mm, empty.layout.depth_mm))
        turn_rad, length_mm = rng.uniform(0, 2 * math.pi), rng.uniform(*_LENGTHS_MM[kind])
        things.append(Thing(kind, x, y, turn_rad, length_mm, colour(rng, *tints[kind])))
    return replace(empty, dice=arrangement.lay_apart(rng, looks, empty.layout), things=tuple(things))


def _make_empty(rng: random.Random, empty: Scene, looks: Looks) -> Scene:
    return empty


def _make_dark(rng: random.Random, empty: Scene, looks: Looks) -> Scene:
    sensor = replace(empty.sensor, exposure=rng.uniform(0.005, 0.05), noise=max(2.0, empty.sensor.noise))
    return replace(empty, sensor=sensor, dice=arrangement.lay_apart(rng, looks, empty.layout))


def _make_glare(rng: random.Random, empty: Scene, looks: Looks) -> Scene:
    """The reflection of a lamp washes out at least one whole die; sometimes the whole picture is over-exposed too."""
    dice = arrangement.lay_apart(rng, looks, empty.layout)
    hit = rng.choice(dice)
    x, y = empty.optics.project(arrangement.top_face(hit).middle[None])[0]
    die_px = _die_px(empty, hit)
    glare = Glare(float(x), float(y), rng.uniform(1.1, 4.0) * die_px, rng.uniform(1.0, 1.6))
    exposure = empty.sensor.exposure * rng.choice((1.0, 1.0, rng.uniform(1.5, 3.5)))
    return replace(empty, dice=dice, sensor=replace(empty.sensor, glares=(glare,), exposure=exposure))


def _make_blurred(rng: random.Random, empty: Scene, looks: Looks) -> Scene:
    """Out of focus, or shaken, so much that the pips of a die run together."""
    dice = arrangement.lay_apart(rng, looks, empty.layout)
    die_px = max(_die_px(empty, die) for die in dice)
    if rng.random() < 0.5:
        return replace(empty, dice=dice, sensor=replace(empty.sensor, defocus_px=rng.uniform(0.14, 0.3) * die_px))
    turn, length = rng.uniform(0, math.pi), rng.uniform(0.45, 1.2) * die_px
    shaken = replace(empty.sensor, motion_px=(length * math.cos(turn), length * math.sin(turn)))
    return replace(empty, dice=dice, sensor=shaken)


def _make_without_markers(rng: random.Random, empty: Scene, looks: Looks) -> Scene:
    """One to four markers are missing, in hard shadow, or partly under a paper."""
    scene = replace(empty, dice=arrangement.lay_apart(rng, looks, empty.layout))
    hurt = rng.sample(range(4), rng.choice((1, 1, 2, 2, 3, 4)))
    how = rng.choice(("missing", "shadowed", "covered"))
    if how == "missing":
        return replace(scene, markers=tuple(number for number in range(4) if number not in hurt))
    middles = [marker_middles(scene.layout)[number] for number in hurt]
    if how == "shadowed":
        bands = tuple(
            Band(x, y, rng.uniform(0, math.pi), rng.uniform(4, 16), rng.uniform(0.55, 0.85), 2.0) for x, y in middles
        )
        return replace(scene, light=replace(scene.light, bands=(*scene.light.bands, *bands)))
    # Each paper covers a part of its marker, coming from outside the field.
    papers, reach = [], scene.layout.marker_mm
    for middle in middles:
        x, y = (place + math.copysign(rng.uniform(0.3, 1.0) * reach, place - 100) for place in middle)
        turn_rad, length_mm = rng.uniform(0, 6.3), rng.uniform(1.2, 2.0) * reach
        papers.append(Thing("paper", x, y, turn_rad, length_mm, colour(rng, (0, 1), (0, 0.6), (0.5, 1))))
    return replace(scene, things=tuple(papers))


def _die_px(scene: Scene, die: SimulatedDie) -> float:
    """Return the length in pixels of an edge of the top of the die."""
    one, other = scene.optics.project(arrangement.top_face(die).outline[:2])
    return float(np.linalg.norm(other - one))


TROUBLES: dict[str, Trouble] = {
    "f_cocked": Trouble(_make_cocked, (Reason.COCKED, Reason.STACKED, Reason.UNSURE, Reason.UNEXPLAINED)),
    "f_stacked": Trouble(_make_stacked, (Reason.STACKED, Reason.COCKED, Reason.UNSURE, Reason.UNEXPLAINED)),
    "f_hand": Trouble(_make_hand, (Reason.HAND, Reason.UNEXPLAINED, Reason.NO_FIELD, Reason.CAMERA_MOVED)),
    "f_offfield": Trouble(_make_off_field, (Reason.OFF_FIELD, Reason.UNEXPLAINED, Reason.COCKED, Reason.STACKED)),
    "f_object": Trouble(_make_object, (Reason.UNEXPLAINED, Reason.HAND, Reason.UNSURE)),
    "f_empty": Trouble(_make_empty, (Reason.NO_DICE,)),
    "f_dark": Trouble(_make_dark, (Reason.DARK,)),
    "f_glare": Trouble(_make_glare, (Reason.GLARE, Reason.UNEXPLAINED, Reason.UNSURE)),
    "f_blur": Trouble(_make_blurred, (Reason.BLURRED, Reason.MOVING, Reason.UNSURE, Reason.UNEXPLAINED)),
    # A reader that finds the field all the same may read, if it reads correctly.
    "f_markers": Trouble(
        _make_without_markers,
        (Reason.NO_FIELD, Reason.CAMERA_MOVED, Reason.HAND, Reason.UNEXPLAINED, Reason.DARK),
        must_refuse=False,
    ),
}
