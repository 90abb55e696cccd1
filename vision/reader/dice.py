"""Find the dice of a field: what the networks claim and the pips confirm, and everything that neither explains."""

import math
from dataclasses import dataclass

import numpy as np

from vision.capture.arrays import Places, Real
from vision.field.markers import marker_shows
from vision.field.view import PX_PER_MM, View
from vision.foreground.survey import Overview
from vision.foreground.things import UnexplainedThing
from vision.foreground.unexplained import find_unexplained, measure_overhangs
from vision.network.network import NOT_FLAT, Chances, stances_of
from vision.network.networks import Networks
from vision.pips.face import Face, measure_face
from vision.pips.flaws import is_washed_out, measure_smear
from vision.pips.lattice import read_pips
from vision.reader.claims import CERTAIN, Claim, find_claims

_USUAL_PX = 16.0 * PX_PER_MM  # the edge of most dice
_AROUND_PX = 1.2 * _USUAL_PX  # half of what is cut out about a die: the largest one with its rim
_APART = 0.75  # middles of two dice are at least this many edges of the smaller one apart
# Edges from the middle of a die that was read: a claim nearer than that is of the same die. Of 2,206 claims of several
# sets 99 in 100 lay within 0.16, and another die is claimed 8 mm farther away at least.
_SAME = 0.4
_SURELY_SHOWN = 0.95  # least chance of the map for a 1; six crumbs in shadows of dice had 0.51 to 0.94


@dataclass(frozen=True, slots=True, eq=False)
class Die:
    """A die that was read twice, by the networks and by its pips, with the same value."""

    face: Face
    chances: Chances  # (8), see `FaceClassifier`
    leaning: float  # the chance that it does not lie flat
    overhang_mm2: float  # of what touches it and is neither cloth nor shadow
    smear: float  # see `measure_smear`
    washed_out: bool  # see `is_washed_out`

    @property
    def agreement(self) -> float:
        """The network's chance of the value that the pips show, if the die lies flat."""
        return _agreement(self.face, self.chances)

    @property
    def next_likely(self) -> int:
        """The network's likeliest value, other than the one that the pips show."""
        others = self.chances[1:NOT_FLAT].copy()
        others[self.face.value - 1] = -1.0
        return int(np.argmax(others)) + 1


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Everything that lies on a field, in view pixels."""

    dice: tuple[Die, ...]  # from left to right
    unread: tuple[Claim, ...]  # dice that the networks see and whose pips do not show the same value
    things: tuple[UnexplainedThing, ...]  # not dice; the largest first

    @property
    def faces(self) -> tuple[Face, ...]:
        return tuple(die.face for die in self.dice)

    @property
    def hiding(self) -> UnexplainedThing | None:
        """The thing that hides dice, so that nothing else that was found is certain: a washed-out area, else a hand."""
        white = next((thing for thing in self.things if thing.washed_out), None)
        return white or next((thing for thing in self.things if thing.is_hand), None)


def find_dice(view: View, over: Overview, networks: Networks) -> Found:
    """Find the dice of a field, and measure how each of them lies."""
    claims = find_claims(view, networks)
    seen: list[Face] = []
    for claim in claims:
        face = face_at(view, claim.place)
        # What network and pips see at the claimed place must agree, not only at the middle of the pips: a lamp's spot
        # in a 2 was a 3 to both there.
        if face is None or face.value != claim.value or _is_printed(view, over, face):
            continue
        # A crumb may look like the only pip of a 1.
        if (face.value > 1 or claim.shown > _SURELY_SHOWN) and all(_are_apart(face, other) for other in seen):
            seen.append(face)
    middles = np.array([face.middle for face in seen]).reshape(-1, 2)
    chances = networks.classify(view.crops(middles), view.slopes(middles))
    kept = [index for index, face in enumerate(seen) if _agreement(face, chances[index]) > CERTAIN]
    kept.sort(key=lambda index: float(seen[index].middle[0]))
    faces = [seen[index] for index in kept]
    outlines = [footprint(view, face) for face in faces]
    stances = networks.stance(stances_of(view, faces)).tolist()
    overhangs = measure_overhangs(over.seen, outlines)
    dice = [
        Die(face, row, leaning, overhang, *_flaws_of(view, face))
        for face, row, leaning, overhang in zip(faces, chances[kept], stances, overhangs, strict=True)
    ]
    unread = tuple(claim for claim in claims if not any(_is_of(claim, face) for face in faces))
    return Found(tuple(dice), unread, tuple(find_unexplained(view, over.seen, outlines)))


def face_at(view: View, place: Real) -> Face | None:
    """Return the face whose pips lie about a place (2,) of the view, or None."""
    x, y = place
    part = view.cut_out((x - _AROUND_PX, y - _AROUND_PX, x + _AROUND_PX, y + _AROUND_PX))
    corner = np.array([part.left, part.top], np.float64)
    pips = read_pips(part.pixels, place - corner, _USUAL_PX)
    return None if pips is None else measure_face(part.pixels, pips, _USUAL_PX, corner)


def _is_printed(view: View, over: Overview, face: Face) -> bool:
    """Return True when a pip is a square of a marker that is half hidden: two of them may look like a 2.

    A die whose middle lies beside the marker's print has pips beside it, too.
    """
    for number, quad in over.occluded_markers.items():
        low, high = quad.min(axis=0), quad.max(axis=0)
        if (face.middle > low).all() and (face.middle < high).all():
            part = view.cut_out((*(low - face.edge_px), *(high + face.edge_px)))
            corner = np.array([part.left, part.top])
            if marker_shows(part.pixels, number, quad - corner, face.places - corner).any():
                return True
    return False


def _are_apart(face: Face, other: Face) -> bool:
    """Return True when these are the faces of two dice, and not one that was read twice."""
    return math.dist(face.middle, other.middle) > _APART * min(face.edge_px, other.edge_px)


def _is_of(claim: Claim, face: Face) -> bool:
    """Return True when a claim is of the die with this face, and of none beside it."""
    return math.dist(claim.place, face.middle) < _SAME * face.edge_px


def _agreement(face: Face, chances: Chances) -> float:
    return float(chances[face.value] / max(1e-6, 1 - chances[NOT_FLAT]))


def _flaws_of(view: View, face: Face) -> tuple[float, bool]:
    part = view.cut_out((*(face.middle - face.edge_px), *(face.middle + face.edge_px)))
    corner = np.array([part.left, part.top], np.float64)
    return measure_smear(part.pixels, face, corner), is_washed_out(part.pixels, face, corner)


def footprint(view: View, face: Face) -> Places:
    """Return the outline (8, 2) on the baize in mm of the area that a flat die with this top face hides."""
    return np.concatenate((view.on_baize(face.corners), view.at_mm(face.corners)))
