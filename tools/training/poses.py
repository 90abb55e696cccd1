"""Cuts out dice as the reader finds them: `python -m training.poses OUT SEED SECONDS [--held-out | --tables FOLDER]`.

With FOLDER they are cut from the tables that `training.traced` drew.

Writes shards of crops (n, 48, 48, 3) uint8 BGR, slopes (n, 2) in the crop's axes and labels (n,): 0 flat, 1 cocked or
on another die.
"""

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from hardware.sim.dice import SimulatedDie
from tools.scenes import fresh
from tools.scenes.arrangement import top_face
from tools.training import blemishes, shards, tables, traced
from tools.training.shards import Labelled
from vision.capture.frame import Pixels
from vision.field.field import locate_field
from vision.field.view import MARGIN_MM, PX_PER_MM, View, view_of
from vision.network.network import stances_of
from vision.pips.face import Face
from vision.reader.dice import face_at
from vision.sim.scene import Scene, render

_LEAN_RAD = math.radians(7.5)  # who leans by less looks flat from above
_ASIDE = 0.2  # farther from the point under the camera than this part of its height a die shows enough of a side
_OTHER_LIGHT = 0.6  # part of the tables lit otherwise than their families are
_TIMES, _TRACED_TIMES = 2, 4  # crops of each die, a little different


def crops_of(rng: random.Random, scene: Scene, picture: Pixels, times: int) -> Iterator[Labelled]:
    """The dice of one scene that the reader finds, so often each; the plane's height is off by some millimetres."""
    field = locate_field(picture, scene.layout)
    if field is None:
        return
    view = view_of(picture, field, rng.uniform(13, 19))
    x, y, height = scene.optics.pinhole_mm
    for die in scene.dice:
        aside = math.dist((x, y), (die.x_mm, die.y_mm)) > _ASIDE * height
        label = label_of(die, scene.dice, aside)
        face = None if label is None else face_of(view, scene, die)
        if label is None or face is None:
            continue
        for _ in range(times):
            seen = stances_of(view, [jittered(rng, face)])
            across, down = seen.slopes[0].tolist()
            yield blemishes.spoilt(rng, seen.crops[0]), (across, down), label


def face_of(view: View, scene: Scene, die: SimulatedDie) -> Face | None:
    """The die's top as the reader sees it, of whatever value; None where it sees nothing."""
    top = scene.optics.project(top_face(die).middle[None])
    place = (view.field.at_mm(top, view.height_mm)[0] + MARGIN_MM) * PX_PER_MM
    return face_at(view, place)


def jittered(rng: random.Random, face: Face) -> Face:
    """The face found a little off, and any of its four turns."""
    off = np.array([rng.gauss(0, 0.02), rng.gauss(0, 0.02)]) * face.edge_px
    turn = face.turn_rad + rng.gauss(0, 0.03) + rng.randrange(4) * math.pi / 2
    return replace(face, middle=face.middle + off, turn_rad=turn, edge_px=face.edge_px * rng.uniform(0.9, 1.06))


def label_of(die: SimulatedDie, dice: tuple[SimulatedDie, ...], aside: bool) -> int | None:
    """0 for a die that lies flat, 1 for one that does not; None where nobody can tell. `aside` when the side of a stack
    is seen, even of one whose dice lie in line.
    """
    if tables.lies_under(die, dice):
        return None
    if die.lean_rad > 0:
        return 1 if die.lean_rad >= _LEAN_RAD else None
    if die.lift_mm > 1:
        return 1 if aside or tables.is_stacked(die, dice) else None
    return 0


def scenes(rng: random.Random, held_out: bool) -> Iterator[Scene]:
    """Scenes without end: crowded tables, in and out of focus, and as many with a few dice."""
    families = tables.families(held_out)
    while True:
        family = rng.choice(families)
        table = tables.table_of(rng, family)
        if rng.random() < _OTHER_LIGHT:
            table = replace(table, light=tables.any_light(rng, table.layout))
        for _ in range(4):
            scene = tables.crowded(rng, table, family, rng.randint(8, 24))
            yield replace(scene, sensor=replace(scene.sensor, defocus_px=rng.uniform(0.0, 1.5)))
            _, _, few = fresh.throw(rng, fresh.KINDS)
            yield replace(few, light=tables.any_light(rng, few.layout)) if rng.random() < _OTHER_LIGHT else few


def stream(seed: int, held_out: bool) -> Iterator[Labelled]:
    """Labelled crops without end; the same seed gives the same ones."""
    rng = random.Random(f"poses/{held_out}/{seed}")
    for scene in scenes(rng, held_out):
        yield from crops_of(rng, scene, render(scene), _TIMES)


def traced_stream(folder: Path, seed: int) -> Iterator[Labelled]:
    """Labelled crops of the tables of a folder, each table once."""
    rng = random.Random(f"poses/traced/{seed}")
    for scene, picture in traced.pictures(folder):
        yield from crops_of(rng, scene, picture, _TRACED_TIMES)


if __name__ == "__main__":
    shards.main(stream, traced_stream)
