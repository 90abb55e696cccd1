"""Decide where to look again: where an unread die may lie, by what is unexplained and by the network."""

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.capture.arrays import Flags, Places, Real
from vision.field.view import PX_PER_MM, Box, View
from vision.foreground.bodies import find_dim_bodies
from vision.foreground.survey import Overview, Survey
from vision.foreground.unexplained import has_foreground
from vision.network.classified import TILTED, Chances, ClassifiedFace, keep_surest
from vision.pips.face_check import FaceFit
from vision.pips.search import BESIDE_LOOK, OVERLAP, are_apart, fit_face
from vision.pips.spots import Spots
from vision.reader.region import EDGES, Asker, Region, holds_any, lies_in, near_baize, show_markers
from vision.reader.scan import ABOUT_MM, HAND_MM2, ROUND, STRONG, USUAL_MM, Scan, are_on_tops, footprint
from vision.reading import Point

_CLOSER_LOOKS = 6  # most places for a closer look: each takes time, and anything left over is refused
_MARKS, _SURELY_NONE = 5, 0.8  # most marks of a box that are classified; above this chance of no die there is none
_GLIMPSE = 0.5  # above this chance of any die the network has seen one
# Least chances of a die at a place of the map. Where the map finds it likely the first is enough: with the map's first
# weights this accepted none of 485 other places of 530 pictures and 180 of 198 dice that neither spots nor foreground
# had shown; in compressed or darkened path-traced pictures it accepted 6 other places. Where the map finds it half
# likely the second applies, mostly to a dark die smeared beside others; where less likely, the second applies to a
# value: this accepts 1 other place in 963 such pictures, and dark dice that touch others. Above the third chance of no
# die the place is not examined.
_MAPPED, _SHOWN, _SURELY_NOT = 0.6, 0.8, 0.98
_HALF_LIKELY = 0.4  # with 0.2 no more dark dice are found in 600 throws with one, and one throw in 505 is refused
_MOST_MAPPED = 10  # most places of the map that are classified
_SEARCHES, _STEP_MM, _MOST_PLACES = 3, 2.5, 240  # most boxes searched by the network, its steps, most places in all
# Edges from the middle of a face to a pip in its corner; and to the nearest pip of a die that touches it.
_PIP_OFF, _CLOSE = 0.35, 1.0
_TURNS = np.arange(8) * math.pi / 4
_RING = np.column_stack((np.cos(_TURNS), np.sin(_TURNS)))
# Pips that run together are long marks, a 6 has two rows of them; the middle of the face is searched at these offsets,
# in edges, from that of the box.
_LONG, _ROWS = 0.6, 2
_CROSS = 0.25 * np.array([(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)])
_NEARBY = 3.0 * PX_PER_MM * np.concatenate((np.zeros((1, 2)), _RING))  # around the middle of a mostly unread thing
_LATTICE = 0.9  # least chance from the network for the value that the lattice shows
_LATTICE_EDGES = 1.5  # usual edges around a place that are cut out for the lattice
_SEEN_BESIDE = 1.4  # times the least contrast of spots beside the baize
_MARK = 40.0  # contrast of a mark that must be explained
_SEVERAL = 3  # strong round marks beside the baize that may be pips


def unexplained_boxes(
    seen: Survey, ask: Asker, found: Scan, doubted: Sequence[FaceFit], glimpsed: Places, empty: Sequence[Box]
) -> list[Box]:
    """Return the boxes worth a closer look: around foreground that no face explains, doubted faces, places `glimpsed`
    (n, 2) where the network saw a die, and dim things that look like dice.

    Foreground is always worth it; mere spots only where the network considers a die possible.
    """
    faces = found.faces
    open_doubts = [face.middle for face in doubted if all(are_apart(face, other) for other in faces)]
    certain: list[Box] = [(float(x), float(y), float(x), float(y)) for x, y in open_doubts]
    certain += [(x, y, x, y) for x, y in _apart_from(glimpsed, faces).tolist()]
    certain += [thing.box for thing in found.things if thing.area_mm2 < HAND_MM2]
    # Dim bodies come last, since they give only a place.
    certain += [(x, y, x, y) for x, y in _dim_dice(seen, ask, faces)]
    faint = [box for box in empty if not any(lies_in(box, face.middle) for face in faces)]
    faint += [(x, y, x, y) for x, y in found.stray.at[np.argsort(-found.stray.strength)].tolist()]
    open_places = _apart_from(ask.mapped.possible, faces)
    looked_at = [box for box in _widened(certain, []) if holds_any(box, open_places)]
    doubtful = _where_a_die_may_be(ask, found, _widened(faint, looked_at))
    return (looked_at + _widened(doubtful, looked_at))[:_CLOSER_LOOKS]


def _dim_dice(seen: Survey, ask: Asker, faces: Sequence[FaceFit]) -> list[tuple[float, float]]:
    """Return the places apart from dice where something dim is as large as a die, and is one to the network."""
    bodies = ask.view.over_baize(find_dim_bodies(seen, [footprint(ask.view, face) for face in faces]))
    return _seen_about(ask, bodies, faces, lambda _, chances: 1 - chances[:, 0])


def _seen_about(
    ask: Asker,
    bodies: Places,
    faces: Sequence[FaceFit],
    likely: Callable[[Places, Chances], Chances],
    least: float = _GLIMPSE,
) -> list[tuple[float, float]]:
    """Return the likeliest place of a die about each of these bodies (their middles), without dice already read."""
    tries = [_apart_from(body + _NEARBY, faces) for body in bodies]
    places = np.concatenate([np.zeros((0, 2)), *tries])
    chances = ask.where_possible(places)
    return [(float(x), float(y)) for x, y in places[_best_of_each(tries, likely(places, chances), least)]]


def search_by_network(over: Overview, ask: Asker, boxes: Sequence[Box], found: Scan) -> tuple[tuple[Point, int], ...]:
    """Return the dice that only the network sees, in boxes in which something is left; markers are left out."""
    searched, tries = boxes[:_SEARCHES], []
    inner = ABOUT_MM * PX_PER_MM / 2
    for left, top, right, bottom in searched:
        across, down = (
            np.arange(low + inner, high - inner + 1, _STEP_MM * PX_PER_MM)
            for low, high in ((left, right), (top, bottom))
        )
        grid = np.array([(x, y) for x in across for y in down], np.float64).reshape(-1, 2)
        grid = grid[ask.are_possible(grid)]
        grid = grid[has_foreground(over.seen, ask.view.on_baize(grid))]
        tries.append(np.asarray(grid[_are_free(ask.view, over, grid, found.faces)], np.float64))
    step = 1 + sum(map(len, tries)) // _MOST_PLACES
    # Steps may miss the middle of a die: stray pips, one of which may be a 1, and middles of boxes, where the network
    # saw a die before, are classified too.
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
    """Return the dice that map and network see on markers and their paper, apart from those that were read.

    A die that covers only the paper leaves the marker visible, which then explains its pips.
    """
    likely = _apart_from(ask.mapped.likely, faces)
    on_markers = likely[show_markers(ask.view, over, likely)]
    places = np.array(_seen_about(ask, on_markers, faces, partial(_likely_dice, ask.view), _MAPPED)).reshape(-1, 2)
    return _with_values(places, ask(places))


def _with_values(places: Places, chances: Chances) -> tuple[tuple[Point, int], ...]:
    """Return the places (n, 2), each with its likeliest value by the chances (n, 8); 0: it does not lie flat."""
    values = (chances[:, 1:].argmax(axis=1) + 1) % TILTED
    return tuple(((float(x), float(y)), int(value)) for (x, y), value in zip(places, values, strict=True))


def fit_lattices(ask: Asker, network_only: Sequence[tuple[Point, int]], found: Scan) -> list[ClassifiedFace]:
    """Return the dice among those that only the network sees whose lattice shows the same value at the same place.

    Their pips must stand out so much that those of such a die beside the baize would be seen as well.
    """
    faces, view = found.faces, ask.view
    usual = float(np.median([face.edge_px for face in faces])) if faces else USUAL_MM * PX_PER_MM
    reach, alike = _LATTICE_EDGES * usual, []
    for place, value in network_only:
        if value == 0:
            continue
        x, y = place
        part = view.cut_out((x - reach, y - reach, x + reach, y + reach))
        corner = np.array([part.left, part.top], np.float64)
        fit = fit_face(part.pixels, np.array(place) - corner, usual, EDGES)
        face = None if fit is None else fit.moved(corner)
        if (
            face is not None
            and face.value == value
            and face.strength > _SEEN_BESIDE * min(BESIDE_LOOK.contrasts)
            and math.dist(face.middle, place) < OVERLAP * face.edge_px
        ):
            alike.append(face)
    chances = ask(np.array([face.middle for face in alike]).reshape(-1, 2))
    dice = [ClassifiedFace(face, row) for face, row in zip(alike, chances, strict=True)]
    return [
        die
        for die in keep_surest(dice)
        if die.agreement > _LATTICE and all(are_apart(die.face, face) for face in faces)
    ]


def see_on_map(over: Overview, ask: Asker, faces: Sequence[FaceFit]) -> Places:
    """Return the places (n, 2) shown by the map where the network sees a die, apart from read dice and markers."""
    mapped = ask.mapped
    free = np.flatnonzero(_are_free(ask.view, over, mapped.places, faces))[:_MOST_MAPPED]
    places, chances, likely = mapped.places[free], mapped.chances[free], mapped.are_likely[free]
    # Most of the others are surely no dice at their own place: their surroundings are not classified.
    open_ones, half_likely = ~likely & (ask(places)[:, 0] < _SURELY_NOT), chances > _HALF_LIKELY
    is_die = partial(_likely_dice, ask.view)
    seen = [
        *_seen_about(ask, places[likely], faces, is_die, _MAPPED),
        *_seen_about(ask, places[open_ones & half_likely], faces, is_die, _SHOWN),
        *_seen_about(ask, places[open_ones & ~half_likely], faces, _shows_value, _SHOWN),
    ]
    return np.array(seen, np.float64).reshape(-1, 2)


def _shows_value(_: Places, chances: Chances) -> Chances:
    """Return the chance (n) of the likeliest value at each place."""
    return np.asarray(chances[:, 1:TILTED].max(axis=1, initial=0.0), np.float32)


def _likely_dice(view: View, places: Places, chances: Chances) -> Chances:
    # Beyond the wall a numeral or a knot may look like a leaning die: there it must show a value.
    return np.where(near_baize(view, places), 1 - chances[:, 0], _shows_value(places, chances))


def is_empty(view: View, box: Box, region: Region, faces: Sequence[FaceFit]) -> bool:
    """Return True when a box without a face holds strong marks: on the baize one is enough, for a body of the cloth's
    colour may bear it; beside it several round ones, for wood has marks of its own.
    """
    if any(lies_in(box, face.middle) for face in faces):
        return False
    left, top, right, bottom = view.baize
    x, y = region.beside.at[:, 0], region.beside.at[:, 1]
    on_baize = (x > left) & (x < right) & (y > top) & (y < bottom)
    round_ones = (region.beside.strength > STRONG) & (region.beside.aspect > ROUND)
    return bool((on_baize & (region.beside.strength > _MARK)).any()) or int(round_ones.sum()) >= _SEVERAL


def _are_free(view: View, over: Overview, places: Places, faces: Sequence[FaceFit]) -> Flags:
    """Return which of the places (n, 2) belong to no read die and to no marker."""
    free = _are_apart(places, faces)
    free[free] = ~show_markers(view, over, places[free])
    return free


def _apart_from(places: Places, faces: Sequence[FaceFit]) -> Places:
    return places[_are_apart(places, faces)]


def _are_apart(places: Places, faces: Sequence[FaceFit]) -> Flags:
    """Return which of the places (n, 2) belong to no read die."""
    apart = np.ones(len(places), bool)
    for face in faces:
        apart &= np.linalg.norm(places - face.middle, axis=1) > OVERLAP * face.edge_px
    return apart


def _widened(boxes: Sequence[Box], others: Sequence[Box]) -> list[Box]:
    """Return the boxes, widened to hold a die beside them, whose middle no earlier box and none of `others` holds."""
    around = ABOUT_MM * PX_PER_MM
    chosen: list[Box] = []
    for left, top, right, bottom in boxes:
        middle = (left + right) / 2, (top + bottom) / 2
        if not any(lies_in(box, middle) for box in (*others, *chosen)):
            chosen.append((left - around, top - around, right + around, bottom + around))
    return chosen


def _where_a_die_may_be(ask: Asker, found: Scan, boxes: Sequence[Box]) -> list[Box]:
    """Return the likeliest place in each of these boxes, unless the network is sure that there is no die.

    Candidates are the strongest round marks and the midpoints between them: the middle of a face is either. Where pips
    run together none is round: then it is near the middle of the box. A read die beside the box is left out, because it
    would be likelier than the one that is searched. Close to it a single pip may be all that shows of another face:
    then a ring around the middle of the box is tried too.
    """
    free = found.spots.only(~are_on_tops(found.spots.at, found.faces))
    around = [_possible_middles(free, box, found.faces) for box in boxes]
    tries = [_apart_from(places, found.faces) for places in around]
    if not tries:
        return []
    places = np.concatenate(tries)
    none = ask.where_possible(places)[:, 0]
    best = places[_best_of_each(tries, -none, -_SURELY_NONE)]
    return [(float(x), float(y), float(x), float(y)) for x, y in best]


def _best_of_each(tries: Sequence[Places], likely: NDArray[np.floating], least: float) -> NDArray[np.intp]:
    """Return the index among all places of the likeliest place of each try, where it is likelier than `least`."""
    ends = np.cumsum([len(places) for places in tries])
    parts = [range(end - len(places), end) for places, end in zip(tries, ends.tolist(), strict=True) if len(places)]
    best = [max(part, key=lambda index: float(likely[index])) for part in parts]
    return np.array([index for index in best if likely[index] > least], np.intp)


def _possible_middles(spots: Spots, box: Box, faces: Sequence[FaceFit]) -> Places:
    """Return the places (n, 2) in a box where a face may have its middle, by the strongest spots and by the box."""
    here = _spots_in(spots, box)
    strong = here.only(here.aspect > ROUND).strongest(_MARKS)
    one, other = np.triu_indices(len(strong), 1)
    near = np.linalg.norm(strong.at[one] - strong.at[other], axis=1) < ABOUT_MM * PX_PER_MM
    near &= strong.light[one] == strong.light[other]
    places = [strong.at, (strong.at[one[near]] + strong.at[other[near]]) / 2]
    middle = _middle(box)
    if int(((here.aspect < _LONG) & (here.strength > STRONG)).sum()) >= _ROWS:
        places.append(middle + USUAL_MM * PX_PER_MM * _CROSS)
    # Close to a die, a face has a pip in the middle of the box.
    if any(math.dist(face.middle, middle) <= _CLOSE * face.edge_px for face in faces):
        places.append(middle + _PIP_OFF * USUAL_MM * PX_PER_MM * _RING)
    return np.concatenate(places)


def _middle(box: Box) -> Real:
    return np.array([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2])


def _spots_in(spots: Spots, box: Box) -> Spots:
    left, top, right, bottom = box
    x, y = spots.at.T
    return spots.only((x > left) & (x < right) & (y > top) & (y < bottom))
