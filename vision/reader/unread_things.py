"""Refuses a picture without a field where something that was not read as a die may be one.

There no cloth tells the table from the rest: the network is asked all over what stands out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.foreground.die_sized import DieSized, find_die_sized
from vision.network.classified import TILTED, Chances, ClassifiedFace, FaceClassifier, crops
from vision.reader.looks import Look, Place, usual_edge
from vision.reader.refusal import SIDE_SAY, likely_of
from vision.reading import Reading, Reason, refused

_MAY_BE = 0.5  # the chance that a place is a die at all from which on the lattice looks there
_MANY_THINGS = 8  # things of a die's size from which on they are taken for dice of another kind
# A die shows pips, or the network is sure of its value, or of its having one of two, or sees one that has none: else
# there is none. The least chances of these; and of the pips: how near to the place they are in edges, how like in
# radius to those that were read, how round, and their least contrast as a part of those pips'.
_SURE_OF_IT, _SURE_OF_TWO, _WITHOUT_PIPS = 0.65, 0.8, 0.35
_ON_IT, _PIP_LIKE, _ROUND, _FAINT = 0.42, 1.7, 0.72, 0.15
_CLEARLY_NONE = 0.7  # the chance of no die from which on a thing on a plain table is none
_HARDLY_NONE = 0.1  # ... and below which one lies there wherever that is
# What has a die's size with its side and its shadow may be a smaller one, of this part of the usual edge: the chance of
# none below which it is.
_SMALLER, _SURELY_SMALLER = 0.6, 0.02
# What the border cuts is a die where this part of it is within so many levels of the body of one that was read: the
# rest are pips, sides and shadow. Of what else lies at the border of photographs hardly a tenth is.
_CUT_BODY, _CUT_LEVELS = 0.2, 64.0
# Edges by which bodies lie beside their faces where the camera sees the sides, and by which one lies the other way. Of
# 133 photographs that were read 0.20 was the most; where a side was taken for the top it was 0.29 and 0.41.
_SEEN_ASIDE, _CONTRARY = 0.12, 0.25
_ITSELF = 0.4  # edges from the middle of a die within which it is that die which is seen
_ITS_SIDES = 1.0  # edges from the middle of a die within which its sides are seen
# Where about a thing a die is looked for, in edges: all over what may be two that touch.
_ALL_OVER = np.array([(x, y) for x in (-0.3, -0.15, 0.0, 0.15, 0.3) for y in (-0.3, -0.15, 0.0, 0.15, 0.3)])


@dataclass(frozen=True, slots=True, eq=False)
class ClassifiedPlaces:
    """Places (n, 2) of a look and the network's chances (n, 8) of what lies there."""

    places: NDArray[np.float64]
    chances: Chances

    def chances_of_none(self, dice: Sequence[ClassifiedFace]) -> Chances:
        """The chances (n) that no die lies there that is none of these.

        What looks like a die that leans, near one that was read, is its side; but where a value is seen beside the
        middle of one that was read, that one may be a side itself.
        """
        none = self.chances[:, 0].copy()
        for die in dice:
            away = np.linalg.norm(self.places - die.face.middle, axis=1) / die.face.edge_px
            sides = away < _ITS_SIDES
            none[sides] = np.maximum(none[sides], 1 - self.chances[sides, 1:TILTED].max(axis=1))
            none[away < _ITSELF] = 1.0
        return none

    def most_like_dice(self, dice: Sequence[ClassifiedFace]) -> list[Place]:
        """The places, those of the surest first, where a die seems to lie that is none of these."""
        none = self.chances_of_none(dice)
        return [self.places[index] for index in np.argsort(none) if none[index] < 1 - _MAY_BE]


def refuse_unread_things(
    look: Look, classify: FaceClassifier, dice: Sequence[ClassifiedFace], anywhere: ClassifiedPlaces
) -> Reading | None:
    """A refusal when something that is none of these dice may be one, wholly in the picture or in part, or when one of
    them was read from its side.
    """
    things = die_sized(look, dice)
    refusal = _refuse_unexplained(look, classify, dice, things, anywhere) or _refuse_cut(look, dice, things)
    return refusal or _refuse_side(look, dice, things)


def _refuse_unexplained(
    look: Look, classify: FaceClassifier, dice: Sequence[ClassifiedFace], things: DieSized, anywhere: ClassifiedPlaces
) -> Reading | None:
    """A refusal when what was not read as a die may be one: wherever the network takes it for one, with pips or not; on
    a plain table whatever has a die's size and is not clearly none; and much of a die's size.
    """
    likely = likely_of([die.face for die in dice])
    say = "I see something as large as a die that I cannot read: take it away, or say what you threw."
    if len(things.at) >= _MANY_THINGS:
        return refused(Reason.UNEXPLAINED, say, at_px=look.at(things.at[0]), likely=likely)
    for seen, least in _places_to_tell(look, classify, dice, things, anywhere):
        none = seen.chances_of_none(dice)
        none[_show_nothing(look, dice, seen)] = 1.0
        if len(none) and none.min() < least:
            return refused(Reason.UNEXPLAINED, say, at_px=look.at(seen.places[none.argmin()]), likely=likely)
    return None


def _places_to_tell(
    look: Look, classify: FaceClassifier, dice: Sequence[ClassifiedFace], things: DieSized, anywhere: ClassifiedPlaces
) -> Iterator[tuple[ClassifiedPlaces, float]]:
    """What the network sees where, and the chance of none below which a die lies there; asked as far as is needed."""
    yield anywhere, _HARDLY_NONE
    yield _classify_things(look, classify, dice, things, 1.0), _CLEARLY_NONE if things.on_plain else _HARDLY_NONE
    yield _classify_things(look, classify, dice, things, _SMALLER), _SURELY_SMALLER


def _show_nothing(look: Look, dice: Sequence[ClassifiedFace], seen: ClassifiedPlaces) -> NDArray[np.bool_]:
    """True for the places (n) at which the network is sure of nothing and no pip is seen: keys, labels and plugs."""
    faces, spots = [die.face for die in dice] or look.faces, look.spots
    pip = float(np.median([face.pip_px for face in faces]))
    faint = _FAINT * float(np.median([face.strength for face in faces]))
    like = (spots.radius > pip / _PIP_LIKE) & (spots.radius < pip * _PIP_LIKE) & (spots.aspect > _ROUND)
    away = np.linalg.norm(seen.places[:, None] - spots.at[like & (spots.strength > faint)], axis=2)
    near = away.min(axis=1, initial=np.inf) < _ON_IT * usual_edge(faces)
    values = np.sort(seen.chances[:, 1:TILTED], axis=1)
    unsure = (values[:, -1] < _SURE_OF_IT) & (values[:, -2:].sum(axis=1) < _SURE_OF_TWO)
    return np.asarray(~near & unsure & (seen.chances[:, TILTED] < _WITHOUT_PIPS), np.bool_)


def _classify_things(
    look: Look, classify: FaceClassifier, dice: Sequence[ClassifiedFace], things: DieSized, size: float
) -> ClassifiedPlaces:
    """What the network sees all over the things, for dice of `size` times the usual edge."""
    edge = size * usual_edge([die.face for die in dice])
    places = (things.at[:, None] + _ALL_OVER * edge).reshape(-1, 2)
    return classify_places(look, classify, dice, places, size)


def classify_places(
    look: Look,
    classify: FaceClassifier,
    dice: Sequence[ClassifiedFace],
    places: NDArray[np.float64],
    size: float = 1.0,
) -> ClassifiedPlaces:
    """What the network sees at these places (n, 2), for dice of `size` times the edge that most have."""
    edge = size * usual_edge([die.face for die in dice] or look.faces)
    return ClassifiedPlaces(places, classify(crops(look.pixels, places, np.full(len(places), edge)), None))


def die_sized(look: Look, dice: Sequence[ClassifiedFace]) -> DieSized:
    """The things as large as a die that are none of these."""
    faces = [die.face for die in dice]
    return find_die_sized(look.pixels, usual_edge(faces or look.faces), [face.corners for face in faces])


def _refuse_cut(look: Look, dice: Sequence[ClassifiedFace], things: DieSized) -> Reading | None:
    """A refusal when the border cuts through what has the colour of the dice. The network knows whole dice only."""
    faces = [die.face for die in dice]
    for thing in things.cut:
        if max(thing.shows(face.body, _CUT_LEVELS) for face in faces) > _CUT_BODY:
            say = "A die lies partly outside the picture: push it in, or say what you threw."
            return refused(Reason.UNEXPLAINED, say, at_px=look.at(thing.at), likely=likely_of(faces))
    return None


def _refuse_side(look: Look, dice: Sequence[ClassifiedFace], things: DieSized) -> Reading | None:
    """A refusal when the body of one die lies the other way from its face than those of the others: they are all seen
    from the same side, so that is no top.
    """
    for index, die in enumerate(dice):
        others = np.delete(things.bodies, index, axis=0)
        common = others.mean(axis=0) if len(others) else np.zeros(2)
        far = float(np.linalg.norm(common))
        if far > _SEEN_ASIDE and float(things.bodies[index] @ common) / far < -_CONTRARY:
            likely = likely_of([die.face for die in dice])
            return refused(Reason.UNSURE, SIDE_SAY, at_px=look.at(die.face.middle), likely=likely)
    return None
