"""Reads a throw of custom dice from a picture: decides between a reading and a refusal."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, product

import numpy as np

from hardware.box import FieldLayout
from vision.capture.arrays import Places
from vision.capture.frame import Frame, Pixels
from vision.capture.quality import refuse_bad_light
from vision.custom_dice.faces import DiceSet, Doubtful, Recognised
from vision.custom_dice.finding import FoundDie, find_custom_dice
from vision.custom_dice.regions import find_regions
from vision.field.field import Field, locate_field
from vision.field.view import PX_PER_MM, View, view_of
from vision.foreground.survey import Survey, look_over
from vision.foreground.unexplained import find_unexplained, measure_overhangs
from vision.reader.reader import refuse_no_field
from vision.reader.refusal import STACKED_SAY
from vision.reading import DieReading, Point, Reading, Reason, check_count, read, refused

_OVERLAP = 0.93  # dice may seem nearer to each other by this factor
_MOST_LIKELY = 3
_STICKS_OUT_MM2 = 12.0  # visible part of a die under another one


@dataclass(frozen=True, slots=True)
class Advice:
    """What people are told about dice that are not read."""

    doubtful: str  # what to do about a die that may show one thing or another
    unexplained: str  # sentence about a thing that is none of these dice (by their `{names}`)
    stacked: str  # sentence about dice on one another
    off_field: str  # sentence about a die off the baize


THROW_AGAIN = Advice(
    "say what you threw.",
    "I see something that is none of {names}: take it away, or move the dice apart.",
    STACKED_SAY,
    "One die is outside the field. Throw again.",
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
    hand = next((thing for thing in things if thing.is_hand), None)
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
    """Return the throws that these dice may be, the likeliest first."""
    if not found:
        return ()
    choices = [(die.answer.value,) if isinstance(die.answer, Recognised) else die.answer.likely for die in found]
    throws = dict.fromkeys(tuple(sorted(throw)) for throw in islice(product(*choices), 64))
    return tuple(throws)[:_MOST_LIKELY]


def read_custom_dice(
    picture: Frame | Pixels, *, layout: FieldLayout, sets: tuple[DiceSet, ...], counts: frozenset[int] = frozenset()
) -> Reading:
    """Read the dice of custom sets that lie on the baize; see `vision.reader.reader.read_dice`."""
    pixels = picture.pixels if isinstance(picture, Frame) else picture
    bad_light = refuse_bad_light(pixels)
    if bad_light is not None:
        return bad_light
    field = locate_field(pixels, layout)
    if field is None:
        return refuse_no_field(pixels)
    return check_count(read_custom_field(pixels, field, sets), counts)


def read_custom_field(pixels: Pixels, field: Field, sets: tuple[DiceSet, ...]) -> Reading:
    """Read the dice of custom sets in a picture whose field is known; anything else is refused."""
    view = view_of(pixels, field, sets[0].shape.height_mm)
    seen = look_over(view).seen
    boxes = find_regions(seen)
    found = [die for taught in sets for die in find_custom_dice(view, seen, boxes, taught)]
    sure = [die for die in found if isinstance(die.answer, Recognised)]
    # Doubts about dice that another set recognises are dropped.
    found = [
        die
        for die in found
        if isinstance(die.answer, Recognised)
        or not any(one.taught is not die.taught and find_too_near([one, die]) for one in sure)
    ]
    left, top, right, bottom = view.baize
    # A thing outside the baize that is not clearly a die is the wall.
    outside = next((die for die in sure if not (left < die.middle[0] < right and top < die.middle[1] < bottom)), None)
    refusal = find_refusal(view, seen, found, outside, THROW_AGAIN)
    return refusal or read(readings_of(view, found))


def readings_of(view: View, found: Sequence[FoundDie]) -> tuple[DieReading, ...]:
    """Return the readings of the recognised dice, each with its colour: the name of its body."""
    return tuple(
        DieReading(die.answer.value, place_of(view, die), die.answer.confidence, die.answer.colour)
        for die in found
        if isinstance(die.answer, Recognised)
    )
