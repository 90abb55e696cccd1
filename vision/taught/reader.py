"""Reads a picture of taught dice: decides between a reading and a refusal, and what is none of them."""

from collections.abc import Sequence
from itertools import islice, product

import numpy as np

from hardware.box import FieldLayout
from vision.capture import Frame, Pixels, refuse_bad_light
from vision.field import PX_PER_MM, Field, View, locate_field, view_of
from vision.foreground import Survey, find_regions, find_unexplained, look_over, measure_overhangs
from vision.reader import HAND_MM2, STACKED_SAY, refuse_miscount, refuse_no_field
from vision.reading import DieReading, Point, Reading, Reason, read, refused
from vision.taught.faces import Doubtful, Recognised, TaughtSet
from vision.taught.finding import FoundDie, find_taught

_OVERLAP = 0.93  # dice may seem nearer to each other than they are by this part
_MOST_LIKELY = 3
_STICKS_OUT_MM2 = 12.0  # of another die, where one lies upon it


def read_taught_dice(
    picture: Frame | Pixels, *, layout: FieldLayout, sets: tuple[TaughtSet, ...], expected: int | None = None
) -> Reading:
    """Read the dice of taught sets that lie on the baize; see `vision.reader.reader.read_dice`."""
    pixels = picture.pixels if isinstance(picture, Frame) else picture
    bad_light = refuse_bad_light(pixels)
    if bad_light is not None:
        return bad_light
    field = locate_field(pixels, layout)
    if field is None:
        return refuse_no_field(pixels)
    return read_taught(pixels, field, sets, expected=expected)


def read_taught(pixels: Pixels, field: Field, sets: tuple[TaughtSet, ...], *, expected: int | None = None) -> Reading:
    """Read the dice of taught sets in a picture whose field is known; what is none of them is a refusal."""
    view = view_of(pixels, field, sets[0].shape.height_mm)
    seen = look_over(view).seen
    boxes = find_regions(seen)
    found = _drop_answered_doubts([die for taught in sets for die in find_taught(view, seen, boxes, taught)])
    return _find_refusal(view, seen, found) or refuse_miscount(found, expected) or read(_dice(view, found))


def _drop_answered_doubts(found: list[FoundDie]) -> list[FoundDie]:
    """The dice without doubts about those that another set recognises."""
    sure = [die for die in found if isinstance(die.answer, Recognised)]
    return [
        die
        for die in found
        if isinstance(die.answer, Recognised)
        or not any(one.taught is not die.taught and _find_too_near([one, die]) for one in sure)
    ]


def _find_refusal(view: View, seen: Survey, found: Sequence[FoundDie]) -> Reading | None:
    """The refusal with the first reason why this is not to be read, or None."""
    things = find_unexplained(view, seen, [die.outline_mm for die in found])
    hand = next((thing for thing in things if thing.area_mm2 > HAND_MM2 and thing.from_outside), None)
    if hand is not None:
        return refused(Reason.HAND, "Take your hand out of the field.", at_px=view.original(*hand.middle))
    outside = next((die for die in found if _is_outside(view, die)), None)
    if outside is not None:
        return refused(Reason.OFF_FIELD, "One die lies outside the field. Throw again.", at_px=_place(view, outside))
    if things:
        names = " or ".join(dict.fromkeys(die.taught.name for die in found)) or "the dice that I was taught"
        say = f"I see something that is none of {names}: take it away, or move the dice apart."
        return refused(Reason.UNEXPLAINED, say, at_px=view.original(*things[0].middle), likely=_likely(found))
    doubt = next((die for die in found if isinstance(die.answer, Doubtful)), None)
    if doubt is not None:
        return refused(Reason.UNSURE, _doubt_sentence(doubt), at_px=_place(view, doubt), likely=_likely(found))
    near = _find_too_near(found)
    if near is not None:
        say = "Two dice lie too close for me: move them apart."
        return refused(Reason.UNSURE, say, at_px=_place(view, near), likely=_likely(found))
    beside = measure_overhangs(seen, [die.outline_mm for die in found])
    lying = next((die for die, much in zip(found, beside, strict=True) if much > _STICKS_OUT_MM2), None)
    if lying is not None:
        return refused(Reason.STACKED, STACKED_SAY, at_px=_place(view, lying), likely=_likely(found))
    return None if found else refused(Reason.NO_DICE, "I see no dice on the baize.")


def _doubt_sentence(die: FoundDie) -> str:
    if not isinstance(die.answer, Doubtful) or len(die.answer.likely) < 2:
        return "I am not sure of one die: say what you threw."
    labels = " or ".join(die.taught.label_of(value) for value in die.answer.likely[:_MOST_LIKELY])
    return f"One die shows {labels}, I cannot tell which: say what you threw."


def _likely(found: Sequence[FoundDie]) -> tuple[tuple[int, ...], ...]:
    """The throws that this may be, the likeliest first."""
    if not found:
        return ()
    choices = [(die.answer.value,) if isinstance(die.answer, Recognised) else die.answer.likely for die in found]
    throws = dict.fromkeys(tuple(sorted(throw)) for throw in islice(product(*choices), 64))
    return tuple(throws)[:_MOST_LIKELY]


def _find_too_near(found: Sequence[FoundDie]) -> FoundDie | None:
    for index, die in enumerate(found):
        for other in found[:index]:
            least = _OVERLAP * min(one.taught.shape.least_apart_mm for one in (die, other)) * PX_PER_MM
            if np.linalg.norm(die.middle - other.middle) < least:
                return die
    return None


def _dice(view: View, found: Sequence[FoundDie]) -> tuple[DieReading, ...]:
    return tuple(
        DieReading(die.answer.value, _place(view, die), die.answer.confidence, die.answer.colour)
        for die in found
        if isinstance(die.answer, Recognised)
    )


def _is_outside(view: View, die: FoundDie) -> bool:
    """True if a die's middle lies beside the baize; what is not clearly a die there is the wall."""
    left, top, right, bottom = view.baize
    return isinstance(die.answer, Recognised) and not (left < die.middle[0] < right and top < die.middle[1] < bottom)


def _place(view: View, die: FoundDie) -> Point:
    return view.original(float(die.middle[0]), float(die.middle[1]))
