"""Find what a picture without a field shows only at a second look: by milder demands, by the lattice of the pips, and
by the network, which searches for dice around spots that no read die explains.
"""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice

import numpy as np

from vision.capture.arrays import Place
from vision.network.classified import (
    LIKELY,
    SURE,
    TILTED,
    ClassifiedFace,
    FaceClassifier,
    classify_faces,
    crops,
    keep_surest,
)
from vision.pips.face_candidates import Candidate
from vision.pips.search import OVERLAP, are_apart, find_all_faces, fit_face
from vision.reader.scales import EDGES, Look, usual_edge

_GLIMPSE = 0.75  # a die that only the network sees is noticed above this chance of its value
_NEAR = 1.2  # spots of a die lie this near to each other, in edges
_MOST_LIKELY = 80  # most candidates that a closer look classifies
_USUAL_PITCH = 0.25  # of the edge: pitch of the pips
_SEARCHES = 8  # most places around which the network or the lattice searches
_FIT_ALONE = 0.9  # least chance of the value that the lattice shows where no spots show it
_SAME = 0.3  # for the lattice, places nearer to each other than this, in edges, are one
_STEPS = np.arange(-0.45, 0.46, 0.15)
_BESIDE = 0.2 * np.array([(1, 0), (-1, 0), (0, 1), (0, -1)])  # edges: the network's places lie a little off
_MOST_FITS = 3  # of a place and those beside it, this many are compared with drawn faces, which is slow


def look_closer(
    look: Look, classify: FaceClassifier, around: Sequence[Place], dice: Sequence[ClassifiedFace]
) -> list[ClassifiedFace]:
    """Return more dice near these places, found with milder demands; the network must be sure of them."""
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
    """Return the candidates to whose value the network gives some chance; of very many only the clearest are tried."""
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


def fit_lattices(
    look: Look, classify: FaceClassifier, around: Sequence[Place], dice: Sequence[ClassifiedFace]
) -> list[ClassifiedFace]:
    """Return more dice near these places, where the lattice of their pips fits and the network is sure."""
    edge = usual_edge([die.face for die in dice] or look.faces)
    found: list[ClassifiedFace] = []
    tried: list[Place] = []
    for place in around:
        if any(math.dist(place, other) < _SAME * edge for other in tried) or len(tried) == _SEARCHES:
            continue
        tried.append(place)
        found += islice(_fits_about(look, classify, place, edge, (*dice, *found)), 1)
    return found


def _fits_about(
    look: Look, classify: FaceClassifier, place: Place, edge: float, dice: Sequence[ClassifiedFace]
) -> Iterator[ClassifiedFace]:
    """Yield the die at a place, other than these, whose lattice fits there or a little beside it: the network must see
    its value at the place, too, and be sure of it at the die's middle.
    """
    seen = classify(crops(look.pixels, np.array([place]), np.array([edge])), None)[0]
    if seen[1:TILTED].max() < LIKELY:
        return
    beside = place + _BESIDE * edge
    others = classify(crops(look.pixels, beside, np.full(len(beside), edge)), None)
    surest = np.argsort(-others[:, seen[1:TILTED].argmax() + 1], kind="stable")
    for middle in np.vstack((place, beside[surest]))[:_MOST_FITS]:
        face = fit_face(look.pixels, middle, edge, EDGES)
        if face is not None and seen[face.value] >= LIKELY and all(are_apart(face, die.face) for die in dice):
            fits = classify_faces(classify, look.pixels, [face], _FIT_ALONE)[0]
            yield from (die for die in fits if die.agreement >= _FIT_ALONE)


def fit_candidates(
    look: Look, classify: FaceClassifier, around: Sequence[Place], dice: Sequence[ClassifiedFace]
) -> tuple[list[ClassifiedFace], tuple[Place, int] | None]:
    """Return the dice, with those near these places that only the network sees and whose lattice shows the same value;
    and the place and likeliest value of the first one without a lattice, if any.
    """
    found = list(dice)
    for place in around[:_SEARCHES]:
        while (glimpse := _glimpse(look, classify, place, found)) is not None:
            there, value = glimpse
            edge = usual_edge([die.face for die in found] or look.faces)
            alike = [die for die in _fits_about(look, classify, there, edge, found) if die.face.value == value]
            more = max(alike, key=lambda die: die.agreement * die.face.quality, default=None)
            if more is None:
                return found, glimpse
            found.append(more)
    return found, None


def _glimpse(
    look: Look, classify: FaceClassifier, place: Place, dice: Sequence[ClassifiedFace]
) -> tuple[Place, int] | None:
    """Return the middle of a die near a place as the network sees it, other than these dice, and its likeliest value.

    An apparently leaning die may be the side of one that is read: from an unknown viewpoint both look alike.
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
