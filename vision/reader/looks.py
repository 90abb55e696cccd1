"""Looks at a whole picture in several sizes and slants, in one of which the dice have the size that is looked for."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Pixels
from vision.foreground.busy_parts import Part, busy_parts, parts_about
from vision.libraries import cv2
from vision.network.classified import SURE, ClassifiedFace, FaceClassifier, classify_faces, keep_surest
from vision.pips.face_check import FaceFit
from vision.pips.search import MOST_SPOTS, Edges, SpotThresholds, are_apart, find_faces, find_pip_spots
from vision.pips.spots import Spots, join_spots
from vision.reading import Point

EDGES: Edges = (32.0, 76.0)  # pixels, in every size: so the ranges of two sizes overlap
_LEAST_PART = 0.022  # the least edge of a die as a part of the picture's longer side
_SIZES = 5  # each half of the one before
_MOST_LARGER = 2.5  # a picture is not blown up more than this: there is nothing to see
_STRETCHES = (1.2, 1.5)  # a camera 34 and 48 degrees off the vertical
_STRETCHED_SIZES, _WORTH = 2, 0.5  # so many at most are drawn out, which explain this part of what the best one does
_FULL_OF_SPOTS = 300  # where so many lie nothing is gained by drawing it out but time lost
_STRONG, _ABOUT = 32.0, 0.75  # contrast of the spots of dice; how far about them a look is drawn out, in largest edges
_ROUND = 0.96  # pips that are as round were never rounder in a look that was drawn out
_LOOK = SpotThresholds((0.3, 0.6), (9, 32, 72), every_colour=True)
# A side lies so far across and down from its top at most, in edges, and is by this part darker or lighter.
_SIDE_ACROSS, _SIDE_DOWN, _SIDE_SHADE = 0.45, 1.45, 0.06
_SIDE_COSTS = 4.0  # pips that one side counts against a look
_SAME_STRETCH = 0.02  # sizes are whole pixels
_ALIKE = 1.6  # dice of one picture differ in edge by less than this factor, near ones and far ones

Place = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """The picture in one size, and the faces in it; `scale` (across, down) leads from the picture's pixels to those."""

    scale: tuple[float, float]
    pixels: Pixels
    spots: Spots
    faces: tuple[FaceFit, ...]

    @property
    def explained(self) -> float:
        """The weight of what the faces account for: many pips, clearly seen, and round, as from straight above.

        Drawn out too much, the sides of dice look like tops: that counts against it.
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
        """Faces that lie right below another one and are as dark against it as the side of the same die."""
        return [face for face in self.faces if any(is_side(face, other) for other in self.faces)]

    def original(self, x: float, y: float) -> Point:
        """The place in the picture; pixel middles, not corners, lie at whole numbers."""
        across, down = self.scale
        return round((x + 0.5) / across - 0.5, 1), round((y + 0.5) / down - 0.5, 1)

    def at(self, place: Place) -> Point:
        """A place of the look (2) in the picture."""
        return self.original(float(place[0]), float(place[1]))


def is_side(face: FaceFit, above: FaceFit) -> bool:
    """True when a face lies so below another, and so unlike it in light, that both may be of one die."""
    across, down = np.abs(face.middle[0] - above.middle[0]), face.middle[1] - above.middle[1]
    edge = max(face.edge_px, above.edge_px)
    dark = float(face.body.sum() / max(above.body.sum(), 1.0))
    return bool(across < _SIDE_ACROSS * edge and 0 < down < _SIDE_DOWN * edge and abs(dark - 1) > _SIDE_SHADE)


def rank_looks(pixels: Pixels) -> list[Look]:
    """Looks of several sizes and stretches; that which explains the most comes first."""
    looks = sorted((_plain_look(pixels, scale) for scale in _scales(pixels)), key=lambda look: -look.explained)
    worth = [
        look
        for look in looks
        if look.explained >= _WORTH * looks[0].explained and len(look.spots) < _FULL_OF_SPOTS and not look.is_upright
    ]
    for look in worth[:_STRETCHED_SIZES]:
        looks += [_drawn_out(pixels, look, stretch) for stretch in _STRETCHES]
    return sorted(looks, key=lambda look: -look.explained)


def _scales(pixels: Pixels) -> list[float]:
    longer = max(pixels.shape[:2])
    largest = EDGES[0] / (_LEAST_PART * longer)
    scales = [largest / 2**step for step in range(_SIZES)]
    return [scale for scale in scales if scale <= _MOST_LARGER] or scales[-1:]


def _plain_look(pixels: Pixels, scale: float) -> Look:
    """The picture in this size; where it is plain there are no spots to be looked for."""
    view = _resized(pixels, scale, scale)
    return _look(pixels, view, busy_parts(view, EDGES[0]))


def _drawn_out(pixels: Pixels, look: Look, stretch: float) -> Look:
    """A look drawn out in height; it is the same dice that are looked for, so only about strong spots."""
    view = _resized(pixels, look.scale[0], look.scale[1] * stretch)
    strong = look.spots.at[look.spots.strength > _STRONG] * (1.0, stretch)
    return _look(pixels, view, parts_about(strong, view.shape[1::-1], _ABOUT * EDGES[1]))


def _resized(pixels: Pixels, across: float, down: float) -> Pixels:
    size = tuple(max(1, round(side * scale)) for side, scale in zip(pixels.shape[1::-1], (across, down), strict=True))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA if down < 1 else cv2.INTER_CUBIC), np.uint8)


def _look(pixels: Pixels, view: Pixels, parts: Sequence[Part]) -> Look:
    """What these parts of the picture in another size show."""
    spots = _spots_in(view, parts)
    faces = sorted(find_faces(view, spots, EDGES), key=lambda face: float(face.middle[0]))
    return Look((view.shape[1] / pixels.shape[1], view.shape[0] / pixels.shape[0]), view, spots, tuple(faces))


def _spots_in(view: Pixels, parts: Sequence[Part]) -> Spots:
    found = [
        find_pip_spots(view[top:bottom, left:right], EDGES, _LOOK).moved(left, top)
        for left, top, right, bottom in parts
    ]
    return join_spots(found).strongest(MOST_SPOTS)


def usual_edge(faces: Sequence[FaceFit]) -> float:
    """The edge that the dice of a picture mostly have, in pixels."""
    return float(np.median([face.edge_px for face in faces]))


def pool_dice(looks: Sequence[Look], classify: FaceClassifier, dice: Sequence[ClassifiedFace]) -> list[ClassifiedFace]:
    """The dice that only other looks than the first show, as they lie in the first.

    One size fits small dice, another large ones, and beside a lamp the pips of one die may be round in one size only.
    The network must be sure of each, and its size like that of the dice of the first look.
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
