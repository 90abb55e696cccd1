"""Draws scenes at random, each with its truth: the values a reader must read, or that it must refuse."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hardware.box import FieldLayout
from hardware.camera import Camera
from hardware.sim.dice import DieLook, SimulatedDie
from tools.scenes.arrangement import lay_apart, lay_cluster, roll_to_wall
from tools.scenes.families import FAMILIES, cloth_of, empty_scene, light_of, looks_of, sensor_of
from tools.scenes.troubles import TROUBLES
from vision.capture.frame import Pixels
from vision.reading import Reason
from vision.scoring import Truth
from vision.sim.optics import mount
from vision.sim.scene import Scene, render

SIZE_PX = (1280, 720)
READABLE = ("a_two", "b_touching", "c_one", "d_four", "e_six")
CATEGORIES = (*READABLE, *TROUBLES)
_COUNTS = {"a_two": 2, "c_one": 1, "d_four": 4, "e_six": 6}
_MOUNTS = 16  # tables of the game sweep, each with its camera and cloth
_GAME_FAMILIES = ("club_green", "casino_red", "blue_weave", "mini", "glossy", "close_rows", "marble", "night_asian")


@dataclass(frozen=True, slots=True)
class SceneTruth:
    """A scene and the truth about it, known because the scene was made and not labelled.

    `values` are the values on top in ascending order, whether or not they may be read.
    `must_refuse`: a careful reader gives no values.
    `acceptable` are the reasons a refusal may give; none: the dice must be read.
    """

    scene: Scene
    category: str
    family: str
    values: tuple[int, ...]
    must_refuse: bool = False
    acceptable: tuple[Reason, ...] = ()

    @property
    def dice(self) -> tuple[SimulatedDie, ...]:
        return self.scene.dice


def random_scene(
    category: str,
    seed: int,
    *,
    family: str | None = None,
    count: int | None = None,
    looks: Sequence[DieLook] | None = None,
    layout: FieldLayout | None = None,
) -> SceneTruth:
    """Draw a scene of one of `CATEGORIES`; the same arguments give the same scene.

    `family` is a name of `FAMILIES`, `count` the number of dice (1..12), `looks` their looks, one a die. Raises
    `ValueError` for an unknown category and for more dice than fit.
    """
    if category not in CATEGORIES:
        raise ValueError(f"no category {category!r}: {', '.join(CATEGORIES)} are known")
    rng = random.Random(f"scene/{category}/{seed}/{family}")
    chosen = FAMILIES[family or rng.choice(list(FAMILIES))]
    empty = empty_scene(rng, chosen, layout or FieldLayout(), SIZE_PX)
    number = count or len(looks or ()) or _COUNTS.get(category) or rng.choice((2, 2, 3, 4))
    drawn = tuple(looks or looks_of(rng, chosen, number, empty.cloth))
    trouble = TROUBLES.get(category)
    if trouble is None:
        if category == "b_touching":
            dice = lay_cluster(rng, drawn, empty.layout)
        else:
            dice = lay_apart(rng, drawn, empty.layout)
            if empty.wall_mm > 0 and rng.random() < 0.3:
                dice = roll_to_wall(rng, dice, empty.layout)
        return _truth(replace(empty, dice=dice), category, chosen.name)
    scene = trouble.make(rng, empty, drawn)
    return replace(_truth(scene, category, chosen.name), must_refuse=trouble.must_refuse, acceptable=trouble.acceptable)


def random_throw(seed: int, count: int, *, looks: Sequence[DieLook] | None = None) -> SceneTruth:
    """Draw a throw in a game: `count` dice (1..12) apart in a well lit field under a camera mounted as in the box.

    Positions, turns, colours, light, noise and blur are drawn anew; the tables are `_MOUNTS` known ones, so that a
    throw costs little. Raises `ValueError` for more dice than fit.
    """
    rng = random.Random(f"throw/{seed}")
    table, layout = seed % _MOUNTS, FieldLayout()
    family = FAMILIES[_GAME_FAMILIES[table % len(_GAME_FAMILIES)]]
    cloth = cloth_of(random.Random(f"cloth/{table}"), family)
    drawn = looks or looks_of(rng, family, count, cloth)
    scene = Scene(
        mount(Camera(), layout, table),
        layout,
        cloth,
        light_of(rng, family, layout),
        sensor_of(rng, family),
        lay_apart(rng, drawn, layout),
        seed=table,
        noise_key=str(seed),
        size_px=SIZE_PX,
    )
    return _truth(scene, "throw", family.name)


def _truth(scene: Scene, category: str, family: str) -> SceneTruth:
    return SceneTruth(scene, category, family, tuple(sorted(die.value for die in scene.dice)))


def simulated_throw(seed: int, dice: int) -> tuple[Pixels, Truth]:
    """Throw `dice` dice; return a picture and what it truly shows. The same seed throws the same dice."""
    thrown = random_throw(seed, dice)
    return render(thrown.scene), Truth(thrown.category, thrown.family, thrown.values)
