"""Draws tables from above and where dice lie on them: `python -m training.maps OUT SEED SECONDS [--held-out]`.

Writes shards of tables (n, h, w, 3) uint8 BGR, one pixel a millimetre as `look_around` shows them, and marks
(n, h / 4, w / 4): 1 where the middle of a die's top is seen, 0 where none is, 2 where nobody can tell. Many dice have
nearly the colour of the cloth or wood under them, and pips nearly that of their body: what no threshold tells from it
is to be learnt. Many pictures are packed or dim.
"""

import math
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.sim.dice import Colour, DieLook, SimulatedDie
from tools.scenes import arrangement
from tools.scenes.families import Family
from tools.training import tables
from vision.capture.frame import Pixels
from vision.field.field import locate_field
from vision.field.view import AROUND_MM, look_around, view_of
from vision.network.dice_map import MAP_STRIDE_PX
from vision.sim.light import Band
from vision.sim.scene import Scene, render
from vision.sim.table import RIM_MM

DIE, NONE, UNKNOWN = 1, 0, 2
_HIT_MM, _MISS_MM, _HIDDEN_MM = 3.0, 8.0, 14.0  # from the middle of a top: surely it, surely not, perhaps hidden
_TOP_MM, _FAR_MM = 16.0, 50.0
_SHARD = 400
_CAMOUFLAGED = 0.35  # part of the dice that have nearly the colour of the cloth
_FAINT = 0.4  # ... part of these whose pips are faint as well
_SHADOWY = 0.12  # part of the dice that have the colour of the cloth in a shadow
_MOVING, _SMEAR_PX = 0.2, 10.0  # part of the tables on which some dice are smeared, and by how much at most

Marks = NDArray[np.uint8]


def surveys(seed: int, held_out: bool) -> Iterator[tuple[Pixels, Marks]]:
    """Surveys with their marks without end; the same seed gives the same ones."""
    rng = random.Random(f"maps/{held_out}/{seed}")
    while True:
        family = rng.choice(tables.families(held_out))
        table = tables.table_of(rng, family)
        empty = render(table)
        for _ in range(3):
            scene = _scene(rng, table, family, empty)
            found = survey_of(scene, _spoilt(rng, render(scene)))
            if found is not None:
                yield found


def survey_of(scene: Scene, picture: Pixels) -> tuple[Pixels, Marks] | None:
    """The survey of a picture of a scene and its marks; None where the field is not found."""
    field = locate_field(picture, scene.layout)
    if field is None:
        return None
    view = view_of(picture, field, _TOP_MM)
    straight = look_around(view)
    rows, columns = (side // MAP_STRIDE_PX for side in straight.shape[:2])
    down, across = np.mgrid[:rows, :columns] * MAP_STRIDE_PX + (MAP_STRIDE_PX - 1) / 2
    marks = np.full((rows, columns), NONE, np.uint8)
    for die in scene.dice:
        seen = scene.optics.project(arrangement.top_face(die).middle[None])
        x, y = (field.at_mm(seen, 0.0) + AROUND_MM)[0]
        away = np.hypot(across - x, down - y)
        inside = bool(np.all(seen > 0) and np.all(seen < np.array(scene.size_px)))
        hidden = not inside or scene.hand is not None or tables.lies_under(die, scene.dice)
        marks[(away < (_HIDDEN_MM if hidden else _MISS_MM)) & (marks == NONE)] = UNKNOWN
        if not hidden:
            marks[away < _HIT_MM] = DIE
    return straight, marks


def _scene(rng: random.Random, table: Scene, family: Family, empty: Pixels) -> Scene:
    scene = tables.crowded(rng, table, family, rng.choice((0, 2, 4, 8, 12, 16)))
    part = 1.0 if rng.random() < 0.1 else _CAMOUFLAGED
    dice = tuple(_disguised(rng, die, scene.cloth.colour, part) for die in scene.dice)
    # What is smeared and has nearly the colour of the cloth as well, nobody can tell from a shadow.
    is_plain = [die is before for die, before in zip(dice, scene.dice, strict=True)]
    beside = tuple(_beside_field(rng, scene, family, empty) for _ in range(rng.choice((0, 0, 1, 2, 3))))
    light = tables.any_light(rng, scene.layout) if rng.random() < 0.3 else scene.light
    if rng.random() < 0.2:
        light = replace(light, bands=tuple(_band(rng, scene) for _ in range(rng.randint(1, 4))))
    hand = tables.hand_over(rng, scene.layout) if rng.random() < 0.06 else None
    moving = 0.5 if rng.random() < _MOVING else 0.0
    smears = tuple(rng.uniform(1, _SMEAR_PX) if plain and rng.random() < moving else 0.0 for plain in is_plain)
    return replace(scene, dice=dice + beside, light=light, hand=hand, smears_px=smears + (0.0,) * len(beside))


def _disguised(rng: random.Random, die: SimulatedDie, cloth: Colour, part: float) -> SimulatedDie:
    """The die, which `part` of the time has nearly the colour of the cloth, or now and then that of its shadow."""
    if rng.random() < part:
        return replace(die, look=_camouflaged(rng, die.look, cloth))
    if rng.random() < _SHADOWY:
        depth = rng.uniform(0.15, 0.75)
        red, green, blue = (round(depth * level) for level in cloth)
        return replace(die, look=_camouflaged(rng, die.look, (red, green, blue)))
    return die


def _beside_field(rng: random.Random, scene: Scene, family: Family, empty: Pixels) -> SimulatedDie:
    """A die on the rim or beside the tray, half of them in nearly the colour of what is seen there."""
    out_mm, look = rng.uniform(1, _FAR_MM), family.dice(rng)
    die = arrangement.lay_over_edge(rng, look, scene.layout, out_mm)
    die = replace(die, lift_mm=max(scene.wall_mm, 0.0) if out_mm < RIM_MM else 0.0)
    column, row = scene.optics.project(arrangement.top_face(die).middle[None])[0].round().astype(int)
    under = empty[max(0, row - 3) : row + 4, max(0, column - 3) : column + 4]
    if under.size == 0 or rng.random() < 0.5:
        return die
    blue, green, red = (float(part) * rng.uniform(1.0, 1.4) for part in under.reshape(-1, 3).mean(axis=0))
    return replace(die, look=_camouflaged(rng, look, (round(red), round(green), round(blue))))


def _spoilt(rng: random.Random, picture: Pixels) -> Pixels:
    """Now and then packed to a few bits, made darker or lighter."""
    if rng.random() < 0.25:
        levels = (np.arange(256) / 255.0) ** math.exp(rng.uniform(-0.7, 0.9)) * 255
        picture = levels.round().astype(np.uint8)[picture]
    if rng.random() < 0.3:
        packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, rng.randint(15, 60)])[1]
        picture = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return picture


def _camouflaged(rng: random.Random, look: DieLook, under: Colour) -> DieLook:
    """The look in nearly the colour of what lies under it; its pips may be nearly of the same."""
    body = _near(rng, under, rng.choice((3, 8, 15, 25, 40)))
    pip = _near(rng, body, rng.choice((25, 40, 60, 90))) if rng.random() < _FAINT else look.pip
    return replace(look, body=body, pip=pip, gloss=look.gloss if rng.random() < 0.5 else 0.0)


def _near(rng: random.Random, colour: Colour, off: float) -> Colour:
    red, green, blue = (round(min(255.0, max(0.0, part + rng.uniform(-off, off)))) for part in colour)
    return red, green, blue


def _band(rng: random.Random, scene: Scene) -> Band:
    x, y = rng.uniform(0, scene.layout.width_mm), rng.uniform(0, scene.layout.depth_mm)
    depth = rng.choice((1, 1, -1)) * rng.uniform(0.2, 0.75)
    return Band(x, y, rng.uniform(0, math.pi), rng.uniform(2, 30), depth, rng.uniform(0.5, 8))


def main() -> None:
    """What the command line asks for."""
    cv2.setNumThreads(1)
    folder, seed, seconds = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    until, shard, rows = time.monotonic() + seconds, 0, list[tuple[Pixels, Marks]]()
    for row in surveys(seed, "--held-out" in sys.argv):
        rows.append(row)
        late = time.monotonic() > until
        if len(rows) == _SHARD or late:
            pictures, marks = zip(*rows, strict=True)
            np.savez(folder / f"{seed:03d}-{shard:03d}.npz", surveys=np.stack(pictures), marks=np.stack(marks))
            print(f"shard {shard}: {len(rows)} surveys", flush=True)
            shard, rows = shard + 1, []
        if late:
            return


if __name__ == "__main__":
    main()
