"""Sum up what lies on the field: which dice were read, and what of the rest they, markers and shadows explain.

Nothing is refused here: `refusal` decides by what is left.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.capture.arrays import Flags, Places, Real
from vision.field.view import PX_PER_MM, View
from vision.foreground.bodies import lies_on_dim, measure_body, measure_cover, measure_overhangs
from vision.foreground.shadows import lies_in_shadow
from vision.foreground.survey import RIM_MM, Survey
from vision.foreground.things import UnexplainedThing
from vision.foreground.unexplained import find_unexplained
from vision.libraries import cv2
from vision.network.classified import ClassifiedFace
from vision.network.dice_map import MappedDice
from vision.pips.face_check import FaceFit
from vision.pips.search import OVERLAP, are_apart, find_next_pips
from vision.pips.spots import Spots, join_spots
from vision.reader.region import Region, is_on_baize, lies_in, near_baize
from vision.reading import Point

BESIDE = 0.06  # error of a face's place, in edges

Outline = NDArray[np.float32]
"""The corners (n, 2) or (n, 1, 2) of a convex outline in view pixels."""


def footprint(view: View, face: FaceFit) -> Places:
    """Return the outline (8, 2) on the baize in mm of the area that a flat die with this top face hides."""
    return np.concatenate((view.on_baize(face.corners), view.at_mm(face.corners)))


def are_on_tops(places: Places, faces: Sequence[FaceFit]) -> Flags:
    """Return which of the places (n, 2) of the view lie on one of these tops."""
    return _lie_within(places, [face.corners.astype(np.float32) for face in faces], faces, BESIDE)


def are_on_dice(view: View, places: Places, faces: Sequence[FaceFit], beside: float) -> Flags:
    """Return which places (n, 2) lie on visible parts of flat dice with these tops, or `beside` edges off."""
    outlines = []
    for face in faces:
        # The foot is seen nearer to the camera.
        foot = face.corners + view.slopes(face.middle[None])[0] * face.edge_px
        both = np.concatenate((face.corners, foot)).astype(np.float32)
        outlines.append(np.asarray(cv2.convexHull(both), np.float32))
    return _lie_within(places, outlines, faces, beside)


def _lie_within(places: Places, outlines: Sequence[Outline], faces: Sequence[FaceFit], beside: float) -> Flags:
    """Return which of the places (n, 2) lie within one of the faces' outlines, or `beside` edges from it."""
    found = np.zeros(len(places), bool)
    for outline, face in zip(outlines, faces, strict=True):
        # Distances are in pixels, and less than 0 inside.
        away = [-cv2.pointPolygonTest(outline, (float(x), float(y)), True) for x, y in places]
        found |= np.array(away, np.float64) < beside * face.edge_px
    return found


HAND_MM2 = 2500.0  # a larger thing that comes from outside is a hand
PIP_LIKE = 2.0  # pips of the dice of one throw differ in radius by less than this factor
ROUND = 0.72  # the least aspect of a single spot that counts as a pip
ABOUT_MM = 16.0  # things nearer than this may be of one die
STRONG = 60.0  # contrast of spots that only a die has
_CONTRARY = 0.6  # ... and as a part of the contrast of pips that were read
# A visible square has at least 0.46 of the rays on it. Without a square, by the foreground alone, 15 of 1,138 crumbs
# beside dice were 1s of which the network was sure (0.91 to 0.998).
_NO_SQUARE = 0.25
# Around a crumb, shadows and the die beside it may look like a square, to 0.75 of the rays; 1s that the map does not
# show for certain (3 of 794, path-traced ones among them) have a square with at least 0.85.
_CLEAR_SQUARE_OF_ONE = 0.8
# The body of dice of the cloth's own colour, with none of the rays on a square, was at least 20 mm2 (20 of 4,000 dice),
# that of crumbs 0.
_BODY_MM2 = 12.5
# The part of the area that a die without a clear square hides that is not plain cloth, or darker or lighter: for the 16
# of 1,334 without any square it was at least 0.78, for a brown one on yellow cloth 0.11, for a speck in a shadow 0.02.
_COVER = 0.06
_CRUMBS = 3  # up to this many may lie like pips by chance
USUAL_MM = 16.0  # the edge of most dice
_TOUCHING = 1.2  # a die that touches one that was read is nearer than this many edges
_APART = 0.2  # pips farther than this beside the visible die, in edges, are surely not its own, however high it is
_TOP_ROUND = 0.9  # a rounder spot is not on a side, for no camera hangs so low
# The nearest pip of a touching die lies within this many edges, and has at least this part of the contrast of the
# other's pips.
_TOUCHES, _AS_STRONG = 0.6, 0.9
_SAME_PX = 6.0  # spots nearer to each other are one spot, seen twice


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """Everything that was found, in view pixels; things that are not dice may be reasons to refuse."""

    dice: tuple[ClassifiedFace, ...]  # from left to right
    overhangs: tuple[float, ...]  # for each die the area that sticks out beside it (mm2)
    spots: Spots
    stray: Spots  # spots that look like pips and belong to no face
    things: tuple[UnexplainedThing, ...]  # not dice; largest first
    network_only: tuple[tuple[Point, int], ...] = ()  # places of other dice, and their likeliest values (0: not flat)
    leaning: tuple[float, ...] = ()  # for each die the chance that it does not lie flat
    smears: tuple[float, ...] = ()  # for each die, see `measure_smear`
    glosses: tuple[float, ...] = ()  # for each die, see `measure_gloss`
    crumbs: tuple[Point, ...] = ()  # on plain cloth; the network takes them for pips
    blanks: tuple[Point, ...] = ()  # things without pips that the network takes for dice

    @property
    def faces(self) -> tuple[FaceFit, ...]:
        return tuple(die.face for die in self.dice)

    @property
    def hiding(self) -> UnexplainedThing | None:
        """The thing that hides dice, so that nothing else that was found is certain: a washed-out area, else a hand."""
        white = next((thing for thing in self.things if thing.washed_out), None)
        return white or next((thing for thing in self.things if thing.area_mm2 > HAND_MM2 and thing.from_outside), None)


def account_for(
    view: View, seen: Survey, found: Sequence[ClassifiedFace], regions: Sequence[Region], mapped: MappedDice
) -> Scan:
    """Explain the regions by these dice and the map; of overlapping dice the one with more sure pips counts."""
    dice: list[ClassifiedFace] = []
    spots = join_spots([region.spots for region in regions])
    edges = [die.face.edge_px for die in found if die.face.value > 1]
    usual = float(np.median(edges)) if edges else USUAL_MM * PX_PER_MM
    # A 1 without a visible square is no larger than the other dice usually are, else it would hide what it touches.
    sized = [
        replace(die, face=replace(die.face, edge_px=min(die.face.edge_px, usual)))
        if die.face.value == 1 and die.face.outline.agree < _NO_SQUARE
        else die
        for die in found
    ]
    solid = [die for die in sized if _has_body(view, seen, die.face, mapped)]
    for die in sorted(solid, key=lambda die: (-len(die.face.places) * die.agreement, -die.face.quality)):
        if all(are_apart(die.face, other.face) for other in dice):
            dice.append(die)
    dice.sort(key=lambda die: float(die.face.middle[0]))
    faces = [die.face for die in dice]
    outlines = [footprint(view, face) for face in faces]
    things = find_unexplained(view, seen, outlines)
    stray = _stray_spots(view, join_spots([region.beside for region in regions]), faces)
    beside = measure_overhangs(seen, outlines)
    return Scan(tuple(dice), beside, spots, stray, tuple(things))


def add_network_only(
    view: View, seen: Survey, found: Scan, network_only: Sequence[tuple[Point, int]], likely: Places, glimpsed: Places
) -> Scan:
    """Return the scan with the dice that only the network sees, without those that were read and shadows of others.

    Unless the map shows a die there, at one of the places `likely` (n, 2), those on plain cloth are crumbs. Where the
    network had seen a die that the map showed at least faintly, at one of the places `glimpsed` (m, 2), something that
    shows a value is not a shadow; anywhere else on the baize a place without stray spots around it is a blank.
    """
    others = [
        (place, value)
        for place, value in network_only
        if not _is_of_dice(view, seen, np.array(place), found, value > 0 and _is_near(glimpsed, place))
    ]
    doubted = [place for place, _ in others if not _is_near(likely, place)]
    crumbs = [place for place in doubted if not _has_body_at(view, seen, np.array(place), found.spots)]
    bare = [place for place in doubted if lies_in(view.baize, place) and not _is_near(found.stray.at, place)]
    blanks = [place for place in bare if place not in crumbs and not _is_near(glimpsed, place)]
    dice = [(place, value) for place, value in others if place not in crumbs and place not in blanks]
    return replace(found, network_only=tuple(dice), crumbs=tuple(crumbs), blanks=tuple(blanks))


def drop_specks(view: View, found: Scan) -> Scan:
    """Return the scan without lone stray spots, or ones off the baize or by a die, near which the network sees nothing.

    They are wood, paint or fluff, or on the side of a die that is higher than it seems. A spot as round and as strong
    as the pips of the die beside it is none of these.
    """
    stray, at = found.stray, found.stray.at
    alike = np.zeros(len(stray), bool)
    for face in found.faces:
        strong = (stray.strength > _AS_STRONG * face.strength) & (stray.light == face.light)
        alike |= strong & are_on_dice(view, at, [face], _TOUCHES)
    alike &= stray.aspect > _TOP_ROUND
    on_baize, far = view.on_baize(at), np.array([view.field.width_mm, view.field.depth_mm])
    apart = np.all((on_baize > RIM_MM) & (on_baize < far - RIM_MM), axis=1)
    apart &= ~are_on_dice(view, at, found.faces, _APART)
    keep = np.zeros(len(at), bool)
    for index, place in enumerate(at):
        away = np.linalg.norm(at - place, axis=1)
        near = apart & (away < ABOUT_MM * PX_PER_MM) & (away > _SAME_PX)
        network_only = any(math.dist(place, there) < ABOUT_MM * PX_PER_MM for there, _ in found.network_only)
        keep[index] = network_only or alike[index] or (apart[index] and near.any())
    return replace(found, stray=stray.only(keep))


def _has_body(view: View, seen: Survey, face: FaceFit, mapped: MappedDice) -> bool:
    """Return False for pips on plain cloth. A 1 without a clear square, and a 2 or 3 without any, must cover something,
    and the map must show a die there; otherwise a crumb would be a 1: beside a die it has a shadow around it, and edges
    that are not its own.
    """
    clear = _CLEAR_SQUARE_OF_ONE if face.value == 1 else _NO_SQUARE
    if len(face.places) > _CRUMBS or face.outline.agree >= clear or not is_on_baize(view, face):
        return True
    x, y = face.middle.tolist()
    shown = mapped.likely if face.outline.agree >= _NO_SQUARE else mapped.certain
    return _is_near(shown, (x, y)) and measure_cover(seen, footprint(view, face)) >= _COVER


def _is_near(places: Places, place: Point) -> bool:
    """Return True when one of the places (n, 2) belongs to the die whose middle is here."""
    return bool((np.linalg.norm(places - place, axis=1) < ABOUT_MM * PX_PER_MM / 2).any())


def _is_of_dice(view: View, seen: Survey, place: Real, found: Scan, glimpsed: bool) -> bool:
    """Return True where a die was read, or in its shadow without a pip and without a die on the map."""
    away = min((float(np.linalg.norm(face.middle - place)) / face.edge_px for face in found.faces), default=math.inf)
    if away < OVERLAP or away >= _TOUCHING:
        return away < OVERLAP
    if glimpsed or (np.linalg.norm(found.stray.at - place, axis=1) < ABOUT_MM * PX_PER_MM / 2).any():
        return False
    outlines = [footprint(view, face) for face in found.faces]
    return lies_in_shadow(seen, view.on_baize(place[None])[0], outlines)


def _has_body_at(view: View, seen: Survey, place: Real, spots: Spots) -> bool:
    """Return True where more lies than crumbs, and beside the baize, where that is unknown."""
    if not near_baize(view, place[None])[0]:
        return True
    if lies_on_dim(seen, view.on_baize(place[None])[0]):
        return True
    edge = USUAL_MM * PX_PER_MM
    square = view.on_baize(place + edge / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]))
    # Crumbs beside a crumb are not a body.
    near = spots.only(np.linalg.norm(spots.at - place, axis=1) < edge)
    corners = np.array([(1, 0), (0, 1), (-1, 0), (0, -1)])
    discs = [view.on_baize(at + radius * corners) for at, radius in zip(near.at, near.radius, strict=True)]
    return measure_body(seen, square, discs) > _BODY_MM2


def _stray_spots(view: View, spots: Spots, faces: Sequence[FaceFit]) -> Spots:
    """Return the strong round spots that belong to no die that was read: there may be another one."""
    least = min([STRONG, *(_CONTRARY * face.strength for face in faces)])
    keep = (spots.strength > least) & (spots.aspect > ROUND)
    keep &= near_baize(view, spots.at)
    if faces:
        usual = float(np.median([face.pip_px for face in faces]))
        keep &= (spots.radius > usual / PIP_LIKE) & (spots.radius < usual * PIP_LIKE)
    strong = spots.only(keep)
    # Spots on the tops are the dice's own, except those that make another value of a 1.
    own = are_on_tops(strong.at, [face for face in faces if face.value > 1])
    for one in (face for face in faces if face.value == 1):
        own |= are_on_tops(strong.at, [one]) & ~find_next_pips(strong, one, one.edge_px)
    # Pips on sides are foreshortened: a round spot lies on a top, perhaps of a die in front of the side.
    own |= (strong.aspect < _TOP_ROUND) & are_on_dice(view, strong.at, faces, BESIDE)
    return strong.only(~own)
