"""Cuts crops as pictures without a field show dice: `python -m training.anywhere OUT SEED SECONDS [--photos FOLDER]`.

From any side up to 45 degrees off the vertical, as large as each die and not as its millimetres, a little out of shape,
soft and packed as photographs of small dice are. With FOLDER some dice lie on photographs of other things, and some of
what is no die is cut from them.

Writes shards as `training.crops` does.
"""

import math
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.sim.dice import D20, NUMERALS, SimulatedDie
from tools.scenes.arrangement import top_face
from tools.training import blemishes, crops, shards, tables
from tools.training.clutter import clutter
from tools.training.crops import NONE, SIDE_PX, TROUBLE
from tools.training.shards import Labelled, Slope
from vision.capture.files import load_picture
from vision.capture.frame import Pixels
from vision.reading import Reading
from vision.sim import placing
from vision.sim.canvas import px_per_mm
from vision.sim.scene import Scene, render
from vision.sim.solids import solid_of

_EDGES = 1.25  # of the die, across a crop
_HIT, _MISS, _COCKED_MISS = 0.1, 0.22, 0.4  # as in `crops`, in edges
_TILT_RAD, _FROM_ABOVE = math.radians(45), 0.45  # part of the tables that are looked at nearly from above
_PALE = 0.35  # part of the tables that are as pale as paper
_OVER_PHOTO = 0.3  # part of the tables that are a photograph
_CLUTTER, _FROM_PHOTOS = 45, 25  # crops of what is no die for each table
_OTHERS = 0.06  # part of the dice that bear numerals
_RIM_LIT = 0.4  # part of the dice on whose rims a lamp or a window shines
_TIMES = 4  # crops of a die
_LEANS_RAD = math.radians(25)  # so much a die leans from any side
_CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
_SQUARE = np.array([[0, 0], [SIDE_PX, 0], [SIDE_PX, SIDE_PX], [0, SIDE_PX]], np.float32) - np.float32(0.5)

Real = NDArray[np.float64]


class Photos:
    """Pictures of other things than dice."""

    def __init__(self, folder: Path) -> None:
        loaded = (load_picture(path) for path in sorted(folder.iterdir()))
        self._pictures = [picture for picture in loaded if not isinstance(picture, Reading)]

    def square(self, rng: random.Random, side: int) -> Pixels:
        """A part of one of them, of any size, in quarter turns: (side, side, 3)."""
        picture = rng.choice(self._pictures)
        least, most = 14, min(picture.shape[:2]) - 1
        cut = round(least * (most / least) ** rng.random())
        top, left = (rng.randrange(size - cut) for size in picture.shape[:2])
        way = cv2.INTER_AREA if cut > side else cv2.INTER_CUBIC
        seen = cv2.resize(picture[top : top + cut, left : left + cut], (side, side), interpolation=way)
        return np.ascontiguousarray(np.rot90(seen, rng.randrange(4)), np.uint8)

    def background(self, rng: random.Random, size: tuple[int, int]) -> Pixels:
        """One of them, as wide and high as this."""
        side = max(size)
        return self.square(rng, side)[: size[1], : size[0]]


class Tops:
    """The tops of a table's dice: where the camera sees each, and what crops of it show."""

    def __init__(self, scene: Scene) -> None:
        self._optics = scene.optics
        self.dice = scene.dice
        self.heights = [float(top_face(die).middle[2]) for die in scene.dice]
        self._seen = scene.optics.project(np.array([top_face(die).middle for die in scene.dice]))
        self._labels = [_label_of(die, scene.dice) for die in scene.dice]

    def on_plane(self, height_mm: float) -> Real:
        """The middles (n, 2) as they appear on the plane at this height."""
        return self._optics.lift(self._seen, height_mm)

    def label_at(self, place: Real, middles: Real, edge_mm: float) -> int | None:
        """What a crop centred here shows; None: nobody can tell."""
        away = np.linalg.norm(middles - place, axis=1) / edge_mm
        misses = [_COCKED_MISS if die.lean_rad > 0 else _MISS for die in self.dice]
        if bool((away > misses).all()):
            return NONE
        nearest = int(away.argmin())
        return self._labels[nearest] if away[nearest] <= _HIT else None


def _label_of(die: SimulatedDie, dice: tuple[SimulatedDie, ...]) -> int | None:
    """As in the field; but who knows not from where he looks cannot tell what leans by little, or lies on another.
    Where nothing tells the table from the rest a die without pips must not pass for no die.
    """
    if die.lean_rad >= _LEANS_RAD:
        return TROUBLE
    if die.lean_rad > 0 or die.lift_mm > 1:
        return None
    label = crops.label_of(die, dice)
    return TROUBLE if label == NONE else label


def _scene(rng: random.Random) -> Scene:
    family = rng.choice(tables.families(False))
    table = tables.table_of(rng, family, tables.TILT_RAD if rng.random() < _FROM_ABOVE else _TILT_RAD)
    if rng.random() < _PALE:
        grey = rng.uniform(150, 245)
        red, green, blue = (max(0, min(255, round(rng.gauss(grey, 8)))) for _ in range(3))
        table = replace(table, cloth=replace(table.cloth, colour=(red, green, blue)))
    scene = tables.crowded(rng, table, family, rng.randint(8, 26))
    return replace(scene, dice=tuple(_other(rng, die) if rng.random() < _OTHERS else die for die in scene.dice))


def _other(rng: random.Random, die: SimulatedDie) -> SimulatedDie:
    """A die with numerals in its place, of twenty sides or six."""
    if rng.random() < 0.3 or die.lean_rad > 0:
        return replace(die, look=replace(die.look, faces=NUMERALS))
    look = replace(die.look, sides=20, faces=D20, edge_mm=die.look.edge_mm * rng.uniform(0.6, 0.8))
    return replace(placing.any_die(rng, look, die.x_mm, die.y_mm), lift_mm=die.lift_mm)


def _cut(
    rng: random.Random, scene: Scene, picture: Pixels, place: Real, height_mm: float, edge_mm: float
) -> tuple[Pixels, Slope]:
    """A crop about a place of the plane at this height: turned, mirrored, out of shape; and its slope."""
    turn, slant, long = rng.uniform(0, 2 * math.pi), rng.uniform(0, math.pi), math.exp(rng.gauss(0, 0.11))
    spin, axis = (np.array([[math.cos(way), math.sin(way)], [-math.sin(way), math.cos(way)]]) for way in (turn, slant))
    shape = axis.T @ np.diag([long, 1 / long]) ** 0.5 @ axis @ np.diag([rng.choice((-1.0, 1.0)), 1.0])
    to_field = math.exp(rng.gauss(0, 0.06)) * _EDGES / 2 * edge_mm * shape @ spin
    x, y, z = scene.optics.pinhole_mm
    slope = np.array([x - place[0], y - place[1]]) / (z - height_mm) @ np.linalg.inv(to_field) * (_EDGES / 2 * edge_mm)
    corners = np.column_stack((_CORNERS @ to_field + place, np.full(4, height_mm)))
    fine = rng.choice((1, 2))
    warp = cv2.getPerspectiveTransform(scene.optics.project(corners).astype(np.float32), _SQUARE * fine)
    size = (SIDE_PX * fine, SIDE_PX * fine)
    crop = cv2.warpPerspective(picture, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    small = np.asarray(cv2.resize(crop, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA), np.uint8)
    return small, (float(slope[0]), float(slope[1]))


def _places(rng: random.Random, scene: Scene, tops: Tops, index: int, middle: Real) -> Iterator[Real]:
    """Places about a die that are worth a crop: its top, its rim, its sides, between it and a neighbour, the table."""
    die, edge = tops.dice[index], tops.dice[index].look.edge_mm
    for _ in range(_TIMES):
        yield middle + _within(rng, _HIT * edge)
    yield middle + _within(rng, edge)
    yield middle + _within(rng, 1.5 * edge)
    side = rng.choice(solid_of(die).faces)
    yield scene.optics.lift(scene.optics.project(side.middle[None]), tops.heights[index])[0]
    yield np.array([rng.uniform(-18, scene.layout.width_mm + 18), rng.uniform(-18, scene.layout.depth_mm + 18)])
    for thing in rng.sample(scene.things, min(1, len(scene.things))):
        yield np.array([thing.x_mm, thing.y_mm]) + _within(rng, 0.4 * thing.length_mm)


def _within(rng: random.Random, reach: float) -> Real:
    away, towards = reach * math.sqrt(rng.random()), rng.uniform(0, 2 * math.pi)
    return np.array([away * math.cos(towards), away * math.sin(towards)])


def crops_of(rng: random.Random, scene: Scene, picture: Pixels) -> Iterator[Labelled]:
    """Labelled crops of one scene, about each of its dice."""
    tops = Tops(scene)
    for index, die in enumerate(tops.dice):
        height = tops.heights[index] * rng.uniform(0.9, 1.1)
        middles = tops.on_plane(height)
        for place in _places(rng, scene, tops, index, middles[index]):
            edge = die.look.edge_mm * (1 if rng.random() < 0.8 else rng.uniform(0.8, 1.25))
            label = tops.label_at(place, middles, die.look.edge_mm)
            if label is not None:
                crop, slope = _cut(rng, scene, picture, place, height, edge)
                yield blemishes.photographed(rng, blemishes.spoilt(rng, crop)), slope, label


def _rim_lit(rng: random.Random, scene: Scene, picture: Pixels) -> Pixels:
    """The picture with bright lines along the rims of some tops, and across them, as on polished round dice."""
    shine = np.zeros(picture.shape[:2], np.uint8)
    for die in scene.dice:
        if rng.random() < _RIM_LIT:
            for _ in range(rng.choice((1, 1, 2))):
                seen = scene.optics.project(_arc(rng, die)) * 16
                wide = rng.uniform(0.015, 0.06) * die.look.edge_mm * px_per_mm(scene.optics, top_face(die).middle)
                level = rng.randint(60, 250)
                cv2.polylines(
                    shine, [np.round(seen).astype(np.int32)], False, level, max(1, round(wide)), cv2.LINE_AA, 4
                )
    share = cv2.GaussianBlur(shine, (0, 0), rng.uniform(0.5, 1.2)).astype(np.float32)[:, :, None] / 255
    return np.asarray(picture + share * (255.0 - picture), np.uint8)


def _arc(rng: random.Random, die: SimulatedDie) -> Real:
    """A part of a line about the middle of the top, between a circle and a square: (n, 3) mm."""
    face = top_face(die)
    begin, span = rng.uniform(0, 2 * math.pi), math.radians(rng.uniform(30, 240))
    turns = begin + np.linspace(0, span, 24)
    across, along = np.cos(turns), np.sin(turns)
    square = rng.uniform(2, 7)
    out = (
        rng.uniform(0.28, 0.52)
        * die.look.edge_mm
        / (np.abs(across) ** square + np.abs(along) ** square) ** (1 / square)
    )
    return face.middle + (out * across)[:, None] * face.across + (out * along)[:, None] * face.along


def _laid_on(scene: Scene, picture: Pixels, background: Pixels) -> Pixels:
    """The dice of a picture on another background, without their shadows."""
    cover = np.zeros(picture.shape[:2], np.uint8)
    for die in scene.dice:
        solid = solid_of(die)
        hull = cv2.convexHull(np.round(scene.optics.project(solid.core)).astype(np.int32))
        radius = solid.radius_mm * px_per_mm(scene.optics, solid.middle)
        cv2.fillConvexPoly(cover, hull, 255)
        cv2.polylines(cover, [hull], True, 255, max(1, round(2 * radius) - 1))
    share = cv2.GaussianBlur(cover, (0, 0), 0.8).astype(np.float32)[:, :, None] / 255
    return np.asarray(background + share * (picture.astype(np.float32) - background), np.uint8)


def stream(seed: int, photos: Photos | None) -> Iterator[Labelled]:
    """Labelled crops without end."""
    rng = random.Random(f"anywhere/{seed}")
    while True:
        scene = _scene(rng)
        picture = _rim_lit(rng, scene, render(scene))
        if photos is not None and rng.random() < _OVER_PHOTO:
            picture = _laid_on(scene, picture, photos.background(rng, picture.shape[1::-1]))
        yield from crops_of(rng, scene, picture)
        yield from _nothing(rng, _CLUTTER, partial(clutter, rng, SIDE_PX))
        if photos is not None:
            yield from _nothing(rng, _FROM_PHOTOS, partial(photos.square, rng, SIDE_PX))


def _nothing(rng: random.Random, count: int, draw: Callable[[], Pixels]) -> Iterator[Labelled]:
    """Crops of what is no die, as if looked at from anywhere."""
    for _ in range(count):
        slope = (rng.gauss(0, 0.3), rng.gauss(0, 0.3))
        yield blemishes.photographed(rng, draw()), slope, NONE


def main() -> None:
    """What the command line asks for."""
    cv2.setNumThreads(1)
    folder, seed, seconds = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    photos = Photos(Path(sys.argv[sys.argv.index("--photos") + 1])) if "--photos" in sys.argv else None
    shards.write_for(stream(seed, photos), folder, seed, seconds)


if __name__ == "__main__":
    main()
