"""Finds the dice of a field: reads its regions, explains what lies there, and looks again where something is left."""

from dataclasses import replace
from functools import partial

import numpy as np

from vision.capture import Pixels
from vision.field import AROUND_MM, Box, Places, View, look_around
from vision.foreground import Overview, find_regions, look_outside_field
from vision.network import (
    LIKELY,
    SURE,
    ClassifiedFace,
    DiceMapper,
    FaceClassifier,
    StanceClassifier,
    keep_surest,
    split_by_agreement,
    stances_of,
)
from vision.pips import BESIDE_LOOK, CLOSER_LOOK, FIRST_LOOK, FaceFit, measure_gloss, measure_smear
from vision.reader.refusal import refuse_whatever_else
from vision.reader.region import Region, find_firm_faces, find_likely_faces, read_region
from vision.reader.scan import Scan, account_for, drop_specks, tell_network_only
from vision.reader.second_look import (
    fit_lattices,
    is_empty,
    search_by_network,
    see_on_map,
    unexplained_boxes,
)

# The chance of not lying flat below which a die lies flat; and that of its value without which this tells nothing of
# it: of a 2 whose one pip was read as a 1 the network gave the 1 a chance of 0.03 and a die that leans the rest.
_FLAT, _SEEN = 0.1, 0.15


def find_dice(
    view: View, over: Overview, classify: FaceClassifier, stance: StanceClassifier, mapper: DiceMapper
) -> Scan:
    """Find the dice of a field, and measure of each whether it lies flat.

    Every face is read twice, by its pips and by the network. What the network finds improbable is not believed
    but looked at again; then the network must be sure of it. Where something is left even so, or the map of the whole
    field shows a die that was not read, for one of the cloth's own colour is no foreground, the network searches for
    dice, unless those that were found already tell what is refused.
    """
    mapped = view.over_baize(mapper(look_around(view)) - AROUND_MM)
    found, regions, left = _scan(view, over, classify, mapped)
    found = _measured(view, found, stance)
    if left and refuse_whatever_else(view, found) is None:
        network_only = search_by_network(view, over, classify, left, found)
        more = fit_lattices(view, classify, network_only, found.faces)
        if more:
            found = _measured(view, account_for(view, over.seen, [*found.dice, *more], regions), stance)
            network_only = search_by_network(view, over, classify, left, found)
        found = tell_network_only(view, over.seen, found, network_only, mapped)
    return drop_specks(view, found)


def _measured(view: View, found: Scan, stance: StanceClassifier) -> Scan:
    """The scan with what is to be known of each die but its value."""
    leaning = stance(stances_of(view, found.faces)).tolist()
    dice = (
        die.as_flat() if chance < _FLAT and die.agreement > _SEEN else die
        for die, chance in zip(found.dice, leaning, strict=True)
    )
    close = [_close_up(view, face) for face in found.faces]
    smears = tuple(measure_smear(pixels, face) for pixels, face in close)
    glosses = tuple(measure_gloss(pixels, face) for pixels, face in close)
    return replace(found, dice=tuple(dice), leaning=tuple(leaning), smears=smears, glosses=glosses)


def _scan(view: View, over: Overview, classify: FaceClassifier, mapped: Places) -> tuple[Scan, list[Region], list[Box]]:
    """Find dice everywhere; where something is left unexplained, or the map shows a die, at places `mapped` (n, 2),
    look once more, closer, with milder demands. Told are the regions, too, and the boxes in which something is left
    even then.

    Where something hides dice, which is refused whatever else lies there, none are told.
    """
    seen = over.seen
    beside = look_outside_field(view)
    looks = [(box, FIRST_LOOK) for box in find_regions(seen)] + [(box, BESIDE_LOOK) for box in beside.boxes]
    regions = [read_region(view, over, box, find_firm_faces, look) for box, look in looks]
    boxes = [box for box, _ in looks]
    firm, doubted = _classify(view, classify, [face for region in regions for face in region.faces], LIKELY)
    found = account_for(view, seen, firm, regions)
    read = zip(boxes, regions, strict=True)
    empty = [box for box, region in read if is_empty(view, box, region, found.faces, beside.crowds)]
    glimpsed = see_on_map(view, classify, mapped, found.faces)
    again = unexplained_boxes(view, seen, classify, found, doubted, glimpsed, empty)
    if not again:
        return found, regions, []
    milder = partial(find_likely_faces, view, classify)
    closer = [read_region(view, over, box, milder, CLOSER_LOOK) for box in again]
    sure, _ = _classify(view, classify, [face for region in closer for face in region.faces], SURE)
    regions += closer
    found = account_for(view, seen, firm + keep_surest(sure), regions)
    left = [] if found.hiding is not None else unexplained_boxes(view, seen, classify, found, doubted, glimpsed, empty)
    return found, regions, left


def _classify(
    view: View, classify: FaceClassifier, faces: list[FaceFit], least: float
) -> tuple[list[ClassifiedFace], list[FaceFit]]:
    """The faces of the view, as `split_by_agreement` divides them."""
    places = np.array([face.middle for face in faces]).reshape(-1, 2)
    chances = classify(view.crops(places), view.slopes(places))
    return split_by_agreement([ClassifiedFace(face, row) for face, row in zip(faces, chances, strict=True)], least)


def _close_up(view: View, face: FaceFit) -> tuple[Pixels, FaceFit]:
    """The pixels about a face, and the face in them."""
    part = view.cut_out((*(face.middle - face.edge_px), *(face.middle + face.edge_px)))
    return part.pixels, face.moved(-np.array([part.left, part.top], np.float64))
