"""The overview with which a reading begins: the foreground on the baize, and which markers are occluded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vision.field.markers import is_unoccluded
from vision.field.view import Places, View, paper_quad
from vision.foreground.segment import Survey, survey


@dataclass(frozen=True, slots=True, eq=False)
class Overview:
    """A first look over the whole field: the survey of the baize, the unoccluded markers and those that may not be.

    Markers are given by their corners (4, 2) in view pixels. One that lies clear explains its own dark squares, which
    would else pass for pips, and so does its paper (`papers`, one for each of them); of an occluded one only what shows
    is explained.
    """

    seen: Survey
    unoccluded_markers: Sequence[Places]
    papers: Sequence[Places]
    occluded_markers: Mapping[int, Places]


def look_over(view: View) -> Overview:
    """Tell cloth from foreground, and find out which markers are occluded."""
    unoccluded, occluded = _sort_markers(view)
    return Overview(survey(view, unoccluded), unoccluded, [paper_quad(quad) for quad in unoccluded], occluded)


def _sort_markers(view: View) -> tuple[list[Places], dict[int, Places]]:
    """The corners of the markers that lie clear, and by number of those that something may lie upon."""
    quads = view.marker_quads()
    if not quads:
        return [], {}
    seen = view.field.markers.items()
    clear = {number for number, corners in seen if is_unoccluded(view.pixels, number, corners)}
    return [quads[number] for number in clear], {number: quads[number] for number in quads.keys() - clear}
