"""Decides where to look again: where a die may lie that was not read, by what is unexplained and by the network."""

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.field.view import PX_PER_MM, Box, Places, View
from vision.foreground.bodies_beside import find_bodies_beside
from vision.foreground.dim_bodies import find_dim_bodies
from vision.foreground.overview import Overview
from vision.foreground.segment import Survey
from vision.foreground.unexplained import has_foreground
from vision.network.classified import TILTED, Chances, ClassifiedFace, keep_surest
from vision.pips.face_check import FaceFit
from vision.pips.search import BESIDE_LOOK, OVERLAP, are_apart, fit_face
from vision.pips.spots import Spots
from vision.reader.on_map import Asker
from vision.reader.region import EDGES, Region, holds_any, lies_in, near_baize, show_markers
from vision.reader.scan import ABOUT_MM, HAND_MM2, ROUND, STRONG, USUAL_MM, Scan
from vision.reader.silhouettes import are_on_tops, footprint
from vision.reading import Point

_CLOSER_LOOKS = 6  # places at most that are looked at again: each takes time, and what is left over is refused
_MARKS, _SURELY_NONE = 5, 0.8  # marks of a box that are asked about; the chance of no die above which there is none
_GLIMPSE = 0.5  # the chance that a place is a die at all from which on the network has seen one
# The chance that a place of the map is a die from which on it is one, where the map finds it likely. By its first
# weights none of 485 other places of 530 pictures was one, and 180 of 198 dice were that neither spots nor foreground
# had shown; of path-traced pictures that were packed, or made darker, 6 others were. Where the map finds it but half
# likely it is the chance of a die, too, of a dark one smeared beside others mostly; and where less likely, of a value:
# so is 1 other place of 963 such pictures, and so are dark dice that touch others.
_MAPPED, _SHOWN, _SURELY_NOT = 0.6, 0.8, 0.98
_HALF_LIKELY = 0.4  # with 0.2 no more dark dice are seen, of 600 throws with one, and a throw of 505 is refused
_MOST_MAPPED = 10  # places of the map that are asked about
_SEARCHES, _STEP_MM, _MOST_PLACES = 3, 2.5, 240  # boxes that the network searches, in which steps, and places in all
# Edges from the middle of a face to a pip in its corner; and to the nearest pip of a die that touches it.
_PIP_OFF, _CLOSE = 0.35, 1.0
_TURNS = np.arange(8) * math.pi / 4
_RING = np.column_stack((np.cos(_TURNS), np.sin(_TURNS)))
# Pips that run together are long marks, a 6 has two rows of them; and where the middle of the face is looked for, in
# edges off that of the box.
_LONG, _ROWS = 0.6, 2
_CROSS = 0.25 * np.array([(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)])
_NEARBY = 3.0 * PX_PER_MM * np.concatenate((np.zeros((1, 2)), _RING))  # about the middle of what is mostly unread
_LATTICE = 0.9  # the chance that it must give the value that the lattice shows
_LATTICE_EDGES = 1.5  # so many usual edges about a place are cut out for the lattice
# How far off the lattice, in edges, a spot on the top is none of its pips, if it stands out by more than so many times
# as much as they do. Of a 3 with a lamp in two of its corners, which made a blurred 5, these were 0.10 and 0.12, and
# 1.4; of dice that were read rightly 0.08 and 0.98 at most, or 0.04 and 2.6.
_OFF_LATTICE, _OUTSHINES, _ON_TOP = 0.07, 1.2, 0.5
_SEEN_BESIDE = 1.4  # times the contrast from which on spots are looked for beside the baize
_MARK = 40.0  # contrast of a mark that must be explained
# What sticks out beside a die may be of another one. In one of 286 heaps of four and six dice that were wholly read
# there was more.
_STICKS_OUT_MM2, _BESIDE = 3.5, 0.75
_SEVERAL = 3  # strong round marks beside the baize that may be pips


def unexplained_boxes(
    seen: Survey,
    ask: Asker,
    found: Scan,
    doubted: Sequence[FaceFit],
    glimpsed: Places,
    empty: Sequence[Box],
) -> list[Box]:
    """The boxes about what no face explains, about faces that are doubted, about places `glimpsed` (n, 2) where the
    network saw a die, about what seems to be the shadow of a die and shows one, about dice beside which something
    sticks out, and about what is dim and looks like a die: worth a closer look.

    What is no cloth always is; spots alone are where the network does not hold a die for impossible.
    """
    open_doubts = [face.middle for face in doubted if all(are_apart(face, other) for other in found.faces)]
    certain: list[Box] = [(float(x), float(y), float(x), float(y)) for x, y in open_doubts]
    certain += [(x, y, x, y) for x, y in _apart_from(glimpsed, found.faces).tolist()]
    certain += [(x, y, x, y) for x, y in _dice_in_shadow(seen, ask, found.faces)]
    certain += [thing.box for thing in found.things if thing.area_mm2 < HAND_MM2]
    certain += found.marks
    beside = zip(found.faces, found.overhangs, strict=True)
    certain += [_beside(face) for face, area_mm2 in beside if area_mm2 > _STICKS_OUT_MM2]
    # Last, for it says of what lies there no more than where.
    certain += [(x, y, x, y) for x, y in _dim_dice(seen, ask, found.faces)]
    faint = [box for box in empty if not any(lies_in(box, face.middle) for face in found.faces)]
    faint += [(x, y, x, y) for x, y in found.stray.at[np.argsort(-found.stray.strength)].tolist()]
    open_places = _apart_from(ask.mapped.possible, found.faces)
    looked_at = [box for box in _widened(certain, []) if holds_any(box, open_places)]
    doubtful = _where_a_die_may_be(ask, found, _widened(faint, looked_at))
    return (looked_at + _widened(doubtful, looked_at))[:_CLOSER_LOOKS]


def _dice_in_shadow(seen: Survey, ask: Asker, faces: Sequence[FaceFit]) -> list[tuple[float, float]]:
    """The places of the view close to dice where something has the size of a die and shows the network a value.

    Most are shadows, and show none; but dark dice look like shadows of those beside them, and so do tinted ones.
    """
    bodies = ask.view.over_baize(find_bodies_beside(seen, [footprint(ask.view, face) for face in faces]))
    return _seen_about(ask, bodies, faces, _shows_value)


def _dim_dice(seen: Survey, ask: Asker, faces: Sequence[FaceFit]) -> list[tuple[float, float]]:
    """The places of the view apart from dice where something dim has the size of a die and looks to the network like
    one, be its pips hidden or smeared away.
    """
    bodies = ask.view.over_baize(find_dim_bodies(seen, [footprint(ask.view, face) for face in faces]))
    return _seen_about(ask, bodies, faces, lambda _, chances: 1 - chances[:, 0])


def _seen_about(
    ask: Asker,
    bodies: Places,
    faces: Sequence[FaceFit],
    likely: Callable[[Places, Chances], Chances],
    least: float = _GLIMPSE,
) -> list[tuple[float, float]]:
    """Of each body, given by its middle, the likeliest place of a die there, if the network sees one; of dice that were
    read none.
    """
    tries = [_apart_from(body + _NEARBY, faces) for body in bodies]
    places = np.concatenate([np.zeros((0, 2)), *tries])
    chances = ask.where_possible(places)
    return [(float(x), float(y)) for x, y in places[_best_of_each(tries, likely(places, chances), least)]]


def _beside(face: FaceFit) -> Box:
    """The box about a die; as `_widened` has it the middles of those are in it that touch it."""
    (x, y), half = face.middle.tolist(), _BESIDE * face.edge_px
    return x - half, y - half, x + half, y + half


def search_by_network(over: Overview, ask: Asker, boxes: Sequence[Box], found: Scan) -> tuple[tuple[Point, int], ...]:
    """The dice that only the network sees, in boxes in which something is left; what shows a marker is none."""
    searched = boxes[:_SEARCHES]
    tries = [_places_to_search(over, ask, box, found.faces) for box in searched]
    step = 1 + sum(map(len, tries)) // _MOST_PLACES
    # Steps may lead past the middle of a die: it is asked about stray pips too, for one may be a 1, and where it saw a
    # die before.
    known = [np.concatenate((_middle(box)[None], _spots_in(found.stray, box).strongest(_MARKS).at)) for box in searched]
    more = [places[_are_free(ask.view, over, places, found.faces)] for places in known]
    dim = _dim_dice(over.seen, ask, found.faces)
    tries = [np.concatenate((places[::step], those)) for places, those in zip(tries, more, strict=True)]
    tries = [places for places in (*tries, *(np.array([place]) for place in dim)) if len(places)]
    if not tries:
        return ()
    places = np.concatenate(tries)
    chances = ask.where_possible(places)
    best = _best_of_each(tries, _likely_dice(ask.view, places, chances), _GLIMPSE)
    return _with_values(places[best], chances[best])


def see_on_markers(over: Overview, ask: Asker, faces: Sequence[FaceFit]) -> tuple[tuple[Point, int], ...]:
    """The dice that map and network see on markers and their paper, apart from those that were read.

    A die that covers no more than the paper leaves the marker to be seen, which then explains its pips.
    """
    likely = _apart_from(ask.mapped.likely, faces)
    on_markers = likely[show_markers(ask.view, over, likely)]
    places = np.array(_seen_about(ask, on_markers, faces, partial(_likely_dice, ask.view), _MAPPED)).reshape(-1, 2)
    return _with_values(places, ask(places))


def _with_values(places: Places, chances: Chances) -> tuple[tuple[Point, int], ...]:
    """The places (n, 2), each with the likeliest value by its chances (n, 8); 0: a die that does not lie flat."""
    values = (chances[:, 1:].argmax(axis=1) + 1) % TILTED
    return tuple(((float(x), float(y)), int(value)) for (x, y), value in zip(places, values, strict=True))


def fit_lattices(ask: Asker, network_only: Sequence[tuple[Point, int]], found: Scan) -> list[ClassifiedFace]:
    """The dice among those that only the network sees of which the lattice shows the same value at the same place.

    Their pips must stand out so much that those of such a die beside the baize would be seen as well, and no spot may
    outshine them off the lattice.
    """
    faces = found.faces
    usual = float(np.median([face.edge_px for face in faces])) if faces else USUAL_MM * PX_PER_MM
    tries = [(place, value, _fit_at(ask.view, place, usual)) for place, value in network_only if value > 0]
    alike = [
        face
        for place, value, face in tries
        if face is not None
        and face.value == value
        and face.strength > _SEEN_BESIDE * min(BESIDE_LOOK.contrasts)
        and math.dist(face.middle, place) < OVERLAP * face.edge_px
        and not _is_outshone_off_lattice(found.spots, face)
    ]
    places = np.array([face.middle for face in alike]).reshape(-1, 2)
    chances = ask(places)
    dice = [ClassifiedFace(face, row) for face, row in zip(alike, chances, strict=True)]
    return [
        die
        for die in keep_surest(dice)
        if die.agreement > _LATTICE and all(are_apart(die.face, face) for face in faces)
    ]


def _is_outshone_off_lattice(spots: Spots, face: FaceFit) -> bool:
    """True where a spot about the middle of a face outshines its pips and is none of them: a lamp in two corners makes
    a 3 like a 5.
    """
    on_top = np.linalg.norm(spots.at - face.middle, axis=1) < _ON_TOP * face.edge_px
    alike = spots.only(on_top & (spots.light == face.light) & (spots.strength > _OUTSHINES * face.strength))
    away = np.linalg.norm(alike.at[:, None] - face.places[None], axis=2).min(axis=1)
    return bool((away > _OFF_LATTICE * face.edge_px).any())


def _fit_at(view: View, place: Point, usual_px: float) -> FaceFit | None:
    """The face about a place of the view by its lattice."""
    x, y = place
    reach = _LATTICE_EDGES * usual_px
    part = view.cut_out((x - reach, y - reach, x + reach, y + reach))
    corner = np.array([part.left, part.top], np.float64)
    face = fit_face(part.pixels, np.array(place) - corner, usual_px, EDGES)
    return None if face is None else face.moved(corner)


def see_on_map(over: Overview, ask: Asker, faces: Sequence[FaceFit]) -> Places:
    """The places (n, 2) of the view about which the network sees a die, among those that the map shows; of dice that
    were read, and of markers, none is asked about.
    """
    mapped = ask.mapped
    free = np.flatnonzero(_are_free(ask.view, over, mapped.places, faces))[:_MOST_MAPPED]
    places, chances, likely = mapped.places[free], mapped.chances[free], mapped.are_likely[free]
    # Most of the others are surely none at their own place: about these nothing is asked.
    open_ones, half_likely = ~likely & (ask(places)[:, 0] < _SURELY_NOT), chances > _HALF_LIKELY
    is_die = partial(_likely_dice, ask.view)
    seen = [
        *_seen_about(ask, places[likely], faces, is_die, _MAPPED),
        *_seen_about(ask, places[open_ones & half_likely], faces, is_die, _SHOWN),
        *_seen_about(ask, places[open_ones & ~half_likely], faces, _shows_value, _SHOWN),
    ]
    return np.array(seen, np.float64).reshape(-1, 2)


def _shows_value(_: Places, chances: Chances) -> Chances:
    """How likely each place shows a value: the likeliest of them (n)."""
    return np.asarray(chances[:, 1:TILTED].max(axis=1, initial=0.0), np.float32)


def _likely_dice(view: View, places: Places, chances: Chances) -> Chances:
    """How likely each of the places (n, 2) is a die. Beyond the wall a numeral or a knot may look like one that leans:
    there it must show a value.
    """
    return np.where(near_baize(view, places), 1 - chances[:, 0], _shows_value(places, chances))


def is_empty(view: View, box: Box, region: Region, faces: Sequence[FaceFit]) -> bool:
    """True when strong marks lie in a box without a face: on the baize one, for a body of the cloth's colour may bear
    it; beside it several round ones, for wood has marks of its own.
    """
    if any(lies_in(box, face.middle) for face in faces):
        return False
    left, top, right, bottom = view.baize
    x, y = region.beside.at[:, 0], region.beside.at[:, 1]
    on_baize = (x > left) & (x < right) & (y > top) & (y < bottom)
    round_ones = (region.beside.strength > STRONG) & (region.beside.aspect > ROUND)
    return bool((on_baize & (region.beside.strength > _MARK)).any()) or int(round_ones.sum()) >= _SEVERAL


def _places_to_search(over: Overview, ask: Asker, box: Box, faces: Sequence[FaceFit]) -> Places:
    """The places (n, 2) in the middle of a box where a die may be that was not read."""
    left, top, right, bottom = box
    inner = ABOUT_MM * PX_PER_MM / 2
    across, down = (
        np.arange(low + inner, high - inner + 1, _STEP_MM * PX_PER_MM) for low, high in ((left, right), (top, bottom))
    )
    places = np.array([(x, y) for x in across for y in down], np.float64).reshape(-1, 2)
    places = places[ask.are_possible(places)]
    places = places[has_foreground(over.seen, ask.view.on_baize(places))]
    return np.asarray(places[_are_free(ask.view, over, places, faces)], np.float64)


def _are_free(view: View, over: Overview, places: Places, faces: Sequence[FaceFit]) -> NDArray[np.bool_]:
    """True for the places (n, 2) that are not of a die that was read and show no marker."""
    free = _are_apart(places, faces)
    free[free] = ~show_markers(view, over, places[free])
    return free


def _apart_from(places: Places, faces: Sequence[FaceFit]) -> Places:
    """The places (n, 2) without those that are of a die that was read."""
    return places[_are_apart(places, faces)]


def _are_apart(places: Places, faces: Sequence[FaceFit]) -> NDArray[np.bool_]:
    """True for the places (n, 2) that are not of a die that was read."""
    apart = np.ones(len(places), bool)
    for face in faces:
        apart &= np.linalg.norm(places - face.middle, axis=1) > OVERLAP * face.edge_px
    return apart


def _widened(boxes: Sequence[Box], others: Sequence[Box]) -> list[Box]:
    """The boxes without those whose middle an earlier one or another holds, so wide that a die beside is in them."""
    around = ABOUT_MM * PX_PER_MM
    chosen: list[Box] = []
    for left, top, right, bottom in boxes:
        middle = (left + right) / 2, (top + bottom) / 2
        if not any(lies_in(box, middle) for box in (*others, *chosen)):
            chosen.append((left - around, top - around, right + around, bottom + around))
    return chosen


def _where_a_die_may_be(ask: Asker, found: Scan, boxes: Sequence[Box]) -> list[Box]:
    """The places in these boxes that the network does not hold for no die, of each the likeliest.

    Looked at are the strongest round marks and the middles between them: the middle of a face is either. Where pips run
    together none is round: there it is near the middle of the box. A die beside the box that was read is not asked
    about: it would be likelier than the one that is looked for. Close to it one pip may be all that is seen of another
    face: there a ring about the middle of the box is looked at, too.
    """
    free = found.spots.only(~are_on_tops(found.spots.at, found.faces))
    around = [np.concatenate((_likely_middles(free, box), _cross(free, box), _ring(box, found.faces))) for box in boxes]
    tries = [_apart_from(places, found.faces) for places in around]
    if not tries:
        return []
    places = np.concatenate(tries)
    none = ask.where_possible(places)[:, 0]
    best = places[_best_of_each(tries, -none, -_SURELY_NONE)]
    return [(float(x), float(y), float(x), float(y)) for x, y in best]


def _best_of_each(tries: Sequence[Places], likely: NDArray[np.floating], least: float) -> NDArray[np.intp]:
    """The index of the likeliest place of each try, among the places of all, where that is likelier than `least`."""
    ends = np.cumsum([len(places) for places in tries])
    parts = [range(end - len(places), end) for places, end in zip(tries, ends.tolist(), strict=True) if len(places)]
    best = [max(part, key=lambda index: float(likely[index])) for part in parts]
    return np.array([index for index in best if likely[index] > least], np.intp)


def _cross(spots: Spots, box: Box) -> Places:
    """The middle (5, 2) of a box and the places a quarter of a usual edge off it, where several strong marks in it are
    long: pips that run together.
    """
    here = _spots_in(spots, box)
    if int(((here.aspect < _LONG) & (here.strength > STRONG)).sum()) < _ROWS:
        return np.zeros((0, 2))
    return np.asarray(_middle(box) + USUAL_MM * PX_PER_MM * _CROSS, np.float64)


def _ring(box: Box, faces: Sequence[FaceFit]) -> Places:
    """The places (n, 2) about the middle of a box, if that is close to a die, at which a face has a pip there."""
    middle = _middle(box)
    if all(math.dist(face.middle, middle) > _CLOSE * face.edge_px for face in faces):
        return np.zeros((0, 2))
    return np.asarray(middle + _PIP_OFF * USUAL_MM * PX_PER_MM * _RING)


def _middle(box: Box) -> NDArray[np.float64]:
    return np.array([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2])


def _likely_middles(spots: Spots, box: Box) -> Places:
    """The places (n, 2) in a box where the middle of a face may be, by its strongest spots."""
    here = _spots_in(spots, box)
    here = here.only(here.aspect > ROUND).strongest(_MARKS)
    one, other = np.triu_indices(len(here), 1)
    near = np.linalg.norm(here.at[one] - here.at[other], axis=1) < ABOUT_MM * PX_PER_MM
    near &= here.light[one] == here.light[other]
    return np.concatenate((here.at, (here.at[one[near]] + here.at[other[near]]) / 2))


def _spots_in(spots: Spots, box: Box) -> Spots:
    """The spots that lie in a box."""
    left, top, right, bottom = box
    x, y = spots.at.T
    return spots.only((x > left) & (x < right) & (y > top) & (y < bottom))
