"""Where the baize lies in the picture: markers, lens, pose, and the view from straight above."""

from vision.field.field import Field, locate_field
from vision.field.lens import Lens, usual_lens
from vision.field.markers import FIELD_MARKERS, Corners, marker_shows
from vision.field.occlusion import is_bare
from vision.field.rectify import followed
from vision.field.view import MARGIN_MM, PX_PER_MM, Box, Part, Places, View, overview, view_of, with_paper

__all__ = [
    "FIELD_MARKERS",
    "MARGIN_MM",
    "PX_PER_MM",
    "Box",
    "Corners",
    "Field",
    "Lens",
    "Part",
    "Places",
    "View",
    "followed",
    "is_bare",
    "locate_field",
    "marker_shows",
    "overview",
    "usual_lens",
    "view_of",
    "with_paper",
]
