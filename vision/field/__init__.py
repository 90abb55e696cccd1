"""The field in the picture: its markers and their occlusion, the lens, the pose of the camera, the view from above."""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from vision.field.field import Field, locate_field
    from vision.field.lens import Lens, usual_lens
    from vision.field.markers import FIELD_MARKERS, Corners, find_markers, marker_shows
    from vision.field.occlusion import is_unoccluded
    from vision.field.rectify import remap
    from vision.field.view import (
        AROUND_MM,
        MARGIN_MM,
        PX_PER_MM,
        Box,
        Cutout,
        Places,
        View,
        look_around,
        overhead_table,
        paper_quad,
        unpadded,
        view_of,
    )
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = [
    "AROUND_MM",
    "FIELD_MARKERS",
    "MARGIN_MM",
    "PX_PER_MM",
    "Box",
    "Corners",
    "Cutout",
    "Field",
    "Lens",
    "Places",
    "View",
    "find_markers",
    "is_unoccluded",
    "locate_field",
    "look_around",
    "marker_shows",
    "overhead_table",
    "paper_quad",
    "remap",
    "unpadded",
    "usual_lens",
    "view_of",
]
