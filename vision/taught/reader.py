"""Reads a throw of custom dice from a picture: decides between a reading and a refusal."""

from collections.abc import Sequence

from hardware.box import FieldLayout
from vision.capture.frame import Frame, Pixels
from vision.capture.quality import refuse_bad_light
from vision.field.field import Field, locate_field
from vision.field.view import View, view_of
from vision.foreground.overview import look_over
from vision.foreground.segment import find_regions
from vision.reader.reader import refuse_no_field
from vision.reader.refusal import refuse_miscount
from vision.reading import DieReading, Reading, read
from vision.taught.faces import DiceSet, Recognised
from vision.taught.finding import FoundDie, find_custom_dice
from vision.taught.refusal import THROW_AGAIN, find_refusal, find_too_near, place_of


def read_custom_dice(
    picture: Frame | Pixels, *, layout: FieldLayout, sets: tuple[DiceSet, ...], expected: int | None = None
) -> Reading:
    """Read the dice of custom sets that lie on the baize; see `vision.reader.reader.read_dice`."""
    pixels = picture.pixels if isinstance(picture, Frame) else picture
    bad_light = refuse_bad_light(pixels)
    if bad_light is not None:
        return bad_light
    field = locate_field(pixels, layout)
    if field is None:
        return refuse_no_field(pixels)
    return read_custom_field(pixels, field, sets, expected=expected)


def read_custom_field(
    pixels: Pixels, field: Field, sets: tuple[DiceSet, ...], *, expected: int | None = None
) -> Reading:
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
    return refusal or refuse_miscount(found, expected) or read(readings_of(view, found))


def readings_of(view: View, found: Sequence[FoundDie]) -> tuple[DieReading, ...]:
    """Return the readings of the recognised dice, each with its colour: the name of its body."""
    return tuple(
        DieReading(die.answer.value, place_of(view, die), die.answer.confidence, die.answer.colour)
        for die in found
        if isinstance(die.answer, Recognised)
    )
