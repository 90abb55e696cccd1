"""Scans the field for dice: reads its regions, looks again where something is unexplained, and sums up what lies there.

Nothing is refused here: `refusal` decides by what the scan found.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.field import PX_PER_MM, Box, Places, View
from vision.foreground import (
    RIM_MM,
    Overview,
    Survey,
    UnexplainedThing,
    box_about,
    find_regions,
    find_unexplained,
    find_unexplained_marks,
    has_foreground,
    look_outside_field,
    measure_overhangs,
)
from vision.network import (
    LIKELY,
    SURE,
    TILTED,
    ClassifiedFace,
    FaceClassifier,
    StanceClassifier,
    keep_surest,
    split_by_agreement,
    stances_of,
)
from vision.pips import (
    BESIDE_LOOK,
    CLOSER_LOOK,
    FIRST_LOOK,
    OVERLAP,
    FaceFit,
    Spots,
    are_apart,
    join_spots,
    measure_smear,
)
from vision.reader.region import Region, find_firm_faces, find_likely_faces, read_region, show_markers
from vision.reading import Point

_AROUND_MM = 16.0  # a closer look goes this far beyond what is not explained
_FLAT = 0.1  # chance of not lying flat below which a die lies flat
_GLIMPSE = 0.5  # ... and that a place is a die at all for being noticed
_SAME_PX = 6.0  # spots nearer to each other are one, seen twice
_SEARCHES, _STEP_MM, _MOST_PLACES = 3, 2.5, 240  # boxes that the network searches, in which steps, and places in all
_MARKS, _SURELY_NONE = 5, 0.8  # marks of a box that are asked about; the chance of no die above which there is none
_CLOSER_LOOKS = 6  # places at most that are looked at again: each takes time, and what is left over is refused
HAND_MM2 = 2500.0  # what is larger than this and comes from outside is a hand
_BESIDE_MM = 8.0  # the top of a die at the wall is seen this far outside the baize
_REACH = 1.1  # a die's own side pips lie within this many edges of its middle
_MARK = 40.0  # contrast of a mark that must be explained
_SEVERAL = 3  # strong round marks beside the baize that may be pips
_STRONG, _CONTRARY = 60.0, 0.6  # contrast of spots that only a die has; part of the contrast of pips that were read
PIP_LIKE = 2.0  # pips of the dice of one throw differ in radius by less than this factor
ROUND = 0.72  # the least aspect of a spot that is taken for a pip on its own


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """Everything that was found, in view pixels: what is no die is kept too, for it may be a reason to refuse.

    `dice` from left to right, how much sticks out beside each (mm2), `overhangs`, the chance of each that it does not
    lie flat, `leaning`, and how much each is smeared, `smears` (see `measure_smear`); all `spots`; the `stray` ones,
    which look like pips and belong to no face; the `things` that are no dice, largest first, and the boxes of `marks`
    that are too thin for one; and where the network alone sees a die, `network_only` with the likeliest value of each
    (0: one that does not lie flat).
    """

    dice: tuple[ClassifiedFace, ...]
    overhangs: tuple[float, ...]
    spots: Spots
    stray: Spots
    things: tuple[UnexplainedThing, ...]
    network_only: tuple[tuple[Point, int], ...] = ()
    leaning: tuple[float, ...] = ()
    smears: tuple[float, ...] = ()
    marks: tuple[Box, ...] = ()

    @property
    def faces(self) -> tuple[FaceFit, ...]:
        """The faces of the dice."""
        return tuple(die.face for die in self.dice)


def scan(view: View, over: Overview, classify: FaceClassifier, stance: StanceClassifier) -> Scan:
    """Find the dice of a field, and measure of each whether it lies flat.

    Every face is read twice, by its pips and by the network. What the network finds improbable is not believed
    but looked at again; then the network must be sure of it.
    """
    found = _find_dice(view, over, classify)
    leaning = stance(stances_of(view, found.faces)).tolist()
    dice = (die.as_flat() if chance < _FLAT else die for die, chance in zip(found.dice, leaning, strict=True))
    smears = tuple(_smear(view, face) for face in found.faces)
    return replace(found, dice=tuple(dice), leaning=tuple(leaning), smears=smears)


def _smear(view: View, face: FaceFit) -> float:
    part = view.cut_out((*(face.middle - face.edge_px), *(face.middle + face.edge_px)))
    return measure_smear(part.pixels, face.moved(-np.array([part.left, part.top], np.float64)))


def _find_dice(view: View, over: Overview, classify: FaceClassifier) -> Scan:
    """Find dice everywhere; where something is left unexplained look once more, closer, with milder demands."""
    seen = over.seen
    beside = look_outside_field(view)
    outside = beside.boxes + _boxes_of_lone_pips(view, classify, beside.alone)
    looks = [(box, FIRST_LOOK) for box in find_regions(seen)] + [(box, BESIDE_LOOK) for box in outside]
    regions = [read_region(view, over, box, find_firm_faces, look) for box, look in looks]
    boxes = [box for box, _ in looks]
    firm, doubted = _classify(view, classify, [face for region in regions for face in region.faces], LIKELY)
    found = _account_for(view, seen, firm, regions)
    read = zip(boxes, regions, strict=True)
    empty = [box for box, region in read if _is_empty(view, box, region, found.faces, beside.crowds)]
    again = _unexplained_boxes(view, classify, found, doubted, empty)
    if not again:
        return _drop_specks(view, found)
    milder = partial(find_likely_faces, view, classify)
    closer = [read_region(view, over, box, milder, CLOSER_LOOK) for box in again]
    sure, _ = _classify(view, classify, [face for region in closer for face in region.faces], SURE)
    found = _account_for(view, seen, firm + keep_surest(sure), regions + closer)
    network_only = _search_by_network(
        view, over, classify, _unexplained_boxes(view, classify, found, doubted, empty), found.faces
    )
    return _drop_specks(view, replace(found, network_only=network_only))


def _boxes_of_lone_pips(view: View, classify: FaceClassifier, alone: Places) -> list[Box]:
    """The boxes of marks that lie alone beside the field and look like the pip of a 1: most are knots in the wood."""
    chances = classify(view.crops(alone), view.slopes(alone))
    return [box_about(place) for place, row in zip(alone, chances, strict=True) if row[0] < 1 - _GLIMPSE]


def _classify(
    view: View, classify: FaceClassifier, faces: list[FaceFit], least: float
) -> tuple[list[ClassifiedFace], list[FaceFit]]:
    """The faces of the view, as `split_by_agreement` divides them."""
    places = np.array([face.middle for face in faces]).reshape(-1, 2)
    chances = classify(view.crops(places), view.slopes(places))
    return split_by_agreement([ClassifiedFace(face, row) for face, row in zip(faces, chances, strict=True)], least)


def _search_by_network(
    view: View, over: Overview, classify: FaceClassifier, boxes: Sequence[Box], faces: Sequence[FaceFit]
) -> tuple[tuple[Point, int], ...]:
    """The dice that only the network sees, in boxes in which something is left; what shows a marker is none."""
    tries = [_places_to_search(view, over, box, faces) for box in boxes[:_SEARCHES]]
    step = 1 + sum(map(len, tries)) // _MOST_PLACES
    tries = [places[::step] for places in tries if len(places)]
    if not tries:
        return ()
    places = np.concatenate(tries)
    chances = classify(view.crops(places), view.slopes(places))
    # Beyond the wall a numeral or a knot may look like a die that leans: there it must show a value.
    likely = np.where(_near_baize(view, places), 1 - chances[:, 0], chances[:, 1:TILTED].max(axis=1))
    found, first = [], 0
    for part in tries:
        best = first + int(np.argmax(likely[first : first + len(part)]))
        first += len(part)
        if likely[best] > _GLIMPSE:
            value = int(np.argmax(chances[best, 1:])) + 1
            found.append(((float(places[best, 0]), float(places[best, 1])), value % TILTED))
    return tuple(found)


def _places_to_search(view: View, over: Overview, box: Box, faces: Sequence[FaceFit]) -> Places:
    """The places (n, 2) in the middle of a box where a die may be that was not read."""
    left, top, right, bottom = box
    inner = _AROUND_MM * PX_PER_MM / 2
    across, down = (
        np.arange(low + inner, high - inner + 1, _STEP_MM * PX_PER_MM) for low, high in ((left, right), (top, bottom))
    )
    places = np.array([(x, y) for x in across for y in down], np.float64).reshape(-1, 2)
    places = places[has_foreground(over.seen, view.on_baize(places))]
    for face in faces:
        places = places[np.linalg.norm(places - face.middle, axis=1) > OVERLAP * face.edge_px]
    return places[~show_markers(view, over, places)]


def _near_baize(view: View, places: Places) -> NDArray[np.bool_]:
    """True for the places (n, 2) on the baize or so little beside it that a die there stands at the wall."""
    left, top, right, bottom = view.baize
    beside = _BESIDE_MM * PX_PER_MM
    x, y = places[:, 0], places[:, 1]
    return np.asarray((x > left - beside) & (x < right + beside) & (y > top - beside) & (y < bottom + beside))


def _drop_specks(view: View, found: Scan) -> Scan:
    """The scan without stray spots near which the network sees nothing, where they lie alone or beside the baize.

    They are wood, paint or fluff.
    """
    at = found.stray.at
    on_baize, far = view.on_baize(at), np.array([view.field.width_mm, view.field.depth_mm])
    inside = np.all((on_baize > RIM_MM) & (on_baize < far - RIM_MM), axis=1)
    keep = np.zeros(len(at), bool)
    for index, place in enumerate(at):
        away = np.linalg.norm(at - place, axis=1)
        near = inside & (away < _AROUND_MM * PX_PER_MM) & (away > _SAME_PX)
        network_only = any(math.dist(place, there) < _AROUND_MM * PX_PER_MM for there, _ in found.network_only)
        keep[index] = network_only or (inside[index] and near.any())
    return replace(found, stray=found.stray.only(keep))


def _account_for(view: View, seen: Survey, found: Sequence[ClassifiedFace], regions: Sequence[Region]) -> Scan:
    dice: list[ClassifiedFace] = []
    for die in sorted(found, key=lambda die: (-len(die.face.spots) * die.agreement, -die.face.quality)):
        if all(are_apart(die.face, other.face) for other in dice):
            dice.append(die)
    dice.sort(key=lambda die: float(die.face.middle[0]))
    faces = [die.face for die in dice]
    outlines = [_footprint(view, face) for face in faces]
    things = find_unexplained(view, seen, outlines)
    stray = _stray_spots(view, join_spots([region.beside for region in regions]), faces)
    beside = measure_overhangs(seen, outlines)
    marks = tuple(find_unexplained_marks(seen, outlines))
    spots = join_spots([region.spots for region in regions])
    return Scan(tuple(dice), beside, spots, stray, tuple(things), marks=marks)


def _footprint(view: View, face: FaceFit) -> Places:
    """The outline (8, 2) on the baize in mm of what a flat die with this top face hides."""
    return np.concatenate((view.on_baize(face.corners), view.at_mm(face.corners)))


def _is_empty(view: View, box: Box, region: Region, faces: Sequence[FaceFit], crowds: Places) -> bool:
    """True when strong marks lie in a box without a face: on the baize one, for a body of the cloth's colour may bear
    it; beside it several round ones or a crowd of any, for wood has marks of its own.
    """
    if any(box[0] < face.middle[0] < box[2] and box[1] < face.middle[1] < box[3] for face in faces):
        return False
    if ((crowds > box[:2]) & (crowds < box[2:])).all(axis=1).any():
        return True
    left, top, right, bottom = view.baize
    x, y = region.beside.at[:, 0], region.beside.at[:, 1]
    on_baize = (x > left) & (x < right) & (y > top) & (y < bottom)
    round_ones = (region.beside.strength > _STRONG) & (region.beside.aspect > ROUND)
    return bool((on_baize & (region.beside.strength > _MARK)).any()) or int(round_ones.sum()) >= _SEVERAL


def _unexplained_boxes(
    view: View, classify: FaceClassifier, found: Scan, doubted: Sequence[FaceFit], empty: Sequence[Box]
) -> list[Box]:
    """The boxes about what no face explains, and about faces that are doubted: worth a closer look.

    What is no cloth always is; spots alone are where the network does not hold a die for impossible.
    """
    open_doubts = [face.middle for face in doubted if all(are_apart(face, other) for other in found.faces)]
    certain: list[Box] = [(float(x), float(y), float(x), float(y)) for x, y in open_doubts]
    certain += [thing.box for thing in found.things if thing.area_mm2 < HAND_MM2]
    certain += found.marks
    faint = [
        box for box in empty if not any(_lies_in(box, (float(x), float(y))) for x, y in _middles(found.faces).tolist())
    ]
    faint += [(x, y, x, y) for x, y in found.stray.at[np.argsort(-found.stray.strength)].tolist()]
    looked_at = _widened(certain, [])
    doubtful = _where_a_die_may_be(view, classify, found.spots, _widened(faint, looked_at))
    return (looked_at + _widened(doubtful, looked_at))[:_CLOSER_LOOKS]


def _widened(boxes: Sequence[Box], others: Sequence[Box]) -> list[Box]:
    """The boxes without those whose middle an earlier one or another holds, so wide that a die beside is in them."""
    around = _AROUND_MM * PX_PER_MM
    chosen: list[Box] = []
    for left, top, right, bottom in boxes:
        middle = (left + right) / 2, (top + bottom) / 2
        if not any(_lies_in(box, middle) for box in (*others, *chosen)):
            chosen.append((left - around, top - around, right + around, bottom + around))
    return chosen


def _where_a_die_may_be(view: View, classify: FaceClassifier, spots: Spots, boxes: Sequence[Box]) -> list[Box]:
    """The places in these boxes that the network does not hold for no die, of each the likeliest.

    Looked at are the strongest marks and the middles between them: the middle of a face is either.
    """
    tries = [_likely_middles(spots, box) for box in boxes]
    if not tries:
        return []
    places, which = np.concatenate(tries), np.repeat(np.arange(len(tries)), [len(each) for each in tries])
    none = classify(view.crops(places), view.slopes(places))[:, 0]
    may = np.flatnonzero(none < _SURELY_NONE)
    best = {int(which[index]): index for index in may[np.argsort(-none[may])]}
    return [(x, y, x, y) for _, index in sorted(best.items()) for x, y in [places[index].tolist()]]


def _likely_middles(spots: Spots, box: Box) -> Places:
    """The places (n, 2) in a box where the middle of a face may be, by its strongest spots."""
    left, top, right, bottom = box
    x, y = spots.at.T
    inside = (x > left) & (x < right) & (y > top) & (y < bottom)
    here = spots.only(inside & (spots.aspect > ROUND)).strongest(_MARKS)
    one, other = np.triu_indices(len(here), 1)
    near = np.linalg.norm(here.at[one] - here.at[other], axis=1) < _AROUND_MM * PX_PER_MM
    near &= here.light[one] == here.light[other]
    return np.concatenate((here.at, (here.at[one[near]] + here.at[other[near]]) / 2))


def _middles(faces: Sequence[FaceFit]) -> Places:
    return np.array([face.middle for face in faces]).reshape(-1, 2)


def _lies_in(box: Box, place: Point) -> bool:
    left, top, right, bottom = box
    return left <= place[0] <= right and top <= place[1] <= bottom


def _stray_spots(view: View, spots: Spots, faces: Sequence[FaceFit]) -> Spots:
    """The strong round spots that belong to no die that was read: there may be another one."""
    least = min([_STRONG, *(_CONTRARY * face.strength for face in faces)])
    keep = (spots.strength > least) & (spots.aspect > ROUND)
    keep &= _near_baize(view, spots.at)
    for face in faces:
        keep &= np.linalg.norm(spots.at - face.middle, axis=1) > _REACH * face.edge_px
    if faces:
        usual = float(np.median([face.pip_px for face in faces]))
        keep &= (spots.radius > usual / PIP_LIKE) & (spots.radius < usual * PIP_LIKE)
    return spots.only(keep)
