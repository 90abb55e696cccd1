"""Reads a whole picture, one without a field: a photograph of dice on a table, at any scale, from above or aslant.

The picture is looked at in several sizes, so that in one of them the dice have the size at which faces are looked
for; then drawn out in height, which undoes the foreshortening of a camera that looks down aslant. The look in which
the most is explained is believed.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.capture import Pixels, colour_name, cv2
from vision.foreground import find_die_sized
from vision.network import (
    LIKELY,
    SURE,
    TILTED,
    ClassifiedFace,
    FaceClassifier,
    classify_faces,
    crops,
    keep_surest,
    reclassify_from_aside,
)
from vision.pips import (
    OVERLAP,
    Candidate,
    Edges,
    FaceFit,
    Spots,
    SpotThresholds,
    are_apart,
    find_all_faces,
    find_faces,
    find_pip_spots,
    measure_smear,
)
from vision.reader.refusal import (
    COCKED_SAY,
    SMEARED_SAY,
    confidence_of,
    is_doubtful,
    is_smeared,
    likely_of,
    possible_throws,
    refuse_miscount,
)
from vision.reader.trace import Stage, Trace, stage
from vision.reader.trace_drawing import show_faces
from vision.reading import DieReading, Point, Reading, Reason, read, refused

_EDGES: Edges = (32.0, 76.0)  # pixels, in every size: so the ranges of two sizes overlap
_LEAST_PART = 0.022  # the least edge of a die as a part of the picture's longer side
_SIZES = 5  # each half of the one before
_MOST_LARGER = 2.5  # a picture is not blown up more than this: there is nothing to see
_STRETCHES = (1.2, 1.5)  # a camera 34 and 48 degrees off the vertical
_STRETCHED_SIZES, _WORTH = 2, 0.5  # so many at most are drawn out, which explain this part of what the best one does
_FULL_OF_SPOTS = 300  # where so many lie nothing is gained by drawing it out but time lost
# Stray spots: their least contrast, and that as a part of the contrast of pips that were read; how near to the pips'
# radius, how round, and how far off every die in edges of it.
_STRONG, _CONTRARY, _PIP_LIKE, _ROUND, _REACH = 60.0, 0.6, 1.6, 0.72, 1.3
_LOOK = SpotThresholds((0.3, 0.6), (9, 32, 72), every_colour=True)
_MAY_LEAN = 0.8  # from an unknown place a flat die may show any side
_LEAST_TOLD = 0.5  # no value is told with less confidence: there is no cloth that could speak for it
_GLIMPSE = 0.75  # the network's chance of a value from which on a die that it alone sees is noticed
# A side lies so far across and down from its top at most, in edges, and is by this part darker or lighter.
_SIDE_ACROSS, _SIDE_DOWN, _SIDE_SHADE = 0.45, 1.45, 0.06
_SIDE_COSTS = 4.0  # pips that one side counts against a look
_NEAR = 1.2  # spots of a die lie this near to each other, in edges
_MOST_LIKELY = 80  # candidates that a closer look asks the network about
_SEARCHES = 6  # places about which the network searches
_ELSEWHERE = 2.5  # farther than so many edges from every die lies none of its sides
_CLEARLY_NONE = 0.7  # the chance of no die from which on a thing on a plain table is none
_ABOUT = np.array([(0.0, 0.0), (-0.15, 0.0), (0.15, 0.0), (0.0, -0.15), (0.0, 0.15)])  # in edges
_STEPS = np.arange(-0.45, 0.46, 0.15)

Place = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
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
    def sides(self) -> list[FaceFit]:
        """Faces that lie right below another one and are as dark against it as the side of the same die."""
        return [face for face in self.faces if any(_is_side(face, other) for other in self.faces)]

    def original(self, x: float, y: float) -> Point:
        """The place in the picture; pixel middles, not corners, lie at whole numbers."""
        across, down = self.scale
        return round((x + 0.5) / across - 0.5, 1), round((y + 0.5) / down - 0.5, 1)


def _is_side(face: FaceFit, above: FaceFit) -> bool:
    """True when a face lies so below another, and so unlike it in light, that both may be of one die."""
    across, down = np.abs(face.middle[0] - above.middle[0]), face.middle[1] - above.middle[1]
    edge = max(face.edge_px, above.edge_px)
    dark = float(face.body.sum() / max(above.body.sum(), 1.0))
    return bool(across < _SIDE_ACROSS * edge and 0 < down < _SIDE_DOWN * edge and abs(dark - 1) > _SIDE_SHADE)


def read_whole_picture(
    pixels: Pixels, classify: FaceClassifier, *, expected: int | None = None, trace: Trace | None = None
) -> Reading:
    """Read the dice anywhere in a picture; what cannot be read is a refusal."""
    with stage(trace, Stage.FACES):
        looks = rank_looks(pixels)
    look = looks[0]
    if not look.faces:
        return refused(Reason.NO_DICE, "I see no dice.")
    dice, doubted = classify_faces(classify, look.pixels, look.faces, LIKELY)
    dice = reclassify_from_aside(classify, look.pixels, dice)
    stray = _stray_spots(look.spots, [die.face for die in dice] or look.faces)
    around = [*stray.at, *(face.middle for face in doubted)]
    dice += _look_closer(look, classify, around, dice)
    dice.sort(key=lambda die: float(die.face.middle[0]))
    if trace is not None:
        sure = [die.agreement for die in dice]
        show_faces(trace, look.pixels, look.spots, stray, [die.face for die in dice], sure)
    refusal = _find_refusal(look, dice, _search_by_network(look, classify, around, dice))
    refusal = refusal or _refuse_unexplained(look, classify, dice)
    refusal = refusal or refuse_miscount(dice, expected) or _refuse_unlike_sizes(looks, classify, dice)
    return refusal or read(tuple(_die(look, die) for die in dice))


def _look_closer(
    look: _Look, classify: FaceClassifier, around: Sequence[Place], dice: Sequence[ClassifiedFace]
) -> list[ClassifiedFace]:
    """More dice near these places, with milder demands; the network must be sure of them."""
    if not around:
        return []
    edge = _usual_edge(look.faces)
    near = np.linalg.norm(look.spots.at[:, None] - np.array(around)[None], axis=2).min(axis=1) < _NEAR * edge
    faces = find_all_faces(look.pixels, look.spots.only(near), _EDGES, partial(_likely, look, classify, edge, dice))
    free = [face for face in faces if all(are_apart(face, die.face) for die in dice)]
    return keep_surest(classify_faces(classify, look.pixels, free, SURE)[0])


def _likely(
    look: _Look, classify: FaceClassifier, edge: float, dice: Sequence[ClassifiedFace], tries: list[Candidate]
) -> list[Candidate]:
    """The candidates of whose value the network is not unsure; of very many the clearest are asked about."""
    free = [
        attempt
        for attempt in tries
        if all(math.dist(attempt.middle, die.face.middle) > OVERLAP * die.face.edge_px for die in dice)
    ]
    clear = sorted(free, key=lambda attempt: -len(attempt.spots) * attempt.aspect * attempt.strength)[:_MOST_LIKELY]
    seen = crops(look.pixels, np.array([attempt.middle for attempt in clear]).reshape(-1, 2), np.full(len(clear), edge))
    chances = classify(seen, None)
    return [attempt for attempt, row in zip(clear, chances, strict=True) if row[attempt.value] >= LIKELY]


def _search_by_network(
    look: _Look, classify: FaceClassifier, around: Sequence[Place], dice: Sequence[ClassifiedFace]
) -> tuple[Place, int] | None:
    """A die near one of these places that only the network sees, and its likeliest value.

    What it takes for a leaning die may be the side of one that is read: from an unknown place both look alike.
    """
    edge = _usual_edge(look.faces)
    for place in around[:_SEARCHES]:
        steps = np.array([(x, y) for x in _STEPS for y in _STEPS]) * edge
        places = place + steps
        for die in dice:
            places = places[np.linalg.norm(places - die.face.middle, axis=1) > OVERLAP * die.face.edge_px]
        chances = classify(crops(look.pixels, places, np.full(len(places), edge)), None)
        values = chances[:, 1:TILTED]
        if len(chances) and float(np.max(values)) > _GLIMPSE:
            best, value = np.unravel_index(int(np.argmax(values)), values.shape)
            return places[best], int(value) + 1
    return None


def _refuse_unexplained(look: _Look, classify: FaceClassifier, dice: Sequence[ClassifiedFace]) -> Reading | None:
    """A refusal when something of a die's size was not read as one: on a plain table all but what the network clearly
    takes for no die, else what it takes for one.
    """
    faces = [die.face for die in dice]
    edge = _usual_edge(faces)
    things = find_die_sized(look.pixels, edge, [face.corners for face in faces])
    none = _chances_of_none(look, classify, things.at, edge)
    things = replace(things, at=things.at[none < (_CLEARLY_NONE if things.on_plain else 1 - _GLIMPSE)])
    if not len(things.at):
        return None
    say = "I see something as large as a die that I cannot read: take it away, or say what you threw."
    return refused(Reason.UNEXPLAINED, say, at_px=_at(look, things.at[0]), likely=likely_of(faces))


def _chances_of_none(
    look: _Look, classify: FaceClassifier, places: NDArray[np.float64], edge: float
) -> NDArray[np.float32]:
    """The least chance that no die lies at or about each of these places (n, 2)."""
    about = places[:, None] + _ABOUT * edge
    chances = classify(crops(look.pixels, about.reshape(-1, 2), np.full(about.size // 2, edge)), None)
    return np.asarray(chances[:, 0].reshape(len(places), len(_ABOUT)).min(axis=1), np.float32)


def _usual_edge(faces: Sequence[FaceFit]) -> float:
    return float(np.median([face.edge_px for face in faces]))


def rank_looks(pixels: Pixels) -> list[_Look]:
    """Looks of several sizes and stretches; that which explains the most comes first."""
    looks = sorted((_look(pixels, scale, 1.0) for scale in _scales(pixels)), key=lambda look: -look.explained)
    worth = [
        look for look in looks if look.explained >= _WORTH * looks[0].explained and len(look.spots) < _FULL_OF_SPOTS
    ]
    for look in worth[:_STRETCHED_SIZES]:
        looks += [_look(pixels, look.scale[0], stretch) for stretch in _STRETCHES]
    return sorted(looks, key=lambda look: -look.explained)


def _refuse_unlike_sizes(
    looks: Sequence[_Look], classify: FaceClassifier, dice: Sequence[ClassifiedFace]
) -> Reading | None:
    """A refusal when only another look than the first shows some die: it is much nearer or farther."""
    known = np.array([_at(looks[0], die.face.middle) for die in dice])
    reach = _ELSEWHERE * _usual_edge([die.face for die in dice]) / looks[0].scale[0]
    for look in looks[1:]:
        for die in classify_faces(classify, look.pixels, look.faces, SURE)[0]:
            place = _at(look, die.face.middle)
            if die.agreement >= SURE and float(np.linalg.norm(known - place, axis=1).min()) > reach:
                say = "The dice look too unlike in size: look from straight above."
                return refused(Reason.UNSURE, say, at_px=place, likely=likely_of([die.face for die in dice]))
    return None


def _scales(pixels: Pixels) -> list[float]:
    longer = max(pixels.shape[:2])
    largest = _EDGES[0] / (_LEAST_PART * longer)
    scales = [largest / 2**step for step in range(_SIZES)]
    return [scale for scale in scales if scale <= _MOST_LARGER] or scales[-1:]


def _look(pixels: Pixels, scale: float, stretch: float) -> _Look:
    height, width = pixels.shape[:2]
    size = (max(1, round(width * scale)), max(1, round(height * scale * stretch)))
    way = cv2.INTER_AREA if scale * stretch < 1 else cv2.INTER_CUBIC
    view = np.asarray(cv2.resize(pixels, size, interpolation=way), np.uint8)
    spots = find_pip_spots(view, _EDGES, _LOOK)
    faces = sorted(find_faces(view, spots, _EDGES), key=lambda face: float(face.middle[0]))
    return _Look((size[0] / width, size[1] / height), view, spots, tuple(faces))


def _find_refusal(
    look: _Look, dice: Sequence[ClassifiedFace], network_only: tuple[Place, int] | None
) -> Reading | None:
    likely = likely_of([die.face for die in dice])
    smeared = next((die.face for die in dice if is_smeared(die.face, measure_smear(look.pixels, die.face))), None)
    if smeared is not None:
        return refused(Reason.MOVING, SMEARED_SAY, at_px=_at(look, smeared.middle), likely=likely)
    tilted = next((die.face for die in dice if die.tilt_chance > _MAY_LEAN), None)
    if tilted is not None:
        return refused(Reason.COCKED, COCKED_SAY, at_px=_at(look, tilted.middle), likely=likely)
    if network_only is not None:
        place, value = network_only
        rest = likely[0] if likely else ()
        say = "I cannot make out one die: say what you threw, or throw again."
        return refused(Reason.UNSURE, say, at_px=_at(look, place), likely=(tuple(sorted((*rest, value))),))
    side = next(iter(look.sides), None)
    if side is not None:
        say = "I cannot tell the top of a die from its side: look from straight above."
        return refused(Reason.UNSURE, say, at_px=_at(look, side.middle), likely=likely)
    doubt = next((die for die in dice if is_doubtful(die, look.spots) or _confidence(look, die) < _LEAST_TOLD), None)
    if doubt is not None:
        say = "I am not sure of one die: say what you threw."
        return refused(Reason.UNSURE, say, at_px=_at(look, doubt.face.middle), likely=possible_throws(dice, doubt))
    return None if dice else refused(Reason.NO_DICE, "I see no dice.")


def _at(look: _Look, place: Place) -> Point:
    return look.original(float(place[0]), float(place[1]))


def _stray_spots(spots: Spots, faces: Sequence[FaceFit]) -> Spots:
    """Spots like the pips that were read which belong to no die that was read."""
    usual = float(np.median([face.pip_px for face in faces]))
    least = min([_STRONG, *(_CONTRARY * face.strength for face in faces)])
    keep = (spots.strength > least) & (spots.aspect > _ROUND)
    keep &= (spots.radius > usual / _PIP_LIKE) & (spots.radius < usual * _PIP_LIKE)
    for face in faces:
        keep &= np.linalg.norm(spots.at - face.middle, axis=1) > _REACH * face.edge_px
    return spots.only(keep)


def _die(look: _Look, die: ClassifiedFace) -> DieReading:
    colour = colour_name(die.face.body)
    return DieReading(die.face.value, _at(look, die.face.middle), _confidence(look, die), colour, die.next_likely)


def _confidence(look: _Look, die: ClassifiedFace) -> float:
    return confidence_of(die, die.tilt_chance, measure_smear(look.pixels, die.face))
