"""Take the overview with which a reading begins: the foreground on the baize, and which markers are occluded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vision.field.markers import is_unoccluded
from vision.field.view import Places, View, paper_quad
from vision.foreground.segment import Survey, survey


@dataclass(frozen=True, slots=True, eq=False)
class Overview:
    """A first look over the whole field: the survey of the baize, the unoccluded markers and the possibly occluded
    ones.

    Markers are given by their corners (4, 2) in view pixels. An unoccluded one explains its own dark squares, which
    would otherwise pass for pips, and so does its paper (`papers`, one for each of them); of an occluded one only the
    visible part is explained.
    """

    seen: Survey
    unoccluded_markers: Sequence[Places]
    papers: Sequence[Places]
    occluded_markers: Mapping[int, Places]


def look_over(view: View) -> Overview:
    """Separate cloth from foreground, and find out which markers are occluded."""
    quads = view.marker_quads()
    seen = view.field.markers.items()
    clear = {number for number, corners in seen if is_unoccluded(view.pixels, number, corners)} if quads else set()
    unoccluded = [quads[number] for number in clear]
    occluded = {number: quads[number] for number in quads.keys() - clear}
    return Overview(survey(view, unoccluded), unoccluded, [paper_quad(quad) for quad in unoccluded], occluded)
