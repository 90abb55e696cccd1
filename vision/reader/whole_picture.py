"""Read a whole picture, one without a field: a photograph of dice on a table, at any scale, from above or aslant.

The picture is searched in several sizes, so that in one of them the dice have the expected size, and then stretched in
height, which undoes the foreshortening of a camera that looks down aslant. The look that explains the most is used.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.capture.arrays import Place
from vision.capture.frame import Pixels, colour_name
from vision.field.markers import find_markers, is_unoccluded
from vision.field.view import paper_quad
from vision.libraries import cv2
from vision.network.classified import LIKELY, SURE, ClassifiedFace, FaceClassifier, classify_faces, crops
from vision.pips.face_check import FaceFit
from vision.pips.flaws import measure_smear
from vision.pips.search import find_next_pips, fit_face
from vision.pips.spots import Spots
from vision.reader.candidates import fit_candidates, fit_lattices, look_closer
from vision.reader.refusal import (
    SIDE_SAY,
    UNSURE_SAY,
    confidence_of,
    is_doubtful,
    is_smeared,
    likely_of,
    possible_throws,
    refuse_miscount,
)
from vision.reader.scales import EDGES, Look, is_side, pool_dice, rank_looks, usual_edge
from vision.reader.trace import Stage, Trace, show_faces, stage
from vision.reader.unread_things import ClassifiedPlaces, classify_places, die_sized, refuse_unread_things
from vision.reading import DieReading, Reading, Reason, read, refused

# Stray spots: their least contrast, also as a part of the contrast of read pips; the largest ratio to the pips' radius,
# the least roundness, and the least distance from every die, in its edges.
_STRONG, _CONTRARY, _PIP_LIKE, _ROUND, _REACH = 60.0, 0.6, 1.6, 0.72, 1.3
_LEAST_TOLD = 0.62  # least confidence of a value: there is no cloth that could support it
# Of 32 pairs found by a second look that were a 2 the least chance was 0.96; of eight that were specks or parts of
# another value the most was 0.94.
_SURELY_PAIR = 0.95
_FIT_AGREES = 0.8  # least chance of the value that the lattice shows where spots show the same one
_SMALL_ONE = 0.8  # part of the usual edge: only the outline of a 1 gives its size
_SURELY_TOP = 0.95  # above this chance of a value from the network the face is not a side
_MOST_DOUBTS = 3  # with more doubtful dice the picture is refused anyway, and each takes time
_ELSEWHERE = 2.5  # no side of a die lies farther than this many edges from it
_ALONG_PAPER, _BESIDE_PAPER = 40, 1.12  # points along a marker's paper, and how much farther out the table is sampled


def read_whole_picture(
    pixels: Pixels, classify: FaceClassifier, *, expected: int | None = None, trace: Trace | None = None
) -> Reading:
    """Read the dice anywhere in a picture; one that cannot be read is a refusal."""
    with stage(trace, Stage.FACES):
        looks = rank_looks(_without_markers(pixels))
    look = looks[0]
    if not look.faces:
        return refused(Reason.NO_DICE, "I see no dice.")
    dice, doubted = classify_faces(classify, look.pixels, look.faces, LIKELY)
    dice += pool_dice(looks, classify, dice)
    stray = _stray_spots(look.spots, [die.face for die in dice] or look.faces)
    around = [*stray.at, *(face.middle for face in doubted)]
    dice += look_closer(look, classify, around, dice)
    dice = _settle_doubts(look, classify, _without_single_pips(look, classify, dice))
    network_only, anywhere = None, None
    # If a die other than a 1 stays doubtful the picture is refused anyway: no further look makes it surer, while a 1
    # may turn out to be a pip of another die.
    if not any(die.face.value > 1 and _is_unsure(look, die) for die in dice):
        dice, network_only, anywhere = _look_everywhere(look, classify, around, dice)
    dice.sort(key=lambda die: float(die.face.middle[0]))
    if trace is not None:
        sure = [die.agreement for die in dice]
        show_faces(trace, look.pixels, look.spots, stray, [die.face for die in dice], sure)
    refusal = _find_refusal(look, dice, network_only)
    if anywhere is not None:
        refusal = refusal or refuse_unread_things(look, classify, dice, anywhere)
    refusal = refusal or refuse_miscount(dice, expected) or _refuse_unlike_sizes(looks, classify, dice)
    return refusal or read(
        tuple(
            DieReading(
                die.face.value,
                look.at(die.face.middle),
                _confidence(look, die),
                colour_name(die.face.body),
                die.next_likely,
            )
            for die in dice
        )
    )


def _look_everywhere(
    look: Look, classify: FaceClassifier, around: Sequence[Place], dice: list[ClassifiedFace]
) -> tuple[list[ClassifiedFace], tuple[Place, int] | None, ClassifiedPlaces]:
    """Return the dice with those that only the network and the lattice show, there and around these places; the place
    and value of the die that only the network sees, if any; and the network's chances anywhere.
    """
    things = die_sized(look, dice)
    anywhere = classify_places(look, classify, dice, things.anywhere)
    dice = dice + fit_lattices(look, classify, [*anywhere.most_like_dice(dice), *things.at, *around], dice)
    dice, network_only = fit_candidates(look, classify, around, _without_single_pips(look, classify, dice))
    return dice, network_only, anywhere


def _without_markers(pixels: Pixels) -> Pixels:
    """Return the picture with the unoccluded markers of a box painted over: they look much like dice."""
    clear = [quad for number, quad in find_markers(pixels).items() if is_unoccluded(pixels, number, quad)]
    painted = pixels.copy()
    for quad in clear:
        paper, corners = paper_quad(quad), np.append(np.arange(4), 0)
        middle = paper.mean(axis=0)
        along = np.linspace(0, 4, _ALONG_PAPER, endpoint=False)
        outline = np.column_stack([np.interp(along, np.arange(5), paper[corners, axis]) for axis in range(2)])
        beside = np.round(middle + _BESIDE_PAPER * (outline - middle)).astype(int)
        seen = pixels[np.clip(beside[:, 1], 0, len(pixels) - 1), np.clip(beside[:, 0], 0, pixels.shape[1] - 1)]
        cv2.fillConvexPoly(painted, beside.astype(np.int32), np.median(seen, axis=0).tolist())
    return painted


def _without_single_pips(look: Look, classify: FaceClassifier, dice: Sequence[ClassifiedFace]) -> list[ClassifiedFace]:
    """Return the dice without each 1 that is a pip of another value: one with another pip beside it, or one much
    smaller than most dice that the network does not see as a 1 of the usual size.
    """
    edge = usual_edge([die.face for die in dice] or look.faces)
    ones = [die for die in dice if die.face.value == 1]
    middles = np.array([die.face.middle for die in ones]).reshape(-1, 2)
    chances = classify(crops(look.pixels, middles, np.full(len(ones), edge)), None)
    single = [
        die
        for die, row in zip(ones, chances, strict=True)
        if (die.face.edge_px < _SMALL_ONE * edge and row[1] < _FIT_AGREES)
        or find_next_pips(look.spots, die.face, edge).any()
    ]
    return [die for die in dice if die not in single]


def _settle_doubts(look: Look, classify: FaceClassifier, dice: Sequence[ClassifiedFace]) -> list[ClassifiedFace]:
    """Return the dice; uncertain ones as the lattice shows them, where its value is the same."""
    settled = list(dice)
    unsure = [index for index, die in enumerate(dice) if _is_unsure(look, die)]
    if len(unsure) > _MOST_DOUBTS:
        return settled
    edge = usual_edge([die.face for die in dice] or look.faces)
    for index in unsure:
        die = dice[index]
        face = fit_face(look.pixels, die.face.middle, edge, EDGES)
        if face is not None and face.value == die.face.value:
            clear = ClassifiedFace(replace(die.face, quality=max(die.face.quality, face.quality)), die.chances)
            again = classify_faces(classify, look.pixels, [face], _FIT_AGREES)[0]
            settled[index] = max([clear, *again], key=lambda fit: fit.agreement)
    return settled


def _refuse_unlike_sizes(
    looks: Sequence[Look], classify: FaceClassifier, dice: Sequence[ClassifiedFace]
) -> Reading | None:
    """Return a refusal when only another look than the first shows some die, which is much nearer or farther.

    No die lies in the face of another one: a face that seems to hold one has dice for pips. A 1 may be a pip itself.
    """
    known = np.array([looks[0].at(die.face.middle) for die in dice])
    are_dice = np.array([die.face.value > 1 for die in dice])
    reach = _ELSEWHERE * usual_edge([die.face for die in dice]) / looks[0].scale[0]
    for look in looks[1:]:
        for die in classify_faces(classify, look.pixels, look.faces, SURE)[0]:
            place = look.at(die.face.middle)
            away = np.linalg.norm(known - place, axis=1)
            holds_dice = bool((are_dice & (away < die.face.edge_px / 2 / look.scale[0])).any())
            if die.agreement >= SURE and float(away.min()) > reach and not holds_dice:
                say = "The dice look too unlike in size: look from straight above."
                return refused(Reason.UNSURE, say, at_px=place, likely=likely_of([die.face for die in dice]))
    return None


def _find_refusal(look: Look, dice: Sequence[ClassifiedFace], network_only: tuple[Place, int] | None) -> Reading | None:
    likely = likely_of([die.face for die in dice])
    smeared = next((die.face for die in dice if is_smeared(die.face, measure_smear(look.pixels, die.face))), None)
    if smeared is not None:
        return refused(Reason.UNSURE, UNSURE_SAY, at_px=look.at(smeared.middle), likely=likely)
    if network_only is not None:
        place, value = network_only
        rest = likely[0] if likely else ()
        say = "Something looks like a die that I cannot read: take it away, or say what you threw."
        return refused(Reason.UNSURE, say, at_px=look.at(place), likely=(tuple(sorted((*rest, value))),))
    for die in dice:
        if die.agreement < _SURELY_TOP and any(is_side(die.face, other.face) for other in dice):
            return refused(Reason.UNSURE, SIDE_SAY, at_px=look.at(die.face.middle), likely=likely)
    doubt = next((die for die in dice if _is_unsure(look, die)), None)
    if doubt is not None:
        return refused(Reason.UNSURE, UNSURE_SAY, at_px=look.at(doubt.face.middle), likely=possible_throws(dice, doubt))
    return None if dice else refused(Reason.NO_DICE, "I see no dice.")


def _is_unsure(look: Look, die: ClassifiedFace) -> bool:
    if is_doubtful(die, look.spots) or _confidence(look, die) < _LEAST_TOLD:
        return True
    # Two specks may lie like a 2 anywhere: where no first look shows it the network must be sure.
    return die.face.value == 2 and die.agreement < _SURELY_PAIR and all(die.face is not face for face in look.faces)


def _stray_spots(spots: Spots, faces: Sequence[FaceFit]) -> Spots:
    """Return the spots like the pips that were read that belong to no die that was read."""
    usual = float(np.median([face.pip_px for face in faces]))
    least = min([_STRONG, *(_CONTRARY * face.strength for face in faces)])
    keep = (spots.strength > least) & (spots.aspect > _ROUND)
    keep &= (spots.radius > usual / _PIP_LIKE) & (spots.radius < usual * _PIP_LIKE)
    for face in faces:
        keep &= np.linalg.norm(spots.at - face.middle, axis=1) > _REACH * face.edge_px
    return spots.only(keep)


def _confidence(look: Look, die: ClassifiedFace) -> float:
    return confidence_of(die, die.tilt_chance, measure_smear(look.pixels, die.face))
