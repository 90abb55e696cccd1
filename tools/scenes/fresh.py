"""Draws a set of throws that no reader has met: `python -m tools.scenes.fresh OUT COUNT [PART] [OPTION]`.

The chance of a set is the digest of the reader that is measured on it: whatever a reader was tuned to, its own set is
another one. A set is measured once; then it is training data. OUT/DIGEST-RENDERER gets COUNT pictures and their
truth (`shutbox read --score` counts them); PART, such as 1/2, draws only every second of them. With `--blender PYTHON`,
that of an environment with `bpy`, Blender draws; without, the package's own renderer, which has hands and things, too.
`--hard` draws in OUT/DIGEST-hard what is rare and what limits are for: fingers over the edge, crumbs beside dice, lamps
mirrored in their tops. Of the last two a reader may refuse any.
"""

import argparse
import json
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from hardware.sim.dice import DieLook, SimulatedDie
from tools.evaluation.sweeps import reader_digest
from tools.scenes import arrangement, looks
from tools.scenes.families import FAMILIES, Family
from tools.scenes.troubles import TROUBLES
from tools.training import tables, traced
from vision.capture.frame import Pixels
from vision.sim import placing
from vision.sim.scene import Scene, render
from vision.sim.sensor import Glare
from vision.sim.table import marker_middles
from vision.sim.things import Thing

_COUNTS = (1, 2, 2, 2, 3, 4, 5, 6)
_READ_PART = 2 / 3  # of a set
_JPEG = 95  # quality of the files

Lay = Callable[[random.Random, Scene, tuple[DieLook, ...]], Scene]


@dataclass(frozen=True, slots=True)
class Kind:
    """What the throws of one class have in common. refuse: nobody may give their values."""

    name: str
    lay: Lay
    refuse: bool = False
    look: Callable[[random.Random, DieLook, Scene], DieLook] = lambda rng, look, table: look
    traced: bool = True  # Blender's scripts draw it, too


def _apart(rng: random.Random, table: Scene, dice: tuple[DieLook, ...]) -> Scene:
    return replace(table, dice=arrangement.lay_apart(rng, dice, table.layout))


def _touching(rng: random.Random, table: Scene, dice: tuple[DieLook, ...]) -> Scene:
    return replace(table, dice=arrangement.lay_cluster(rng, dice if len(dice) > 1 else dice * 2, table.layout))


def _at_wall(rng: random.Random, table: Scene, dice: tuple[DieLook, ...]) -> Scene:
    flat = arrangement.lay_apart(rng, dice, table.layout)
    return replace(table, dice=arrangement.roll_to_wall(rng, flat, table.layout), wall_mm=rng.uniform(8, 26))


def _dim(rng: random.Random, table: Scene, dice: tuple[DieLook, ...]) -> Scene:
    return replace(_apart(rng, table, dice), sensor=replace(table.sensor, exposure=rng.uniform(0.3, 0.45)))


def _on_paper(rng: random.Random, table: Scene, dice: tuple[DieLook, ...]) -> Scene:
    """The first die lies on the paper of a marker, and leaves the print free."""
    x, y = rng.choice(marker_middles(table.layout))
    inward = math.atan2(table.layout.depth_mm / 2 - y, table.layout.width_mm / 2 - x) + rng.uniform(-0.7, 0.7)
    away = table.layout.marker_mm / 2 * rng.uniform(1.0, 1.3) + dice[0].edge_mm * 0.72
    first = placing.any_die(rng, dice[0], x + away * math.cos(inward), y + away * math.sin(inward))
    return replace(table, dice=(first, *arrangement.lay_apart(rng, dice[1:], table.layout, (first,))))


def _cocked(low_deg: float, high_deg: float) -> Lay:
    def lay(rng: random.Random, table: Scene, dice: tuple[DieLook, ...]) -> Scene:
        lean = math.radians(rng.uniform(low_deg, high_deg))
        flat = arrangement.lay_apart(rng, dice[1:] or dice[:1], table.layout)
        while True:
            if rng.random() < 0.5:
                walled = replace(table, wall_mm=rng.uniform(13, 26))
                die = arrangement.lean_on_wall(rng, dice[0], table.layout, lean)
            else:
                walled, die = table, arrangement.lean_on(rng, rng.choice(flat), dice[0], lean)
            if _fits(die, flat, table):
                return replace(walled, dice=(*flat, die))

    return lay


def _fits(die: SimulatedDie, others: tuple[SimulatedDie, ...], table: Scene) -> bool:
    return placing.is_inside(die, table.layout) and all(placing.are_apart(die, other, 0.0) for other in others)


def _rounded(rng: random.Random, look: DieLook, table: Scene) -> DieLook:
    return looks.rounded(rng, look)


def _clear(rng: random.Random, look: DieLook, table: Scene) -> DieLook:
    return replace(looks.translucent(rng), edge_mm=look.edge_mm)


KINDS = (
    Kind("plain", _apart),
    Kind("touching", _touching),
    Kind("wall", _at_wall),
    Kind("paper", _on_paper),
    Kind("dim", _dim),
    Kind("round", _apart, look=_rounded),
    Kind("clear", _apart, look=_clear),
    Kind("hue", _apart, look=tables.like_cloth),
    Kind("cocked 8 to 12 degrees", _cocked(8, 12), refuse=True),
    Kind("cocked 12 to 20 degrees", _cocked(12, 20), refuse=True),
    Kind("cocked 20 to 40 degrees", _cocked(20, 40), refuse=True),
    Kind("stacked", TROUBLES["f_stacked"].make, refuse=True),
    Kind("outside", TROUBLES["f_offfield"].make, refuse=True),
    Kind("hand", TROUBLES["f_hand"].make, refuse=True, traced=False),
    Kind("thing", TROUBLES["f_object"].make, refuse=True, traced=False),
)


def _crumb(rng: random.Random, table: Scene, dice: tuple[DieLook, ...]) -> Scene:
    """A crumb as large as a pip lies beside a die or in its shadow."""
    lying = _apart(rng, table, dice)
    die, way = rng.choice(lying.dice), rng.uniform(0, 2 * math.pi)
    away = rng.uniform(0.75, 1.6) * die.look.edge_mm
    at = die.x_mm + away * math.cos(way), die.y_mm + away * math.sin(way)
    return replace(
        lying, things=(Thing("coin", *at, 0.0, rng.uniform(2, 5), looks.colour(rng, (0, 1), (0, 0.5), (0.05, 1))),)
    )


def _finger(rng: random.Random, table: Scene, dice: tuple[DieLook, ...]) -> Scene:
    """The tips of fingers reach in over an edge."""
    lying, hand = _apart(rng, table, dice), tables.hand_over(rng, table.layout)
    side, inward_mm, along = rng.randrange(4), rng.uniform(8, 45), rng.uniform(0.2, 0.8)
    width, depth = table.layout.width_mm, table.layout.depth_mm
    x, y = (
        (width - inward_mm, along * depth),
        (along * width, depth - inward_mm),
        (inward_mm, along * depth),
        (along * width, inward_mm),
    )[side]
    towards = (side + 2) * math.pi / 2 + rng.uniform(-0.4, 0.4)
    return replace(lying, hand=replace(hand, x_mm=x, y_mm=y, towards_rad=towards))


def _mirrored_lamp(rng: random.Random, table: Scene, dice: tuple[DieLook, ...]) -> Scene:
    """The top of a die mirrors a lamp in its middle, or where another pip may be."""
    lying = _apart(rng, table, dice)
    top = arrangement.top_face(rng.choice(lying.dice))
    beside = rng.choice((0, 0, 0.52)) * top.reach_mm
    place = top.middle + beside * (rng.choice((-1, 1)) * top.across + rng.choice((-1, 1)) * top.along)
    (x, y), low, high = lying.optics.project(np.array([place, *top.outline[:2]])).tolist()
    glare = Glare(x, y, rng.uniform(0.06, 0.3) * math.dist(low, high), rng.uniform(0.5, 1.4))
    return replace(lying, sensor=replace(lying.sensor, glares=(glare,)))


HARD = (Kind("crumb", _crumb), Kind("finger", _finger, refuse=True), Kind("lamp", _mirrored_lamp))


def throw(rng: random.Random, kinds: tuple[Kind, ...]) -> tuple[Kind, str, Scene]:
    """Draw one throw of one of these kinds, and the name of its family."""
    while True:
        refuse = rng.random() > _READ_PART
        kind = rng.choice([each for each in kinds if each.refuse is refuse] or kinds)
        family = FAMILIES[rng.choice(sorted(FAMILIES))]
        try:
            return kind, family.name, _thrown(rng, kind, family)
        except ValueError:  # these dice find no room: others do
            continue


def _thrown(rng: random.Random, kind: Kind, family: Family) -> Scene:
    table = tables.table_of(rng, family)
    drawn = [looks.draw_readable(rng, family.dice, table.cloth.colour) for _ in range(rng.choice(_COUNTS))]
    alike = rng.random() < 0.5
    dice = tuple(kind.look(rng, drawn[0] if alike else look, table) for look in drawn)
    return replace(kind.lay(rng, table, dice), noise_key=str(rng.getrandbits(32)))


def truth_of(kind: Kind, family: str, scene: Scene) -> dict[str, object]:
    """What a line of `truth.jsonl` says of a throw besides its file."""
    values = sorted(die.value for die in scene.dice)
    return {"values": values, "category": kind.name, "family": family, "must_refuse": kind.refuse}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("count", type=int)
    parser.add_argument("part", nargs="?", default="1/1")
    parser.add_argument("--blender")
    parser.add_argument("--hard", action="store_true")
    given = parser.parse_args()
    number, of = (int(side) for side in given.part.split("/"))
    renderer = "hard" if given.hard else "traced" if given.blender else "ours"
    folder = given.out / f"{reader_digest()[:12]}-{renderer}"
    folder.mkdir(parents=True, exist_ok=True)
    kinds = HARD if given.hard else tuple(kind for kind in KINDS if kind.traced or not given.blender)
    if given.blender is None:
        _draw(folder, range(number - 1, given.count, of), kinds, lambda rng, scene, path: render(scene))
        return
    with traced.Blender(given.blender) as blender:

        def drawn(rng: random.Random, scene: Scene, path: Path) -> Pixels:
            bare = path.with_suffix(".light.png")
            # Without a lens that bends: Blender's has none.
            straight = replace(scene, optics=replace(scene.optics, distortion=(0.0,) * 5))
            blender.draw(rng, straight, bare)
            picture = np.asarray(cv2.imread(str(bare)), np.uint8)
            bare.unlink()
            return traced.exposed(straight, picture)

        _draw(folder, range(number - 1, given.count, of), kinds, drawn)


def _draw(
    folder: Path,
    numbers: range,
    kinds: tuple[Kind, ...],
    drawn: Callable[[random.Random, Scene, Path], Pixels],
) -> None:
    for number in numbers:
        rng = random.Random(f"{folder.name}/{number}")
        kind, family, scene = throw(rng, kinds)
        path = folder / f"{number:05d}.jpg"
        cv2.imwrite(str(path), drawn(rng, scene, path), [cv2.IMWRITE_JPEG_QUALITY, _JPEG])
        path.with_suffix(".json").write_text(json.dumps(truth_of(kind, family, scene)))
        print(path, kind.name, flush=True)


if __name__ == "__main__":
    main()
