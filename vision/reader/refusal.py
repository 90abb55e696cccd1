"""Decide whether to refuse a reading, and why: the reasons in their order, each in words and with its place.

A refusal costs a throw, a wrong value the game: anything left unexplained is refused.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.capture.arrays import Places, Real
from vision.capture.quality import GLARE_SAY
from vision.field.view import PX_PER_MM, View
from vision.foreground.survey import Overview
from vision.network.classified import ClassifiedFace
from vision.pips.face_check import FaceFit
from vision.pips.spots import Spots
from vision.reader.region import is_on_baize, lies_in, near_baize
from vision.reader.scan import PIP_LIKE, ROUND, Scan
from vision.reading import Point, Reading, Reason, refused

# The chance of not lying flat, by either network, above which a die leans. Of one limit each from 0.3 to 0.9 this gave
# the most exact readings on two sets that no reader had met: 665 of 726, of which 276 path-traced, and 19 values that
# must not be given. Nine limits by what sticks out beside a die, which stood here before, gave 661 and 22.
_LEANS = 0.6


def leans(die: ClassifiedFace, chance: float) -> bool:
    """Return True when a die is likely to lean on something, or to lie on it. chance: see `StanceClassifier`."""
    return max(die.tilt_chance, chance) > _LEANS


_TOGETHER = 0.25  # fit of the pips times chance of the network
# Below the first chance from the network a value is doubtful, above the second it is not. A 2 with a spot of the lamp
# between its pips was read as a 3 that had 0.46; in 3,000 throws that were read exactly no die had less than 0.73.
_AGREED, _CLEARLY = 0.6, 0.9
# Below the first chance from the network, pips with a worse fit than the second are not accepted. Another such 3, with
# 0.75, had a fit of 0.56.
_SURE, _CLEAR_FIT = 0.98, 0.62
_LEAST_FIT = ((_CLEARLY, _CLEAR_FIT),)
# The same for a 2 or 4 with light pips, which may be a 3 or 5 whose middle pip is dim in a lamp's light: two such 5s
# were read as 4s, with 0.975 and 0.996 and fits of 0.48 and 0.28.
_WITHOUT_MIDDLE, _LEAST_FIT_BY_LAMP = (2, 4), ((_SURE, _CLEAR_FIT), (0.998, 0.35))
# Any pip of another face may look like the only one: one of a 2 had 0.72, while none of 1,134 ones had less than 0.93.
_AGREED_ON_ONE = 0.85
_LARGER_MM2 = 900.5  # a die of 20 mm that leans covers less
_LONGER_MM = 40.0  # ... and is shorter with its shadow
_STACKED_MM2 = 23.5  # this much beside a die is another one under it
THING_SAY = "I see something on the baize that I cannot read: move the dice apart or take it away."
CRUMB_SAY = "I see something small on the baize that looks like a pip: take it away."
OUTSIDE_SAY = "One die is outside the field. Throw again."
STACKED_SAY = "One die is lying on another or touching something: throw again."
COCKED_SAY = "One die is leaning on something or lying on another. Throw again."
_CORNERS = ("at the far left", "at the far right", "at the near right", "at the near left")  # of markers 0 to 3
_ON_MARKER = 0.75  # in diagonals of the marker, from its middle: on it or on its paper
_CONTRARY = 0.6  # spots of the other sign within a face this strong beside its pips may be the true pips
_INSIDE = 0.45  # in edges of the face, about its middle
_OWN = 0.8  # spots within this many radii of a pip are its own shine
_PIP_SIZE = 1.4  # pips of the dice of one throw differ in radius mostly by less than this factor
_CLEAR_SQUARE = 0.8  # with more than this part of the rays on its square a face may have one contrary spot
_VERY_STRONG = 100  # contrast of a spot that only a die has
# The smear of 121 still dice, rendered and path-traced, was 0.37 at most, and below 0.3 for 99 of 100; of 19 dice that
# moved by 4 mm during the exposure 17 were above this.
_SMEARED = 0.42
_SMEARED_ROWS = 0.5  # of a 6, whose rows may run together: 3 of 1,400 rendered throws had 0.42 to 0.44, lying still
_ROWS = 6
_STILL = 0.3  # a smear up to this costs no confidence
# Levels of gloss on faces with dark and with light pips. Of 22 spots of a lamp that changed a value one had 41 and the
# others at least 45, with light pips 74; of 1,500 faces without a spot one had more (47, and it was glossy).
_GLOSSY_DARK, _GLOSSY_LIGHT = 39.5, 60.5
# ... times this where the network gives the value less than `_SURE`: a spot that turned a 2 into a 3 had 56, and the 3
# a chance of 0.75; one that turned a 4 into a 5 had 48, and the 5 a chance of 0.965. Of 66 correctly read faces with
# light pips and more than 22 none had less than 0.994.
_GLOSSY_DOUBTED = 0.5
GLOSSY_SAY = "The lamp shines on one die so that a pip may be hidden: turn the lamp away, or say what you threw."
UNSURE_SAY = "I am not sure of one die: say what you threw."
UNREAD_SAY = "I cannot make out one die: say what you threw, or throw again."
SMEARED_SAY = "One die was still moving: wait until all lie still."


def find_refusal(view: View, found: Scan) -> Reading | None:
    """Return the first reason not to read this, or None.

    Anything that hides dice comes first, because it makes everything else that was found uncertain; doubts about one
    die come last.
    """
    first = find_overriding_refusal(view, found)
    if first is not None:
        return first
    likely = likely_of(found.faces)
    unread = _refuse_unread(view, found, likely)
    if unread is not None:
        return unread
    if found.crumbs:
        return refused(Reason.UNEXPLAINED, CRUMB_SAY, at_px=view.original(*found.crumbs[0]), likely=likely)
    other = [*(thing.middle for thing in found.things), *found.blanks]
    if other:
        return refused(Reason.UNEXPLAINED, THING_SAY, at_px=view.original(*other[0]), likely=likely)
    if _shows_another_die(view, found):
        at = view.original(float(found.stray.at[0, 0]), float(found.stray.at[0, 1]))
        say = "I see pips of a die that I cannot read: move the dice apart, away from the wall."
        return refused(Reason.UNSURE, say, at_px=at, likely=likely)
    doubt = next((die for die in found.dice if is_doubtful(die, found.spots)), None)
    if doubt is not None:
        likely = possible_throws(found.dice, doubt)
        return refused(Reason.UNSURE, UNSURE_SAY, at_px=_place(view, doubt.face), likely=likely)
    return None if found.dice else refused(Reason.NO_DICE, "I see no dice on the baize.")


def find_overriding_refusal(view: View, found: Scan) -> Reading | None:
    """Return the refusal that precedes all others: dice are hidden, lie outside, move, shine or lean."""
    faces, likely = found.faces, likely_of(found.faces)
    hiding = found.hiding
    if hiding is not None and hiding.washed_out:
        return refused(Reason.GLARE, GLARE_SAY, at_px=view.original(*hiding.middle), likely=likely)
    if hiding is not None:
        return refused(Reason.HAND, "Take your hand out of the field.", at_px=view.original(*hiding.middle))
    outside = next((face for face in faces if not is_on_baize(view, face)), None)
    if outside is not None:
        return refused(Reason.OFF_FIELD, OUTSIDE_SAY, at_px=_place(view, outside))
    smeared = next((face for face, smear in zip(faces, found.smears, strict=True) if is_smeared(face, smear)), None)
    if smeared is not None:
        return refused(Reason.MOVING, SMEARED_SAY, at_px=_place(view, smeared), likely=likely)
    for die, gloss in zip(found.dice, found.glosses, strict=True):
        most = _GLOSSY_LIGHT if die.face.light else _GLOSSY_DARK
        if gloss > (most if die.agreement > _SURE else _GLOSSY_DOUBTED * most):
            return refused(Reason.GLARE, GLOSSY_SAY, at_px=_place(view, die.face), likely=likely)
    stances = enumerate(zip(found.dice, found.leaning, strict=True))
    tilted = next((index for index, (die, chance) in stances if leans(die, chance)), None)
    if tilted is None:
        return None
    at = _place(view, faces[tilted])
    if found.overhangs[tilted] > _STACKED_MM2:
        return refused(Reason.STACKED, STACKED_SAY, at_px=at, likely=likely)
    return refused(Reason.COCKED, COCKED_SAY, at_px=at, likely=likely)


def is_smeared(face: FaceFit, smear: float) -> bool:
    """Return True when a die's pips are so smeared (0..1, see `measure_smear`) that it was moving."""
    return smear > (_SMEARED_ROWS if face.value == _ROWS else _SMEARED)


def blame_marker(view: View, over: Overview, faces: Sequence[FaceFit], refusal: Reading) -> Reading:
    """Return the refusal; for something unreadable on a marker it says that the marker is covered or in a shadow.

    It says so too for something elsewhere, when none of the dice that were read covers the marker: with three markers
    the field is known less well, and dice seem to lean.
    """
    if refusal.reason not in (Reason.UNSURE, Reason.UNEXPLAINED, Reason.COCKED) or refusal.at_px is None:
        return refusal
    places = {number: view.at_px(view.at_mm(quad)) for number, quad in over.occluded_markers.items()}
    upon = [number for number, quad in places.items() if _lies_on_marker(np.array(refusal.at_px), quad)]
    without_die = [
        number
        for number, quad in over.occluded_markers.items()
        if not any(_lies_on_marker(face.middle, quad, face.edge_px / 2) for face in faces)
    ]
    blamed = next(iter(upon or without_die), None)
    if blamed is None:
        return refusal
    x, y = places[blamed].mean(axis=0).tolist()
    say = f"The marker {_CORNERS[blamed]} is covered, or half in a shadow: free it."
    at = refusal.at_px if upon else (round(x, 1), round(y, 1))
    # An unread thing on a marker is not part of the throw.
    likely = likely_of(faces) if upon and blamed in without_die else refusal.likely
    return replace(refusal, reason=Reason.UNEXPLAINED, say=say, at_px=at, likely=likely)


def _lies_on_marker(place: Real, quad: Places, beside: float = 0.0) -> bool:
    """Return True for a place (2) on a marker given by its corners (4, 2), on its paper, or this little beside it."""
    diagonal = float(np.linalg.norm(quad[0] - quad[2]))
    return float(np.linalg.norm(place - quad.mean(axis=0))) < _ON_MARKER * diagonal + beside


def confidence_of(die: ClassifiedFace, leaning: float, smear: float) -> float:
    """Return the confidence (0..1) in the whole claim: this value, lying flat, sharp. The weakest part decides."""
    return round(min(die.face.quality, die.agreement, 1.0 - leaning, 1.0 - max(0.0, smear - _STILL)), 3)


def _refuse_unread(view: View, found: Scan, likely: tuple[tuple[int, ...], ...]) -> Reading | None:
    """Return the refusal for the first die that only the network sees.

    A thing that is larger or longer than a die, or shows no pips, is not one.
    """
    for place, value in found.network_only:
        thing = next((thing for thing in found.things if lies_in(thing.box, place)), None)
        if thing is not None:
            bare = not any(lies_in(thing.box, (x, y)) for x, y in found.stray.at.tolist())
            left, top, right, bottom = thing.box
            is_long = max(right - left, bottom - top) > _LONGER_MM * PX_PER_MM
            if bare or thing.area_mm2 > _LARGER_MM2 or is_long:
                continue
        at = view.original(*place)
        # A die that shows a value lies flat, with the middle of its top over the place where it lies.
        if not (lies_in(view.baize, place) if value > 0 else near_baize(view, np.array([place]))[0]):
            return refused(Reason.OFF_FIELD, OUTSIDE_SAY, at_px=at)
        if value == 0:
            return refused(Reason.COCKED, COCKED_SAY, at_px=at, likely=likely)
        rest = likely[0] if likely else ()
        return refused(Reason.UNSURE, UNREAD_SAY, at_px=at, likely=(tuple(sorted((*rest, value))),))
    return None


def refuse_miscount(dice: Sequence[object], expected: int | None) -> Reading | None:
    """Return a refusal when the number of dice is not the `expected` one."""
    if expected is None or len(dice) == expected:
        return None
    wanted = "one die" if expected == 1 else f"{expected} dice"
    if len(dice) < expected:
        return refused(Reason.TOO_FEW, f"I see {len(dice)} of {wanted}: throw {wanted}.")
    return refused(Reason.TOO_MANY, f"I see {len(dice)} dice: leave only {wanted} in the field.")


def possible_throws(dice: Sequence[ClassifiedFace], doubt: ClassifiedFace) -> tuple[tuple[int, ...], ...]:
    """Return the possible throws: with the value that the doubtful die's pips show, or the network's."""
    rest = [die.face.value for die in dice if die is not doubt]
    values = dict.fromkeys((doubt.face.value, doubt.likeliest))
    return tuple(tuple(sorted((*rest, value))) for value in values)


def likely_of(faces: Sequence[FaceFit]) -> tuple[tuple[int, ...], ...]:
    """Return the throw that these faces make, as a refusal offers it; empty without faces."""
    return (tuple(sorted(face.value for face in faces)),) if faces else ()


def is_doubtful(die: ClassifiedFace, spots: Spots) -> bool:
    """Return True when pips or network alone would not be believed, or spots in the face contradict it."""
    least = _AGREED_ON_ONE if die.face.value == 1 else _AGREED
    if die.agreement < least or die.agreement * die.face.quality < _TOGETHER:
        return True
    by_lamp = die.face.light and die.face.value in _WITHOUT_MIDDLE
    limits = _LEAST_FIT_BY_LAMP if by_lamp else _LEAST_FIT
    # The single pip of a 1 always fits less well than several pips.
    if die.face.value > 1 and any(die.agreement < sure and die.face.quality < fit for sure, fit in limits):
        return True
    if die.agreement >= _CLEARLY:
        return False
    # Round spots of the other sign in the face contradict it: in a smeared picture the gaps may look like pips. One
    # alone counts only where the square around the face is unclear too: the plain middle of a 4 or 6 may look like one.
    face = die.face
    inside = np.linalg.norm(spots.at - face.middle, axis=1) < _INSIDE * face.edge_px
    strong = spots.strength > _CONTRARY * face.strength
    alike = (spots.radius > face.pip_px / PIP_LIKE) & (spots.radius < face.pip_px * PIP_LIKE)
    contrary = inside & strong & alike & (spots.light != face.light) & (spots.aspect > ROUND)
    # A bright ring around a dark pip belongs to the pip.
    away = np.linalg.norm(spots.at[:, None] - face.places[None], axis=2).min(axis=1)
    contrary &= away > _OWN * face.pip_px
    return int(contrary.sum()) > (1 if face.outline.agree > _CLEAR_SQUARE else 0)


def _shows_another_die(view: View, found: Scan) -> bool:
    """Return True when stray spots are too many, too strong or too much like pips to be specks."""
    stray = found.stray
    if len(stray) > 1 or (stray.strength > _VERY_STRONG).any():
        return True
    # One on the baize that has the size of the pips that were read is enough.
    left, top, right, bottom = view.baize
    x, y = stray.at[:, 0], stray.at[:, 1]
    inside = (x > left) & (x < right) & (y > top) & (y < bottom)
    usual = float(np.median([face.pip_px for face in found.faces])) if found.faces else np.inf
    ratio = stray.radius / usual
    return bool((inside & (ratio > 1 / _PIP_SIZE) & (ratio < _PIP_SIZE)).any())


def _place(view: View, face: FaceFit) -> Point:
    return view.original(float(face.middle[0]), float(face.middle[1]))
