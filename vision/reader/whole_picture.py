"""Reads a whole picture, one without a field: a photograph of dice on a table, at any scale, from above or aslant.

The picture is looked at in several sizes, so that in one of them the dice have the size at which faces are looked
for; then drawn out in height, which undoes the foreshortening of a camera that looks down aslant. The look in which
the most is explained is believed.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.capture import Pixels, colour_name
from vision.foreground import DieSized, find_die_sized
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
    FaceFit,
    Spots,
    are_apart,
    find_all_faces,
    fit_face,
    measure_smear,
)
from vision.reader.looks import EDGES, Look, Place, pool_dice, rank_looks, usual_edge
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

# Stray spots: their least contrast, and that as a part of the contrast of pips that were read; how near to the pips'
# radius, how round, and how far off every die in edges of it.
_STRONG, _CONTRARY, _PIP_LIKE, _ROUND, _REACH = 60.0, 0.6, 1.6, 0.72, 1.3
_MAY_LEAN = 0.8  # from an unknown place a flat die may show any side
_LEAST_TOLD = 0.5  # no value is told with less confidence: there is no cloth that could speak for it
_GLIMPSE = 0.75  # the network's chance of a value from which on a die that it alone sees is noticed
_NEAR = 1.2  # spots of a die lie this near to each other, in edges
_MOST_LIKELY = 80  # candidates that a closer look asks the network about
_USUAL_PITCH = 0.25  # of the edge: pitch of the pips
_FITTED = (0.85, 1.0, 1.15, 1.3)  # the edges of dice that are tried, in usual ones
_SEARCHES = 6  # places about which the network or the lattice searches
# The network's chance of the value that the lattice shows: where spots show the same one, and where none do.
_FIT_AGREES, _FIT_ALONE = 0.85, 0.95
_MOST_DOUBTS = 3  # where more dice are doubtful the picture is refused anyway, and each takes time
_SAME = 0.3  # places nearer to each other than this, in edges, are one to the lattice
_ELSEWHERE = 2.5  # farther than so many edges from every die lies none of its sides
_MANY_THINGS = 8  # things of a die's size from which on they are taken for dice of another kind
_CLEARLY_NONE = 0.7  # the chance of no die from which on a thing on a plain table is none
# What the border cuts is a die where this part of it is within so many levels of the body of one that was read: the
# rest are pips, sides and shadow. Of what else lies at the border of photographs hardly a tenth is.
_CUT_BODY, _CUT_LEVELS = 0.2, 64.0
# Where about a thing a die is looked for, in edges: on a plain table all over what may be two that touch.
_ABOUT = np.array([(0.0, 0.0), (-0.15, 0.0), (0.15, 0.0), (0.0, -0.15), (0.0, 0.15)])
_ALL_OVER = np.array([(x, y) for x in (-0.3, -0.15, 0.0, 0.15, 0.3) for y in (-0.3, -0.15, 0.0, 0.15, 0.3)])
_STEPS = np.arange(-0.45, 0.46, 0.15)


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
    dice += pool_dice(looks, classify, dice)
    stray = _stray_spots(look.spots, [die.face for die in dice] or look.faces)
    around = [*stray.at, *(face.middle for face in doubted)]
    dice += _look_closer(look, classify, around, dice)
    dice = _settle_doubts(look, classify, dice)
    dice += _fit_lattices(look, classify, [*_die_sized(look, dice).at, *around], dice)
    dice.sort(key=lambda die: float(die.face.middle[0]))
    if trace is not None:
        sure = [die.agreement for die in dice]
        show_faces(trace, look.pixels, look.spots, stray, [die.face for die in dice], sure)
    refusal = _find_refusal(look, dice, _search_by_network(look, classify, around, dice))
    refusal = refusal or _refuse_things(look, classify, dice)
    refusal = refusal or refuse_miscount(dice, expected) or _refuse_unlike_sizes(looks, classify, dice)
    return refusal or read(tuple(_die(look, die) for die in dice))


def _look_closer(
    look: Look, classify: FaceClassifier, around: Sequence[Place], dice: Sequence[ClassifiedFace]
) -> list[ClassifiedFace]:
    """More dice near these places, with milder demands; the network must be sure of them."""
    if not around:
        return []
    edge = usual_edge(look.faces)
    near = np.linalg.norm(look.spots.at[:, None] - np.array(around)[None], axis=2).min(axis=1) < _NEAR * edge
    faces = find_all_faces(look.pixels, look.spots.only(near), EDGES, partial(_likely, look, classify, edge, dice))
    free = [face for face in faces if all(are_apart(face, die.face) for die in dice)]
    return keep_surest(classify_faces(classify, look.pixels, free, SURE)[0])


def _likely(
    look: Look, classify: FaceClassifier, edge: float, dice: Sequence[ClassifiedFace], tries: list[Candidate]
) -> list[Candidate]:
    """The candidates of whose value the network is not unsure; of very many the clearest are asked about."""
    free = [
        attempt
        for attempt in tries
        if all(math.dist(attempt.middle, die.face.middle) > OVERLAP * die.face.edge_px for die in dice)
    ]
    clear = sorted(free, key=lambda attempt: -len(attempt.spots) * attempt.aspect * attempt.strength)[:_MOST_LIKELY]
    edges = [edge if attempt.value == 1 else attempt.unit_px / _USUAL_PITCH for attempt in clear]
    seen = crops(look.pixels, np.array([attempt.middle for attempt in clear]).reshape(-1, 2), np.array(edges))
    chances = classify(seen, None)
    return [attempt for attempt, row in zip(clear, chances, strict=True) if row[attempt.value] >= LIKELY]


def _fit_lattices(
    look: Look, classify: FaceClassifier, around: Sequence[Place], dice: Sequence[ClassifiedFace]
) -> list[ClassifiedFace]:
    """More dice near these places, where the lattice of their pips fits and the network is sure."""
    edge = usual_edge([die.face for die in dice] or look.faces)
    found: list[ClassifiedFace] = []
    tried: list[Place] = []
    for place in around:
        if any(math.dist(place, other) < _SAME * edge for other in tried) or len(tried) == _SEARCHES:
            continue
        tried.append(place)
        found += _fit_one(look, classify, place, edge, (*dice, *found), _FIT_ALONE)
    return found


def _fit_one(
    look: Look, classify: FaceClassifier, place: Place, edge: float, dice: Sequence[ClassifiedFace], least: float
) -> list[ClassifiedFace]:
    """The die near a place by its lattice, none of these; empty where the network gives its value a lesser chance."""
    face = fit_face(look.pixels, place, [edge * part for part in _FITTED], EDGES)
    if face is None or not all(are_apart(face, die.face) for die in dice):
        return []
    return [die for die in classify_faces(classify, look.pixels, [face], least)[0] if die.agreement >= least]


def _settle_doubts(look: Look, classify: FaceClassifier, dice: Sequence[ClassifiedFace]) -> list[ClassifiedFace]:
    """The dice; those of which the reader would not be sure as the lattice shows them, where the value is the same."""
    settled = list(dice)
    unsure = [index for index, die in enumerate(dice) if _is_unsure(look, die)]
    if len(unsure) > _MOST_DOUBTS:
        return settled
    edge = usual_edge([die.face for die in dice] or look.faces)
    for index in unsure:
        die, others = dice[index], [*settled[:index], *settled[index + 1 :]]
        again = _fit_one(look, classify, die.face.middle, edge, others, _FIT_AGREES)
        settled[index] = next((fit for fit in again if fit.face.value == die.face.value), die)
    return settled


def _search_by_network(
    look: Look, classify: FaceClassifier, around: Sequence[Place], dice: Sequence[ClassifiedFace]
) -> tuple[Place, int] | None:
    """A die near one of these places that only the network sees, and its likeliest value."""
    glimpses = (_glimpse(look, classify, place, dice) for place in around[:_SEARCHES])
    return next((seen for seen in glimpses if seen is not None), None)


def _glimpse(
    look: Look, classify: FaceClassifier, place: Place, dice: Sequence[ClassifiedFace]
) -> tuple[Place, int] | None:
    """The middle of a die near a place as the network sees it, none of these dice, and its likeliest value.

    What it takes for a leaning die may be the side of one that is read: from an unknown place both look alike.
    """
    edge = usual_edge(look.faces)
    places = place + np.array([(x, y) for x in _STEPS for y in _STEPS]) * edge
    for die in dice:
        places = places[np.linalg.norm(places - die.face.middle, axis=1) > OVERLAP * die.face.edge_px]
    chances = classify(crops(look.pixels, places, np.full(len(places), edge)), None)
    values = chances[:, 1:TILTED]
    if not len(chances) or float(np.max(values)) <= _GLIMPSE:
        return None
    best, value = np.unravel_index(int(np.argmax(values)), values.shape)
    return places[best], int(value) + 1


def _refuse_things(look: Look, classify: FaceClassifier, dice: Sequence[ClassifiedFace]) -> Reading | None:
    """A refusal when something that is none of these dice may be one, wholly in the picture or in part."""
    things = _die_sized(look, dice)
    return _refuse_unexplained(look, classify, dice, things) or _refuse_cut(look, dice, things)


def _refuse_unexplained(
    look: Look, classify: FaceClassifier, dice: Sequence[ClassifiedFace], things: DieSized
) -> Reading | None:
    """A refusal when something of a die's size was not read as one: on a plain table all but what the network clearly
    takes for no die, else what it takes for one.
    """
    faces = [die.face for die in dice]
    none = _chances_of_none(look, classify, things, usual_edge(faces))
    if len(things.at) >= _MANY_THINGS:
        none = np.zeros_like(none)
    things = replace(things, at=things.at[none < (_CLEARLY_NONE if things.on_plain else 1 - _GLIMPSE)])
    if not len(things.at):
        return None
    say = "I see something as large as a die that I cannot read: take it away, or say what you threw."
    return refused(Reason.UNEXPLAINED, say, at_px=_at(look, things.at[0]), likely=likely_of(faces))


def _die_sized(look: Look, dice: Sequence[ClassifiedFace]) -> DieSized:
    """The things as large as a die that are none of these."""
    faces = [die.face for die in dice]
    return find_die_sized(look.pixels, usual_edge(faces or look.faces), [face.corners for face in faces])


def _refuse_cut(look: Look, dice: Sequence[ClassifiedFace], things: DieSized) -> Reading | None:
    """A refusal when the border cuts through what has the colour of the dice. The network knows whole dice only."""
    faces = [die.face for die in dice]
    for thing in things.cut:
        if max(thing.shows(face.body, _CUT_LEVELS) for face in faces) > _CUT_BODY:
            say = "A die lies partly outside the picture: push it in, or say what you threw."
            return refused(Reason.UNEXPLAINED, say, at_px=_at(look, thing.at), likely=likely_of(faces))
    return None


def _chances_of_none(look: Look, classify: FaceClassifier, things: DieSized, edge: float) -> NDArray[np.float32]:
    """The least chance that no die lies at or about each of these things (n)."""
    steps = _ALL_OVER if things.on_plain else _ABOUT
    about = things.at[:, None] + steps * edge
    chances = classify(crops(look.pixels, about.reshape(-1, 2), np.full(about.size // 2, edge)), None)
    return np.asarray(chances[:, 0].reshape(len(things.at), len(steps)).min(axis=1), np.float32)


def _refuse_unlike_sizes(
    looks: Sequence[Look], classify: FaceClassifier, dice: Sequence[ClassifiedFace]
) -> Reading | None:
    """A refusal when only another look than the first shows some die: it is much nearer or farther."""
    known = np.array([_at(looks[0], die.face.middle) for die in dice])
    reach = _ELSEWHERE * usual_edge([die.face for die in dice]) / looks[0].scale[0]
    for look in looks[1:]:
        for die in classify_faces(classify, look.pixels, look.faces, SURE)[0]:
            place = _at(look, die.face.middle)
            if die.agreement >= SURE and float(np.linalg.norm(known - place, axis=1).min()) > reach:
                say = "The dice look too unlike in size: look from straight above."
                return refused(Reason.UNSURE, say, at_px=place, likely=likely_of([die.face for die in dice]))
    return None


def _find_refusal(look: Look, dice: Sequence[ClassifiedFace], network_only: tuple[Place, int] | None) -> Reading | None:
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
    doubt = next((die for die in dice if _is_unsure(look, die)), None)
    if doubt is not None:
        say = "I am not sure of one die: say what you threw."
        return refused(Reason.UNSURE, say, at_px=_at(look, doubt.face.middle), likely=possible_throws(dice, doubt))
    return None if dice else refused(Reason.NO_DICE, "I see no dice.")


def _is_unsure(look: Look, die: ClassifiedFace) -> bool:
    return is_doubtful(die, look.spots) or _confidence(look, die) < _LEAST_TOLD


def _at(look: Look, place: Place) -> Point:
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


def _die(look: Look, die: ClassifiedFace) -> DieReading:
    colour = colour_name(die.face.body)
    return DieReading(die.face.value, _at(look, die.face.middle), _confidence(look, die), colour, die.next_likely)


def _confidence(look: Look, die: ClassifiedFace) -> float:
    return confidence_of(die, die.tilt_chance, measure_smear(look.pixels, die.face))
