"""A first look over the field: the cloth and what lies on it, the markers and what lies on them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vision.field import Places, View, is_unoccluded
from vision.foreground.segment import Survey, survey


@dataclass(frozen=True, slots=True, eq=False)
class Overview:
    """A first look over the whole field: what is no cloth, the markers that lie bare and those that may not.

    Markers are given by their corners (4, 2) in view pixels.
    """

    seen: Survey
    unoccluded_markers: Sequence[Places]
    occluded_markers: Mapping[int, Places]


def look_over(view: View) -> Overview:
    """Tell the cloth from what lies on it, and look whether something lies on the markers."""
    unoccluded, occluded = _sort_markers(view)
    return Overview(survey(view, unoccluded), unoccluded, occluded)


def _sort_markers(view: View) -> tuple[list[Places], dict[int, Places]]:
    """The corners of the markers that lie bare, and of those that something may lie upon."""
    quads = view.marker_quads()
    if not quads:
        return [], {}
    seen = view.field.markers.items()
    clear = {number for number, corners in seen if is_unoccluded(view.pixels, number, corners)}
    return [quads[number] for number in clear], {number: quads[number] for number in quads.keys() - clear}
