"""Refuse a picture without a field where something that was not read as a die may be one.

Without a field no cloth separates the table from the rest: the network examines everything that stands out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from vision.capture.arrays import Flags, Place, Real
from vision.capture.frame import Pixels
from vision.foreground.background import components
from vision.libraries import cv2
from vision.network.classified import TILTED, Chances, ClassifiedFace, FaceClassifier, crops
from vision.reader.refusal import SIDE_SAY, likely_of
from vision.reader.scales import Look, usual_edge
from vision.reading import Reading, Reason, refused

_EDGE_PX = 12  # the edge of a die in the small picture that is searched: sides and shadows do not matter there
_ABOUT = 5  # surroundings are the median of a square of this many edges: more of it is table than dice
_STANDS_OUT, _ABOVE_USUAL = 22.0, 6.0  # in grey levels of any colour, and as a multiple of the usual in the picture
_PLAIN = 8.0  # on a table that varies less than this, anything of a die's size is a thing
_SIDES, _FILLS = (0.5, 2.2), 0.3  # sides of its box in edges; least part of an edge's square that it fills
_TOGETHER = 2.0  # on a plain table a thing may be larger by this factor: two dice that touch
_OWN = 1.7  # a die's face enlarged by this holds its sides and shadow, and little of a die beside it
_APART = 0.4  # edges from the middle of a die within which no other die has its middle
_BODY = 1.2  # edges from the middle of a face within which the die's sides and shadow lie
_STEP, _MOST_PLACES = 3, 400  # pixels of the small picture between places, a quarter of an edge; most places
# The sides of the part of a die and its shadow that the border leaves in the picture, in edges, and the least part of
# an edge's square that it fills: a sliver of a box or a ruler fills less.
_CUT_SIDES, _CUT_FILLS = (0.25, 1.8), 0.16


@dataclass(frozen=True, slots=True, eq=False)
class CutThing:
    """The visible part of a thing cut by the border: its middle (2,) in pixels, and its colours (n, 3)."""

    at: Real
    colours: NDArray[np.uint8]

    def shows(self, colour: Real, within: float) -> float:
        """Return the part (0..1) of it that differs from a colour (3) by less than `within` levels."""
        return float((np.abs(self.colours - colour).max(axis=1) < within).mean())


@dataclass(frozen=True, slots=True, eq=False)
class DieSized:
    """Things of a die's size, and what else stands out; all places in pixels of the picture."""

    at: Real  # (n, 2): middles of the things
    on_plain: bool  # the table around them is plain
    anywhere: Real  # (n, 2): all over whatever stands out, of any size, except middles of read dice
    cut: tuple[CutThing, ...]  # cut by the border; they may be dice by their size
    bodies: Real  # (m, 2): from the middle of each die's face to that of all around it, in edges


def find_die_sized(pixels: Pixels, edge_px: float, dice: Sequence[Real]) -> DieSized:
    """Find the things in a picture (h, w, 3) as large as dice of this edge, without these dice (corners (4, 2) each).

    Things that the border cuts are returned separately, because their size is unknown.
    """
    scale = _EDGE_PX / edge_px
    small = np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    # How far each pixel is from the usual colour around it, in levels of the channel that differs most.
    off = np.asarray(cv2.absdiff(small, cv2.medianBlur(small, _ABOUT * _EDGE_PX | 1)).max(axis=2), np.uint8)
    usual = float(np.median(off))
    mask = np.asarray(off > max(_STANDS_OUT, _ABOVE_USUAL * usual), np.uint8)
    bodies = _bodies(mask, scale, dice)
    for way in (cv2.MORPH_CLOSE, cv2.MORPH_OPEN):
        mask = np.asarray(cv2.morphologyEx(mask, way, np.ones((3, 3), np.uint8)), np.uint8)
    anywhere = (_places_off_dice(mask, scale, dice) + 0.5) / scale - 0.5
    for corners in dice:
        middle = corners.mean(axis=0)
        own = (middle + _OWN * (corners - middle)) * scale
        cv2.fillConvexPoly(mask, np.round(own).astype(np.int32), 0)
    _, labels, table, middles = components(mask)
    plain = usual < _PLAIN
    middles = (middles + 0.5) / scale - 0.5
    x, y, width, height, _ = table.T
    whole = (x > 0) & (y > 0) & (x + width < mask.shape[1]) & (y + height < mask.shape[0])
    keep = whole & _are_sized(table, _SIDES[0], _SIDES[1] * (_TOGETHER if plain else 1), _FILLS)
    cut = np.flatnonzero(~whole & _are_sized(table, *_CUT_SIDES, _CUT_FILLS))
    cuts = tuple(CutThing(middles[label], small[labels == label]) for label in cut)
    return DieSized(middles[keep], plain, anywhere, cuts, bodies)


def _bodies(mask: NDArray[np.uint8], scale: float, dice: Sequence[Real]) -> Real:
    """Return the offset from the middle of each die's face to that of all that is nearest to it, in edges; or 0."""
    rows, columns = np.nonzero(mask)
    places = (np.column_stack((columns, rows)) + 0.5) / scale - 0.5
    middles = np.array([corners.mean(axis=0) for corners in dice]).reshape(-1, 2)
    edges = np.array([float(np.linalg.norm(corners[0] - corners[1])) for corners in dice])
    off = (places[:, None] - middles) / edges[:, None]
    away = np.linalg.norm(off, axis=2)
    nearest = away.argmin(axis=1) if len(dice) else np.zeros(0, int)
    found = np.zeros_like(middles)
    for die in range(len(dice)):
        own = off[(nearest == die) & (away[:, die] < _BODY), die]
        found[die] = own.mean(axis=0) if len(own) else 0.0
    return found


def _places_off_dice(mask: NDArray[np.uint8], scale: float, dice: Sequence[Real]) -> Real:
    """Return places (n, 2) all over a mask, in its pixels, except the middles of these dice.

    One of them lies near the middle of every die, unless the mask is very large.
    """
    rest = mask.copy()
    for corners in dice:
        column, row = ((corners.mean(axis=0) + 0.5) * scale - 0.5).round().astype(int).tolist()
        cv2.circle(rest, (column, row), round(_APART * scale * float(np.linalg.norm(corners[0] - corners[1]))), 0, -1)
    for step in count(_STEP):
        rows, columns = np.nonzero(rest[::step, ::step])
        if len(rows) <= _MOST_PLACES:
            break
    return np.asarray(np.column_stack((columns, rows)) * float(step), np.float64)


def _are_sized(table: NDArray[np.int32], least_edges: float, most_edges: float, fills: float) -> Flags:
    """Return which things have sides within these limits, in edges, and fill this part of a square; not the first."""
    sides = table[:, 2:4]
    keep = (sides.min(axis=1) >= least_edges * _EDGE_PX) & (sides.max(axis=1) <= most_edges * _EDGE_PX)
    keep &= table[:, 4] >= fills * _EDGE_PX**2
    keep[0] = False
    return np.asarray(keep, np.bool_)


_MAY_BE = 0.5  # above this chance of any die the lattice is tried
_MANY_THINGS = 8  # this many things of a die's size are dice of another kind
# A die shows pips, or the network is sure of its value, or of two possible values, or sees a die without pips;
# otherwise there is none. The least chances of these; and for the pips: the distance from the place in edges, the
# largest ratio of radius to those that were read, the least roundness, and the least contrast as a part of those pips'.
_SURE_OF_IT, _SURE_OF_TWO, _WITHOUT_PIPS = 0.65, 0.8, 0.35
_ON_IT, _PIP_LIKE, _ROUND, _FAINT = 0.42, 1.7, 0.72, 0.15
_CLEARLY_NONE = 0.7  # above this chance of no die a thing on a plain table is not one
_HARDLY_NONE = 0.1  # ... and below this one a die lies there, on any table
# A thing of a die's size may be a smaller die with its side and its shadow, of this part of the usual edge, if the
# chance of no die is below the second.
_SMALLER, _SURELY_SMALLER = 0.6, 0.02
# A thing that the border cuts is a die if this part of it is within this many levels of the body of a read die: the
# rest are pips, sides and shadow. Hardly a tenth of other things at the border of photographs is.
_CUT_BODY, _CUT_LEVELS = 0.2, 64.0
# Edges by which bodies lie beside their faces where the camera sees the sides, and by which one lies the other way. In
# 133 photographs that were read the most was 0.20; where a side was taken for the top it was 0.29 and 0.41.
_SEEN_ASIDE, _CONTRARY = 0.12, 0.25
_ITSELF = 0.4  # edges from the middle of a die within which that die itself is seen
_ITS_SIDES = 1.0  # edges from the middle of a die within which its sides are seen
# Offsets from a thing at which a die is searched, in edges: all over a thing that may be two touching dice.
_ALL_OVER = np.array([(x, y) for x in (-0.3, -0.15, 0.0, 0.15, 0.3) for y in (-0.3, -0.15, 0.0, 0.15, 0.3)])


@dataclass(frozen=True, slots=True, eq=False)
class ClassifiedPlaces:
    """Places (n, 2) of a look and the network's chances (n, 8) for each."""

    places: Real
    chances: Chances

    def chances_of_none(self, dice: Sequence[ClassifiedFace]) -> Chances:
        """Return the chances (n) that no other die than these lies there.

        An apparently leaning die near one that was read is its side; but where a value is seen beside the middle of a
        read die, that one may be a side itself.
        """
        none = self.chances[:, 0].copy()
        for die in dice:
            away = np.linalg.norm(self.places - die.face.middle, axis=1) / die.face.edge_px
            sides = away < _ITS_SIDES
            none[sides] = np.maximum(none[sides], 1 - self.chances[sides, 1:TILTED].max(axis=1))
            none[away < _ITSELF] = 1.0
        return none

    def most_like_dice(self, dice: Sequence[ClassifiedFace]) -> list[Place]:
        """Return the places, the surest first, where another die than these seems to lie."""
        none = self.chances_of_none(dice)
        return [self.places[index] for index in np.argsort(none) if none[index] < 1 - _MAY_BE]


def refuse_unread_things(
    look: Look, classify: FaceClassifier, dice: Sequence[ClassifiedFace], anywhere: ClassifiedPlaces
) -> Reading | None:
    """Return a refusal when anything else, whole or cut, may be a die, or one of these was read from its side."""
    things, faces = die_sized(look, dice), [die.face for die in dice]
    refusal = _refuse_unexplained(look, classify, dice, things, anywhere)
    if refusal is not None:
        return refusal
    for thing in things.cut:
        # The network knows only whole dice: a cut one shows by the colour of their bodies.
        if max(thing.shows(face.body, _CUT_LEVELS) for face in faces) > _CUT_BODY:
            say = "A die lies partly outside the picture: push it in, or say what you threw."
            return refused(Reason.UNEXPLAINED, say, at_px=look.at(thing.at), likely=likely_of(faces))
    for index, face in enumerate(faces):
        # All dice are seen from the same side: if one body lies the other way from its face, that face is not a top.
        others = np.delete(things.bodies, index, axis=0)
        common = others.mean(axis=0) if len(others) else np.zeros(2)
        far = float(np.linalg.norm(common))
        if far > _SEEN_ASIDE and float(things.bodies[index] @ common) / far < -_CONTRARY:
            return refused(Reason.UNSURE, SIDE_SAY, at_px=look.at(face.middle), likely=likely_of(faces))
    return None


def _refuse_unexplained(
    look: Look, classify: FaceClassifier, dice: Sequence[ClassifiedFace], things: DieSized, anywhere: ClassifiedPlaces
) -> Reading | None:
    """Return a refusal when an unread thing may be a die: anything that the network takes for one, with pips or not; on
    a plain table anything of a die's size that is not clearly something else; and many things of a die's size.
    """
    faces = [die.face for die in dice]
    likely = likely_of(faces)
    say = "I see something as large as a die that I cannot read: take it away, or say what you threw."
    if len(things.at) >= _MANY_THINGS:
        return refused(Reason.UNEXPLAINED, say, at_px=look.at(things.at[0]), likely=likely)
    of_things = _CLEARLY_NONE if things.on_plain else _HARDLY_NONE
    # Places anywhere first, then those all over the things, for dice of the usual size and for smaller ones.
    for size, least in ((None, _HARDLY_NONE), (1.0, of_things), (_SMALLER, _SURELY_SMALLER)):
        seen = anywhere
        if size is not None:
            places = (things.at[:, None] + _ALL_OVER * (size * usual_edge(faces))).reshape(-1, 2)
            seen = classify_places(look, classify, dice, places, size)
        none = seen.chances_of_none(dice)
        none[_show_nothing(look, dice, seen)] = 1.0
        if len(none) and none.min() < least:
            return refused(Reason.UNEXPLAINED, say, at_px=look.at(seen.places[none.argmin()]), likely=likely)
    return None


def _show_nothing(look: Look, dice: Sequence[ClassifiedFace], seen: ClassifiedPlaces) -> Flags:
    """Return at which places (n) the network is sure of nothing and no pip is seen: keys, labels and plugs."""
    faces, spots = [die.face for die in dice] or look.faces, look.spots
    pip = float(np.median([face.pip_px for face in faces]))
    faint = _FAINT * float(np.median([face.strength for face in faces]))
    like = (spots.radius > pip / _PIP_LIKE) & (spots.radius < pip * _PIP_LIKE) & (spots.aspect > _ROUND)
    away = np.linalg.norm(seen.places[:, None] - spots.at[like & (spots.strength > faint)], axis=2)
    near = away.min(axis=1, initial=np.inf) < _ON_IT * usual_edge(faces)
    values = np.sort(seen.chances[:, 1:TILTED], axis=1)
    unsure = (values[:, -1] < _SURE_OF_IT) & (values[:, -2:].sum(axis=1) < _SURE_OF_TWO)
    return np.asarray(~near & unsure & (seen.chances[:, TILTED] < _WITHOUT_PIPS), np.bool_)


def classify_places(
    look: Look, classify: FaceClassifier, dice: Sequence[ClassifiedFace], places: Real, size: float = 1.0
) -> ClassifiedPlaces:
    """Classify these places (n, 2), for dice of `size` times the usual edge."""
    edge = size * usual_edge([die.face for die in dice] or look.faces)
    return ClassifiedPlaces(places, classify(crops(look.pixels, places, np.full(len(places), edge)), None))


def die_sized(look: Look, dice: Sequence[ClassifiedFace]) -> DieSized:
    """Return the things as large as a die, apart from these dice."""
    faces = [die.face for die in dice]
    return find_die_sized(look.pixels, usual_edge(faces or look.faces), [face.corners for face in faces])
