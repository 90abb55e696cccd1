"""Lead from one picture to one reading: light, field, overview, scan, verdict."""

from dataclasses import replace
from functools import partial

import numpy as np

from hardware.box import FieldLayout
from vision.capture.arrays import Places
from vision.capture.frame import Frame, Pixels, colour_name
from vision.capture.quality import BLURRED_SAY, blame_light_or_blur, is_blurred, refuse_bad_light
from vision.field.field import Field, locate_field
from vision.field.view import PX_PER_MM, Box, View, view_of
from vision.foreground.survey import Overview, find_regions, look_over, merge_overlapping
from vision.network.classified import LIKELY, SURE, ClassifiedFace, FaceClassifier, keep_surest, split_by_agreement
from vision.network.dice_map import DiceMapper, dice_map
from vision.network.network import StanceClassifier, face_network, stance_network, stances_of
from vision.pips.face_check import FaceFit
from vision.pips.flaws import measure_gloss, measure_smear
from vision.pips.search import BESIDE_LOOK, CLOSER_LOOK, FIRST_LOOK
from vision.reader.refusal import blame_marker, confidence_of, find_overriding_refusal, find_refusal, refuse_miscount
from vision.reader.region import (
    Asker,
    Region,
    asker_of,
    find_firm_faces,
    find_likely_faces,
    holds_any,
    lie_well_inside,
    read_region,
)
from vision.reader.retry import fit_lattices, is_empty, search_by_network, see_on_map, see_on_markers, unexplained_boxes
from vision.reader.scan import Scan, account_for, add_network_only, drop_specks
from vision.reader.trace import Stage, Trace, show_cloth, show_faces, show_field, stage
from vision.reading import DieReading, Reading, Reason, read, refused

# Below this chance of not lying flat a die lies flat; with less than this chance of its value that means nothing: for a
# 2 with one pip read as a 1 the network gave the 1 a chance of 0.03 and a leaning die the rest.
_FLAT, _SEEN = 0.1, 0.15
# Outside the baize this much is read around each place on the map, in at most this many boxes.
_HALF_MM, _MOST_BESIDE = 20.0, 4


def find_dice(
    view: View, over: Overview, classify: FaceClassifier, stance: StanceClassifier, mapper: DiceMapper
) -> Scan:
    """Find the dice of a field, and measure whether each lies flat.

    Every face is read twice, by its pips and by the network. A face that the network finds improbable is looked at
    again; then the network must be sure of it. If something is still left, or the map of the whole field shows a die
    that was not read (a die of the cloth's own colour is not in the foreground), the network searches for dice, unless
    those already found are a reason to refuse.
    """
    ask = asker_of(view, classify, mapper)
    found, regions, left, glimpsed = _scan(view, over, ask)
    found = _measured(view, found, stance)
    on_markers = see_on_markers(over, ask, found.faces)
    if (left or on_markers) and find_overriding_refusal(view, found) is None:
        network_only = search_by_network(over, ask, left, found)
        more = fit_lattices(ask, network_only, found)
        if more:
            found = _measured(view, account_for(view, over.seen, [*found.dice, *more], regions, ask.mapped), stance)
            network_only = search_by_network(over, ask, left, found)
        glimpsed = np.concatenate((glimpsed, np.array([place for place, _ in on_markers]).reshape(-1, 2)))
        network_only = (*network_only, *on_markers)
        found = add_network_only(view, over.seen, found, network_only, ask.mapped.likely, glimpsed)
    return drop_specks(view, found)


def _measured(view: View, found: Scan, stance: StanceClassifier) -> Scan:
    """Return the scan with every measurement of each die except its value."""
    leaning = stance(stances_of(view, found.faces)).tolist()
    dice = (
        die.as_flat() if chance < _FLAT and die.agreement > _SEEN else die
        for die, chance in zip(found.dice, leaning, strict=True)
    )
    smears, glosses = [], []
    for face in found.faces:
        part = view.cut_out((*(face.middle - face.edge_px), *(face.middle + face.edge_px)))
        moved = face.moved(-np.array([part.left, part.top], np.float64))
        smears.append(measure_smear(part.pixels, moved))
        glosses.append(measure_gloss(part.pixels, moved))
    return replace(found, dice=tuple(dice), leaning=tuple(leaning), smears=tuple(smears), glosses=tuple(glosses))


def _scan(view: View, over: Overview, ask: Asker) -> tuple[Scan, list[Region], list[Box], Places]:
    """Find dice everywhere; where something is left unexplained, or the map shows a die, look again, closer, with
    milder demands. Also return the regions, the boxes in which something is left even then, and the places where the
    network saw a die that the map showed.

    Where something hides dice, which is refused whatever else lies there, no boxes are returned.
    """
    seen = over.seen
    # Outside the baize, or at its edge, only places that the map shows are read; on it everything that is not cloth,
    # unless the map rules a die out.
    places, half = ask.mapped.likely, _HALF_MM * PX_PER_MM
    beside = places[~lie_well_inside(view, places)].tolist()
    around = merge_overlapping([(x - half, y - half, x + half, y + half) for x, y in beside])
    on_baize = (box for box in find_regions(seen) if holds_any(box, ask.mapped.possible))
    looks = [(box, FIRST_LOOK) for box in on_baize] + [(box, BESIDE_LOOK) for box in around[:_MOST_BESIDE]]
    regions = [read_region(view, over, box, find_firm_faces, look) for box, look in looks]
    boxes = [box for box, _ in looks]
    firm, doubted = _classify(ask, [face for region in regions for face in region.faces], LIKELY)
    found = account_for(view, seen, firm, regions, ask.mapped)
    read = zip(boxes, regions, strict=True)
    empty = [box for box, region in read if is_empty(view, box, region, found.faces)]
    glimpsed = see_on_map(over, ask, found.faces)
    again = unexplained_boxes(seen, ask, found, doubted, glimpsed, empty)
    if not again:
        return found, regions, [], glimpsed
    milder = partial(find_likely_faces, ask)
    closer = [read_region(view, over, box, milder, CLOSER_LOOK) for box in again]
    sure, _ = _classify(ask, [face for region in closer for face in region.faces], SURE)
    regions += closer
    found = account_for(view, seen, firm + keep_surest(sure), regions, ask.mapped)
    left = [] if found.hiding is not None else unexplained_boxes(seen, ask, found, doubted, glimpsed, empty)
    return found, regions, left, glimpsed


def _classify(ask: Asker, faces: list[FaceFit], least: float) -> tuple[list[ClassifiedFace], list[FaceFit]]:
    """Return the faces of the view, divided by `split_by_agreement`."""
    chances = ask(np.array([face.middle for face in faces]).reshape(-1, 2))
    return split_by_agreement([ClassifiedFace(face, row) for face, row in zip(faces, chances, strict=True)], least)


def read_dice(
    picture: Frame | Pixels,
    *,
    layout: FieldLayout,
    die_mm: float,
    expected: int | None = None,
    trace: Trace | None = None,
) -> Reading:
    """Read the dice that lie on the baize.

    `layout` describes the field and its markers. `die_mm` is the edge of the box's dice, a hint. Any other number of
    dice than `expected` is refused. `trace` collects the pictures of the stages. A picture that cannot be read gives a
    `Reading` with a verdict, never an exception.
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
    return read_field(pixels, field, die_mm=die_mm, expected=expected, trace=trace)


def refuse_no_field(pixels: Pixels) -> Reading:
    """Return the refusal of a picture in which the field was not found."""
    if is_blurred(pixels):
        return refused(Reason.BLURRED, BLURRED_SAY)
    return refused(Reason.NO_FIELD, "I do not see the markers in the corners of the baize.")


def read_field(
    pixels: Pixels, field: Field, *, die_mm: float, expected: int | None = None, trace: Trace | None = None
) -> Reading:
    """Read the dice in a picture whose field is known; see `read_dice`."""
    with stage(trace, Stage.SURVEY):
        view = view_of(pixels, field, die_mm)
        over = look_over(view)
    with stage(trace, Stage.FACES):
        found = find_dice(view, over, face_network().classify, stance_network().classify, dice_map().find)
    with stage(trace, Stage.VERDICT):
        refusal = find_refusal(view, found) or refuse_miscount(found.dice, expected)
        if refusal:
            answer = blame_light_or_blur(pixels, blame_marker(view, over, found.faces, refusal))
        else:
            dice = []
            for die, leaning, smear in zip(found.dice, found.leaning, found.smears, strict=True):
                at = view.original(float(die.face.middle[0]), float(die.face.middle[1]))
                confidence = confidence_of(die, leaning, smear)
                dice.append(DieReading(die.face.value, at, confidence, colour_name(die.face.body), die.next_likely))
            answer = read(tuple(dice))
    if trace is not None:
        foreground = over.seen.foreground
        masks = {"other": foreground.odd, "dark": foreground.dark, "shade": foreground.shade}
        show_field(trace, view.pixels, view.field)
        show_cloth(trace, view.cut_out((0.0, 0.0, *view.size)).pixels, masks)
        whole = view.cut_out((0.0, 0.0, *view.size)).pixels
        show_faces(trace, whole, found.spots, found.stray, found.faces, [die.agreement for die in found.dice])
    return answer
