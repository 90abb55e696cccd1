"""Decide whether to refuse a reading, and why: the reasons in their order, each in words and with its place.

A refusal costs a throw, a wrong value the game: anything left unexplained is refused.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from vision.capture.arrays import Places, Real
from vision.capture.quality import GLARE_SAY
from vision.field.view import PX_PER_MM, Box, View
from vision.foreground.survey import Overview
from vision.foreground.things import UnexplainedThing
from vision.pips.face import Face
from vision.reader.claims import CERTAIN, Claim
from vision.reader.dice import Die, Found
from vision.reading import Point, Reading, Reason, refused

# The chance of not lying flat above which a die leans. Of 385 throws to read and 215 to refuse, of a fresh set that had
# been used up, 0.5 gave 364 exact readings and 10 that must not be given, 0.6 gave 367 and 11.
LEANS = 0.6
_STACKED_MM2 = 23.5  # this much beside a die is another one under it
_AT_WALL = 0.25  # the middle of a die on the baize is farther than this from its edge, in edges of the die
_LARGER_MM2, _LONGER_MM = 900.5, 40.0  # a die of 20 mm that leans covers less, and is shorter with its shadow
THING_SAY = "I see something on the baize that I cannot read: move the dice apart or take it away."
OUTSIDE_SAY = "One die is outside the field. Throw again."
STACKED_SAY = "One die is lying on another or touching something: throw again."
COCKED_SAY = "One die is leaning on something or lying on another. Throw again."
UNREAD_SAY = "I cannot make out one die: say what you threw, or throw again."
GLOSSY_SAY = "The lamp shines on one die so that a pip may be hidden: turn the lamp away, or say what you threw."
SMEARED_SAY = "One die was still moving: wait until all lie still."
_CORNERS = ("at the far left", "at the far right", "at the near right", "at the near left")  # of markers 0 to 3
_ON_MARKER = 0.75  # in diagonals of the marker, from its middle: on it or on its paper
# The smear of 121 still dice, rendered and path-traced, was 0.37 at most, and below 0.3 for 99 of 100; of 19 dice that
# moved by 4 mm during the exposure 17 were above this.
_SMEARED = 0.42
_SMEARED_ROWS = 0.5  # of a 6, whose rows may run together: 3 of 1,400 rendered throws had 0.42 to 0.44, lying still
_ROWS = 6
_STILL = 0.3  # a smear up to this costs no confidence


def find_refusal(view: View, found: Found, counts: frozenset[int]) -> Reading | None:
    """Return the first reason not to read this, or None; `counts` as in `read_dice`."""
    return next(_refusals(view, found, counts), None)


def _refusals(view: View, found: Found, counts: frozenset[int]) -> Iterator[Reading]:
    """Yield the reasons not to read this; whatever hides dice comes first, because it makes all else uncertain."""
    likely, hiding = likely_of(found.faces), found.hiding
    if hiding is not None and hiding.washed_out:
        yield refused(Reason.GLARE, GLARE_SAY, at_px=view.original(*hiding.middle), likely=likely)
    if hiding is not None:
        yield refused(Reason.HAND, "Take your hand out of the field.", at_px=view.original(*hiding.middle))
    for die in found.dice:
        yield from _refusals_of_die(view, die, likely)
    # When as many dice as can have been thrown were read, none is hidden under a coin, and none lies beside the baize,
    # where the number of a tile may look like pips; a finger may still turn one.
    all_read = bool(counts) and len(found.dice) >= max(counts)
    for claim in found.unread:
        if _lies_in(view.baize, claim.place.tolist()) or not all_read:
            yield from _refusals_of_claim(view, claim, found, likely)
    for thing in found.things:
        if thing.from_outside or not all_read:
            yield refused(Reason.UNEXPLAINED, THING_SAY, at_px=view.original(*thing.middle), likely=likely)
    if not found.dice:
        yield refused(Reason.NO_DICE, "I see no dice on the baize.")


def _refusals_of_die(view: View, die: Die, likely: tuple[tuple[int, ...], ...]) -> Iterator[Reading]:
    """Yield the reasons not to take a die that was read: it lies outside, moves, shines or leans."""
    x, y = die.face.middle.tolist()
    at = view.original(x, y)
    if not _lies_in(view.baize, (x, y), -_AT_WALL * die.face.edge_px):
        yield refused(Reason.OFF_FIELD, OUTSIDE_SAY, at_px=at)
    if die.smear > (_SMEARED_ROWS if die.face.value == _ROWS else _SMEARED):
        yield refused(Reason.MOVING, SMEARED_SAY, at_px=at, likely=likely)
    if die.washed_out:
        yield refused(Reason.GLARE, GLOSSY_SAY, at_px=at, likely=likely)
    if die.leaning > LEANS and die.overhang_mm2 > _STACKED_MM2:
        yield refused(Reason.STACKED, STACKED_SAY, at_px=at, likely=likely)
    if die.leaning > LEANS:
        yield refused(Reason.COCKED, COCKED_SAY, at_px=at, likely=likely)


def _refusals_of_claim(
    view: View, claim: Claim, found: Found, likely: tuple[tuple[int, ...], ...]
) -> Iterator[Reading]:
    """Yield why a die whose pips were not made out is not read; nothing where something larger than a die lies."""
    x, y = claim.place.tolist()
    if any(_lies_in(thing.box, (x, y)) and _is_larger_than_die(thing) for thing in found.things):
        return
    at = view.original(x, y)
    # A die that shows a value lies flat, with the middle of its top over the place where it lies.
    if not _lies_in(view.baize, (x, y)):
        yield refused(Reason.OFF_FIELD, OUTSIDE_SAY, at_px=at)
    if claim.leans:
        yield refused(Reason.COCKED, COCKED_SAY, at_px=at, likely=likely)
    if claim.chances[claim.value] < CERTAIN:
        yield refused(Reason.UNEXPLAINED, THING_SAY, at_px=at, likely=likely)
    rest = likely[0] if likely else ()
    yield refused(Reason.UNSURE, UNREAD_SAY, at_px=at, likely=(tuple(sorted((*rest, claim.value))),))


def _is_larger_than_die(thing: UnexplainedThing) -> bool:
    left, top, right, bottom = thing.box
    return thing.area_mm2 > _LARGER_MM2 or max(right - left, bottom - top) > _LONGER_MM * PX_PER_MM


def _lies_in(box: Box, place: Point, beside: float = 0.0) -> bool:
    """Return True when a place lies in a box, or this little beside it; if that is negative, at least as far inside."""
    left, top, right, bottom = box
    return left - beside <= place[0] <= right + beside and top - beside <= place[1] <= bottom + beside


def blame_marker(view: View, over: Overview, faces: Sequence[Face], refusal: Reading) -> Reading:
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


def confidence_of(die: Die) -> float:
    """Return the confidence (0..1) in the whole claim: this value, lying flat, sharp. The weakest part decides."""
    return round(min(die.face.quality, die.agreement, 1.0 - die.leaning, 1.0 - max(0.0, die.smear - _STILL)), 3)


def likely_of(faces: Sequence[Face]) -> tuple[tuple[int, ...], ...]:
    """Return the throw that these faces make, as a refusal offers it; empty without faces."""
    return (tuple(sorted(face.value for face in faces)),) if faces else ()
