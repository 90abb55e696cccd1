"""Decides whether custom dice are refused, and why, for throws and claims alike. Doubt comes last."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, product

import numpy as np

from vision.field.view import PX_PER_MM, View
from vision.foreground.overhang import measure_overhangs
from vision.foreground.segment import Survey
from vision.foreground.unexplained import find_unexplained
from vision.reader.refusal import STACKED_SAY
from vision.reader.scan import HAND_MM2
from vision.reading import Point, Reading, Reason, refused
from vision.taught.faces import Doubtful, Recognised
from vision.taught.finding import FoundDie
from vision.taught.polar import Places

_OVERLAP = 0.93  # dice may seem nearer to each other by this factor
_MOST_LIKELY = 3
_STICKS_OUT_MM2 = 12.0  # visible part of a die under another one


@dataclass(frozen=True, slots=True)
class Advice:
    """What people are told about dice that are not read.

    `doubtful` says what to do about a die that may show one thing or another.
    `unexplained` is the sentence about a thing that is none of these dice (by their `{names}`).
    `stacked` is the sentence about dice on one another.
    `off_field` is the sentence about a die off the baize.
    """

    doubtful: str
    unexplained: str
    stacked: str
    off_field: str


THROW_AGAIN = Advice(
    "say what you threw.",
    "I see something that is none of {names}: take it away, or move the dice apart.",
    STACKED_SAY,
    "One die lies outside the field. Throw again.",
)


def find_refusal(
    view: View,
    seen: Survey,
    found: Sequence[FoundDie],
    outside: FoundDie | None,
    advice: Advice,
    beside: Sequence[Places] = (),
) -> Reading | None:
    """Return the refusal with the first reason not to read these dice, or None.

    `outside` is a die that lies off the baize and belongs to the reading.
    `beside` are outlines (n, 2) in mm of other things that are explained, because they lie next to the baize.
    """
    things = find_unexplained(view, seen, [*(die.outline_mm for die in found), *beside])
    hand = next((thing for thing in things if thing.area_mm2 > HAND_MM2 and thing.from_outside), None)
    if hand is not None:
        return refused(Reason.HAND, "Take your hand out of the field.", at_px=view.original(*hand.middle))
    if outside is not None:
        return refused(Reason.OFF_FIELD, advice.off_field, at_px=place_of(view, outside))
    if things:
        names = " or ".join(dict.fromkeys(die.taught.name for die in found)) or "the dice that I was taught"
        say = advice.unexplained.format(names=names)
        return refused(Reason.UNEXPLAINED, say, at_px=view.original(*things[0].middle), likely=_likely(found))
    doubt = next((die for die in found if isinstance(die.answer, Doubtful)), None)
    if doubt is not None:
        say = f"I am not sure of one die: {advice.doubtful}"
        if isinstance(doubt.answer, Doubtful) and len(doubt.answer.likely) >= 2:
            labels = " or ".join(doubt.taught.label_of(value) for value in doubt.answer.likely[:_MOST_LIKELY])
            say = f"One die shows {labels}, I cannot tell which: {advice.doubtful}"
        return refused(Reason.UNSURE, say, at_px=place_of(view, doubt), likely=_likely(found))
    near = find_too_near(found)
    if near is not None:
        say = "Two dice lie too close for me: move them apart."
        return refused(Reason.UNSURE, say, at_px=place_of(view, near), likely=_likely(found))
    overhangs = measure_overhangs(seen, [die.outline_mm for die in found])
    lying = next((die for die, much in zip(found, overhangs, strict=True) if much > _STICKS_OUT_MM2), None)
    if lying is not None:
        return refused(Reason.STACKED, advice.stacked, at_px=place_of(view, lying), likely=_likely(found))
    return None if found else refused(Reason.NO_DICE, "I see no dice on the baize.")


def find_too_near(found: Sequence[FoundDie]) -> FoundDie | None:
    """Return a die that lies where there is no room for it next to another one, or None."""
    for index, die in enumerate(found):
        for other in found[:index]:
            least = _OVERLAP * min(one.taught.shape.least_apart_mm for one in (die, other)) * PX_PER_MM
            if np.linalg.norm(die.middle - other.middle) < least:
                return die
    return None


def place_of(view: View, die: FoundDie) -> Point:
    """Return the place in the picture of the middle of the top of a die."""
    return view.original(float(die.middle[0]), float(die.middle[1]))


def _likely(found: Sequence[FoundDie]) -> tuple[tuple[int, ...], ...]:
    """Return the throws that this may be, the likeliest first."""
    if not found:
        return ()
    choices = [(die.answer.value,) if isinstance(die.answer, Recognised) else die.answer.likely for die in found]
    throws = dict.fromkeys(tuple(sorted(throw)) for throw in islice(product(*choices), 64))
    return tuple(throws)[:_MOST_LIKELY]
