"""Cuts labelled crops from tables: `python -m training.crops OUT SEED SECONDS [--held-out | --tables FOLDER]`.

With FOLDER they are cut from the tables that `training.traced` drew.

Writes shards of crops (n, 40, 40, 3) uint8 BGR, slopes (n, 2) in the crop's axes (where the camera hangs for each
mm of height) and labels (n,): 0 none, 1..6 the value, 7 cocked or stacked.
"""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.sim.dice import SimulatedDie
from tools.scenes.arrangement import top_face
from tools.training import blemishes, shards, tables, traced
from tools.training.shards import Labelled, Slope
from vision.capture.frame import Pixels
from vision.sim.optics import Optics
from vision.sim.scene import Scene, render
from vision.sim.solids import solid_of
from vision.sim.table import marker_middles

SIDE_PX, PX_PER_MM = 40, 2.0
NONE, TROUBLE = 0, 7
_HIT_MM, _MISS_MM = 1.2, 3.0
_COCKED_MISS_MM = 6.0  # where the top of a cocked die is, is a matter of opinion
_CROPS_PER_DIE = 3
_CRUMBS = 0.15  # part of the crops without a die
_ASLANT, _ASLANT_RAD = 0.4, math.radians(38)  # part of the tables that are looked at aslant, as people take photographs
_CORNERS = np.array([[-10.0, -10.0], [10.0, -10.0], [10.0, 10.0], [-10.0, 10.0]])

Places = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Target:
    """A die as a crop sees it: where its top's middle is on the plane looked at (mm), and the label (None: none)."""

    x_mm: float
    y_mm: float
    label: int | None
    miss_mm: float = _MISS_MM


def targets(scene: Scene, height_mm: float) -> list[Target]:
    """All dice of a scene on the plane at this height."""
    found = []
    for die in scene.dice:
        top = scene.optics.project(top_face(die).middle[None])
        x, y = scene.optics.lift(top, height_mm)[0]
        miss = _COCKED_MISS_MM if die.lean_rad > 0 else _MISS_MM
        found.append(Target(float(x), float(y), label_of(die, scene.dice), miss))
    return found


def label_of(die: SimulatedDie, dice: tuple[SimulatedDie, ...]) -> int | None:
    """What a crop of this die among these shows; None: nobody can tell."""
    if tables.lies_under(die, dice):
        return None
    if die.lean_rad > 0:
        return TROUBLE if tables.is_cocked(die) else None
    if not tables.shows_pips(die):
        return NONE
    if die.lift_mm > 1:
        return TROUBLE if tables.is_stacked(die, dice) else None
    return die.value


def label_at(x_mm: float, y_mm: float, known: list[Target]) -> int | None:
    """What a crop centred here shows; None: nobody can tell."""
    away = [math.hypot(x_mm - target.x_mm, y_mm - target.y_mm) for target in known]
    if all(distance > target.miss_mm for distance, target in zip(away, known, strict=True)):
        return NONE
    nearest = min(range(len(known)), key=lambda index: away[index])
    return known[nearest].label if away[nearest] <= _HIT_MM else None


def cut(
    rng: random.Random, picture: Pixels, optics: Optics, place: tuple[float, float], height_mm: float
) -> tuple[Pixels, Slope]:
    """A crop about `place` (mm on that plane), turned, mirrored and scaled by up to 4 % at random, and its slope."""
    turn, scale, mirror = rng.uniform(0, 2 * math.pi), rng.uniform(0.96, 1.04), rng.choice((-1.0, 1.0))
    cosine, sine = math.cos(turn) * scale, math.sin(turn) * scale
    to_field = np.array([[cosine * mirror, sine * mirror], [-sine, cosine]])
    corners = _CORNERS @ to_field + place
    x, y, z = optics.pinhole_mm
    slope = np.array([x - place[0], y - place[1]]) / (z - height_mm) @ np.linalg.inv(to_field)
    seen = optics.project(np.column_stack((corners, np.full(4, height_mm)))).astype(np.float32)
    # The reader cuts at 4 px per mm and halves; the other way is slightly sharper.
    side = 2 * SIDE_PX if rng.random() < 0.75 else SIDE_PX
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - np.float32(0.5)
    warp = cv2.getPerspectiveTransform(seen, square)
    crop = cv2.warpPerspective(picture, warp, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    small = np.asarray(cv2.resize(crop, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA), np.uint8)
    return small, (float(slope[0]), float(slope[1]))


def _jittered(rng: random.Random, x: float, y: float, reach: float) -> tuple[float, float]:
    """A place within `reach` of (x, y)."""
    away, towards = reach * math.sqrt(rng.random()), rng.uniform(0, 2 * math.pi)
    return x + away * math.cos(towards), y + away * math.sin(towards)


def places(rng: random.Random, scene: Scene, known: list[Target]) -> Iterator[tuple[float, float]]:
    """Places worth a crop: every die several times, what lies about it, and the rest of the table."""
    for target, die in zip(known, scene.dice, strict=True):
        for _ in range(_CROPS_PER_DIE):
            yield _jittered(rng, target.x_mm, target.y_mm, _HIT_MM)
        yield from _about(rng, target, die)
    yield from _between(rng, scene, known)
    width, depth = scene.layout.width_mm, scene.layout.depth_mm
    for _ in range(16):
        yield rng.uniform(-18, width + 18), rng.uniform(-18, depth + 18)
    for x, y in marker_middles(scene.layout):
        yield _jittered(rng, x, y, 12)
    for thing in scene.things:
        for _ in range(4):
            yield _jittered(rng, thing.x_mm, thing.y_mm, 0.4 * thing.length_mm)


def _about(rng: random.Random, target: Target, die: SimulatedDie) -> Iterator[tuple[float, float]]:
    """A corner or an edge of the top, and somewhere just off the middle."""
    half, turn = die.look.edge_mm / 2, die.angle_rad + rng.randrange(4) * math.pi / 2
    along, aside = rng.uniform(0.5, 1.1) * half, rng.choice((0.0, half, rng.uniform(-1, 1) * half))
    yield (
        target.x_mm + along * math.cos(turn) - aside * math.sin(turn),
        target.y_mm + along * math.sin(turn) + aside * math.cos(turn),
    )
    away, towards = rng.uniform(3.05, 6.5), rng.uniform(0, 2 * math.pi)
    yield target.x_mm + away * math.cos(towards), target.y_mm + away * math.sin(towards)


def _between(rng: random.Random, scene: Scene, known: list[Target]) -> Iterator[tuple[float, float]]:
    """The middles between neighbours, and the middles of side faces."""
    for index, one in enumerate(known):
        for other in known[:index]:
            if math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) < 26:
                yield _jittered(rng, (one.x_mm + other.x_mm) / 2, (one.y_mm + other.y_mm) / 2, 2.0)
    for die in rng.sample(scene.dice, min(6, len(scene.dice))):
        face = rng.choice(solid_of(die).faces)
        x, y = scene.optics.lift(scene.optics.project(face.middle[None]), die.look.edge_mm)[0]
        yield _jittered(rng, float(x), float(y), 1.0)


def crops_of(rng: random.Random, scene: Scene, picture: Pixels) -> Iterator[Labelled]:
    """Labelled crops of one scene; the plane's height is off by some millimetres."""
    height = rng.uniform(11, 20)
    known = targets(scene, height)
    for x, y in places(rng, scene, known):
        label = label_at(x, y, known)
        if label is not None:
            crop, slope = cut(rng, picture, scene.optics, (x, y), height)
            if label == NONE and rng.random() < _CRUMBS:
                crop = blemishes.with_crumb(rng, crop)
            yield blemishes.spoilt(rng, crop), slope, label


def hand_crops(rng: random.Random, scene: Scene) -> Iterator[Labelled]:
    """Crops of where a hand covers everything or most."""
    bare = render(scene)
    covered = render(replace(scene, hand=tables.hand_over(rng, scene.layout)))
    changed = cv2.absdiff(bare, covered).max(axis=2)
    for _ in range(160):
        x, y = rng.uniform(0, scene.layout.width_mm), rng.uniform(0, scene.layout.depth_mm)
        column, row = scene.optics.project(np.array([[x, y, 15.0]]))[0].round().astype(int)
        part = changed[max(0, row - 12) : row + 13, max(0, column - 12) : column + 13]
        if part.size and float(np.mean(part > 40)) > 0.8:
            crop, slope = cut(rng, covered, scene.optics, (x, y), 15.0)
            yield blemishes.spoilt(rng, crop), slope, NONE


def scenes(rng: random.Random, held_out: bool) -> Iterator[Scene]:
    """Scenes without end; a table serves a few of them."""
    while True:
        family = rng.choice(tables.families(held_out))
        table = tables.table_of(rng, family, _ASLANT_RAD if rng.random() < _ASLANT else tables.TILT_RAD)
        for _ in range(4):
            yield tables.crowded(rng, table, family, rng.randint(8, 30))


def stream(seed: int, held_out: bool) -> Iterator[Labelled]:
    """Labelled crops without end; the same seed gives the same ones."""
    rng = random.Random(f"crops/{held_out}/{seed}")
    for scene in scenes(rng, held_out):
        yield from hand_crops(rng, scene) if rng.random() < 0.06 else crops_of(rng, scene, render(scene))


def traced_stream(folder: Path, seed: int) -> Iterator[Labelled]:
    """Labelled crops of the tables of a folder, each table twice."""
    rng = random.Random(f"crops/traced/{seed}")
    for _ in range(2):
        for scene, picture in traced.pictures(folder):
            yield from crops_of(rng, scene, picture)


if __name__ == "__main__":
    shards.main(stream, traced_stream)
