"""Lead from one picture to one reading: light, field, overview, scan, verdict."""

from hardware.box import FieldLayout
from vision.capture.frame import Frame, Pixels, colour_name
from vision.capture.quality import BLURRED_SAY, blame_light_or_blur, is_blurred, refuse_bad_light
from vision.field.field import Field, locate_field
from vision.field.view import view_of
from vision.foreground.survey import look_over
from vision.network.networks import packaged
from vision.reader.dice import find_dice
from vision.reader.refusal import blame_marker, confidence_of, find_refusal
from vision.reader.trace import Stage, Trace, show_cloth, show_faces, show_field, stage
from vision.reading import DieReading, Reading, Reason, check_count, read, refused


def read_dice(
    picture: Frame | Pixels,
    *,
    layout: FieldLayout,
    die_mm: float,
    counts: frozenset[int] = frozenset(),
    trace: Trace | None = None,
) -> Reading:
    """Read the dice that lie on the baize.

    `layout` describes the field and its markers. `die_mm` is the edge of the box's dice, a hint. `counts` are the
    numbers of dice that may have been thrown, empty where nobody knows it: any other number is refused.
    `trace` collects the pictures of the stages. A picture that cannot be read gives a `Reading` with a verdict, never
    an exception.
    """
    pixels = picture.pixels if isinstance(picture, Frame) else picture
    with stage(trace, Stage.HEALTH):
        bad_light = refuse_bad_light(pixels)
    if bad_light is not None:
        return bad_light
    with stage(trace, Stage.FIELD):
        field = locate_field(pixels, layout)
    if field is None:
        return refuse_no_field(pixels)
    return check_count(read_field(pixels, field, die_mm=die_mm, counts=counts, trace=trace), counts)


def refuse_no_field(pixels: Pixels) -> Reading:
    """Return the refusal of a picture in which the field was not found."""
    if is_blurred(pixels):
        return refused(Reason.BLURRED, BLURRED_SAY)
    return refused(Reason.NO_FIELD, "I do not see the markers in the corners of the baize.")


def read_field(
    pixels: Pixels,
    field: Field,
    *,
    die_mm: float,
    counts: frozenset[int] = frozenset(),
    trace: Trace | None = None,
) -> Reading:
    """Read the dice in a picture whose field is known; see `read_dice`. Any number of them is read."""
    with stage(trace, Stage.SURVEY):
        view = view_of(pixels, field, die_mm)
        over = look_over(view)
    with stage(trace, Stage.FACES):
        found = find_dice(view, over, packaged())
    with stage(trace, Stage.VERDICT):
        refusal = find_refusal(view, found, counts)
        if refusal:
            answer = blame_light_or_blur(pixels, blame_marker(view, over, found.faces, refusal))
        else:
            dice = []
            for die in found.dice:
                at = view.original(float(die.face.middle[0]), float(die.face.middle[1]))
                confidence = confidence_of(die)
                dice.append(DieReading(die.face.value, at, confidence, colour_name(die.face.body), die.next_likely))
            answer = read(tuple(dice))
    if trace is not None:
        foreground = over.seen.foreground
        masks = {"other": foreground.odd, "dark": foreground.dark, "shade": foreground.shade}
        show_field(trace, view.pixels, view.field)
        whole = view.cut_out((0.0, 0.0, *view.size)).pixels
        show_cloth(trace, whole, masks)
        show_faces(trace, whole, found)
    return answer
