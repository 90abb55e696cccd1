"""Find where a picture shows anything at all: on a plain table little of it is worth searching for spots."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.capture.arrays import Flags, Place, Real
from vision.capture.frame import Pixels
from vision.foreground.background import components
from vision.libraries import cv2
from vision.network.classified import SURE, ClassifiedFace, FaceClassifier, classify_faces, keep_surest
from vision.pips.face_check import FaceFit
from vision.pips.search import MOST_SPOTS, Edges, SpotThresholds, are_apart, find_faces, find_pip_spots
from vision.pips.spots import Spots, join_spots
from vision.reading import Point

_SMALLER = 4  # the picture is searched at this fraction of its size
_CHANGES = 8.0  # levels by which neighbours there must differ: the faintest pips differ by more
_MOSTLY = 0.7  # a picture with a larger busy part than this is searched as a whole

Part = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels, the right and bottom ones outside."""


def busy_parts(pixels: Pixels, margin_px: float) -> list[Part]:
    """Return rectangles, with a margin and apart, around all that differs from its surroundings (h, w, 3)."""
    height, width = pixels.shape[:2]
    small = cv2.resize(pixels, (-(-width // _SMALLER), -(-height // _SMALLER)), interpolation=cv2.INTER_AREA)
    changes = cv2.morphologyEx(small, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).max(axis=2)
    busy = np.asarray(changes > _CHANGES, np.uint8)
    margin = max(1, round(margin_px / _SMALLER))
    parts = _boxes_of(cv2.blur(busy * 255, (2 * margin + 1,) * 2) > 0)
    if sum((right - left) * (bottom - top) for left, top, right, bottom in parts) > _MOSTLY * busy.size:
        return [(0, 0, width, height)]
    return _scaled(parts, (width, height))


def parts_about(places: Real, size: tuple[int, int], margin_px: float) -> list[Part]:
    """Return rectangles, with a margin and apart, around these places (n, 2) of a picture of `size` (width, height)."""
    marked = np.zeros((-(-size[1] // _SMALLER), -(-size[0] // _SMALLER)), bool)
    margin = round(margin_px / _SMALLER)
    for column, row in (places / _SMALLER).astype(int).tolist():
        marked[max(0, row - margin) : row + margin + 1, max(0, column - margin) : column + margin + 1] = True
    return _scaled(_boxes_of(marked), size)


def _scaled(parts: list[Part], size: tuple[int, int]) -> list[Part]:
    scaled = (np.array(parts, int).reshape(-1, 4) * _SMALLER).tolist()
    return [(left, top, min(right, size[0]), min(bottom, size[1])) for left, top, right, bottom in scaled]


def _boxes_of(mask: Flags) -> list[Part]:
    """Return the bounding boxes of the parts of a mask; boxes that overlap become one."""
    found, before = mask, -1
    boxes: list[Part] = []
    while len(boxes) != before:
        before = len(boxes)
        _, _, table, _ = components(np.asarray(found, np.uint8))
        boxes = [(x, y, x + wide, y + tall) for x, y, wide, tall, _ in table[1:].tolist()]
        found = np.zeros_like(mask)
        for left, top, right, bottom in boxes:
            found[top:bottom, left:right] = True
    return boxes


EDGES: Edges = (32.0, 76.0)  # pixels, in every size: so the ranges of two sizes overlap
_LEAST_PART = 0.022  # the least edge of a die as a part of the picture's longer side
_SIZES = 5  # each half of the one before
_MOST_LARGER = 2.5  # magnifying a picture more than this shows nothing new
_STRETCHES = (1.2, 1.5)  # a camera 34 and 48 degrees off the vertical
_STRETCHED_SIZES, _WORTH = (
    2,
    0.5,
)  # at most this many are stretched, if they explain this part of what the best one does
_FULL_OF_SPOTS = 300  # with this many, stretching only costs time
_STRONG, _ABOUT = 32.0, 0.75  # contrast of the spots of dice; how much around them is searched, in largest edges
_ROUND = 0.96  # pips as round as this were never rounder in a stretched look
_LOOK = SpotThresholds((0.3, 0.6), (9, 32, 72), every_colour=True)
# The largest offset of a side from its top, in edges, and by which part it is at least darker or lighter.
_SIDE_ACROSS, _SIDE_DOWN, _SIDE_SHADE = 0.45, 1.45, 0.06
_SIDE_COSTS = 4.0  # weight of one side against a look, in pips
_SAME_STRETCH = 0.02  # sizes are whole pixels
_ALIKE = 1.6  # dice of one picture differ in edge by less than this factor, near ones and far ones


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """The picture in one size, and the faces in it; `scale` (across, down) maps places of the picture to the look."""

    scale: tuple[float, float]
    pixels: Pixels
    spots: Spots
    faces: tuple[FaceFit, ...]

    @property
    def explained(self) -> float:
        """The weight of everything that the faces explain: many pips, clear and round, as from straight above.

        In a picture stretched too much the sides of dice look like tops, which counts against it.
        """
        pips = sum((len(face.spots) + 0.5) * face.quality * face.aspect**2 for face in self.faces)
        return pips - _SIDE_COSTS * len(self.sides)

    @property
    def is_upright(self) -> bool:
        """True when the pips of several dice are as round as from straight above."""
        count = sum(len(face.spots) for face in self.faces)
        return len(self.faces) > 1 and sum(len(face.spots) * face.aspect for face in self.faces) > _ROUND * count

    @property
    def sides(self) -> list[FaceFit]:
        """Faces right below another one that are as dark against it as the side of the same die."""
        return [face for face in self.faces if any(is_side(face, other) for other in self.faces)]

    def original(self, x: float, y: float) -> Point:
        """Return the place in the picture; pixel middles, not corners, lie at whole numbers."""
        across, down = self.scale
        return round((x + 0.5) / across - 0.5, 1), round((y + 0.5) / down - 0.5, 1)

    def at(self, place: Place) -> Point:
        """Return the place in the picture of a place (2) of the look."""
        return self.original(float(place[0]), float(place[1]))


def is_side(face: FaceFit, above: FaceFit) -> bool:
    """Return True when a face lies so far below another, and differs so much in light, that both may be of one die."""
    across, down = np.abs(face.middle[0] - above.middle[0]), face.middle[1] - above.middle[1]
    edge = max(face.edge_px, above.edge_px)
    dark = float(face.body.sum() / max(above.body.sum(), 1.0))
    return bool(across < _SIDE_ACROSS * edge and 0 < down < _SIDE_DOWN * edge and abs(dark - 1) > _SIDE_SHADE)


def rank_looks(pixels: Pixels) -> list[Look]:
    """Return looks of several sizes and stretches; the one that explains the most comes first."""
    largest = EDGES[0] / (_LEAST_PART * max(pixels.shape[:2]))
    scales = [largest / 2**step for step in range(_SIZES)]
    looks = []
    for scale in [scale for scale in scales if scale <= _MOST_LARGER] or scales[-1:]:
        view = _resized(pixels, scale, scale)
        looks.append(_look(pixels, view, busy_parts(view, EDGES[0])))
    looks.sort(key=lambda look: -look.explained)
    worth = [
        look
        for look in looks
        if look.explained >= _WORTH * looks[0].explained and len(look.spots) < _FULL_OF_SPOTS and not look.is_upright
    ]
    for look in worth[:_STRETCHED_SIZES]:
        for stretch in _STRETCHES:
            # The dice are the same, so only the surroundings of strong spots are searched.
            view = _resized(pixels, look.scale[0], look.scale[1] * stretch)
            strong = look.spots.at[look.spots.strength > _STRONG] * (1.0, stretch)
            looks.append(_look(pixels, view, parts_about(strong, view.shape[1::-1], _ABOUT * EDGES[1])))
    return sorted(looks, key=lambda look: -look.explained)


def _resized(pixels: Pixels, across: float, down: float) -> Pixels:
    size = tuple(max(1, round(side * scale)) for side, scale in zip(pixels.shape[1::-1], (across, down), strict=True))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA if down < 1 else cv2.INTER_CUBIC), np.uint8)


def _look(pixels: Pixels, view: Pixels, parts: Sequence[Part]) -> Look:
    found = [
        find_pip_spots(view[top:bottom, left:right], EDGES, _LOOK).moved(left, top)
        for left, top, right, bottom in parts
    ]
    spots = join_spots(found).strongest(MOST_SPOTS)
    faces = sorted(find_faces(view, spots, EDGES), key=lambda face: float(face.middle[0]))
    return Look((view.shape[1] / pixels.shape[1], view.shape[0] / pixels.shape[0]), view, spots, tuple(faces))


def usual_edge(faces: Sequence[FaceFit]) -> float:
    """Return the usual edge of the dice of a picture, in pixels."""
    return float(np.median([face.edge_px for face in faces]))


def pool_dice(looks: Sequence[Look], classify: FaceClassifier, dice: Sequence[ClassifiedFace]) -> list[ClassifiedFace]:
    """Return the dice that only other looks than the first show, as they lie in the first.

    One size suits small dice, another large ones, and beside a lamp the pips of one die may be round in one size only.
    The network must be sure of each, and its size must be like that of the dice of the first look.
    """
    usual = usual_edge([die.face for die in dice]) if dice else usual_edge(looks[0].faces)
    first, found = looks[0], list[FaceFit]()
    for look in looks[1:]:
        by = np.array(first.scale) / np.array(look.scale)
        if not math.isclose(*by, rel_tol=_SAME_STRETCH):
            continue
        for die in keep_surest(classify_faces(classify, look.pixels, look.faces, SURE)[0]):
            face = die.face.scaled(by)
            alike = 1 / _ALIKE < face.edge_px / usual < _ALIKE
            if alike and all(are_apart(face, other) for other in (*(die.face for die in dice), *found)):
                found.append(face)
    return keep_surest(classify_faces(classify, first.pixels, found, SURE)[0])
