"""What a picture without a field shows at a second look only: by milder demands, by the lattice of the pips, and to the
network, which looks for dice about spots that no die that was read explains.
"""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice

import numpy as np

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
from vision.reader.looks import EDGES, Look, Place, usual_edge

_GLIMPSE = 0.75  # the network's chance of a value from which on a die that it alone sees is noticed
_NEAR = 1.2  # spots of a die lie this near to each other, in edges
_MOST_LIKELY = 80  # candidates that a closer look asks the network about
_USUAL_PITCH = 0.25  # of the edge: pitch of the pips
_SEARCHES = 8  # places about which the network or the lattice searches
_FIT_ALONE = 0.9  # the network's chance of the value that the lattice shows where no spots show it
_SAME = 0.3  # places nearer to each other than this, in edges, are one to the lattice
_STEPS = np.arange(-0.45, 0.46, 0.15)
_BESIDE = 0.2 * np.array([(1, 0), (-1, 0), (0, 1), (0, -1)])  # edges: the network's places lie a little off
_MOST_FITS = 3  # of a place and those beside it, so many are compared with drawn faces, which takes long


def look_closer(
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


def fit_lattices(
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
        found += islice(_fits_about(look, classify, place, edge, (*dice, *found)), 1)
    return found


def _fits_about(
    look: Look, classify: FaceClassifier, place: Place, edge: float, dice: Sequence[ClassifiedFace]
) -> Iterator[ClassifiedFace]:
    """The die at a place, none of these, as its lattice fits there and a little beside: one whose value the network
    sees at the place, too, and is sure of at its middle.
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


def fit_glimpses(
    look: Look, classify: FaceClassifier, around: Sequence[Place], dice: Sequence[ClassifiedFace]
) -> tuple[list[ClassifiedFace], tuple[Place, int] | None]:
    """The dice, with those near these places that only the network sees and whose lattice shows what it sees; then the
    place and the likeliest value of what it sees alone even so.
    """
    found = list(dice)
    for place in around[:_SEARCHES]:
        while (glimpse := _glimpse(look, classify, place, found)) is not None:
            more = _fit_glimpse(look, classify, *glimpse, found)
            if more is None:
                return found, glimpse
            found.append(more)
    return found, None


def _fit_glimpse(
    look: Look, classify: FaceClassifier, place: Place, value: int, dice: Sequence[ClassifiedFace]
) -> ClassifiedFace | None:
    """The die of this value at a place by its lattice, which is looked for a little beside it, too."""
    edge = usual_edge([die.face for die in dice] or look.faces)
    alike = [die for die in _fits_about(look, classify, place, edge, dice) if die.face.value == value]
    return max(alike, key=lambda die: die.agreement * die.face.quality, default=None)


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
