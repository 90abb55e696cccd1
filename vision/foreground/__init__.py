"""Find the foreground: everything on the baize that is not cloth, and intrusions across its edge."""

from vision.foreground.background import Mask, components
from vision.foreground.bodies_beside import find_bodies_beside
from vision.foreground.busy_parts import Part, busy_parts, parts_about
from vision.foreground.die_sized import DieSized, find_die_sized
from vision.foreground.dim_bodies import find_dim_bodies, lies_on_dim
from vision.foreground.overhang import measure_body, measure_cover, measure_overhangs
from vision.foreground.overview import Overview, look_over
from vision.foreground.segment import RIM_MM, Survey, find_regions, merge_overlapping
from vision.foreground.shadows import lies_in_shadow
from vision.foreground.thing import UnexplainedThing
from vision.foreground.unexplained import find_unexplained, find_unexplained_marks, has_foreground

__all__ = [
    "RIM_MM",
    "DieSized",
    "Mask",
    "Overview",
    "Part",
    "Survey",
    "UnexplainedThing",
    "busy_parts",
    "components",
    "find_bodies_beside",
    "find_die_sized",
    "find_dim_bodies",
    "find_regions",
    "find_unexplained",
    "find_unexplained_marks",
    "has_foreground",
    "lies_in_shadow",
    "lies_on_dim",
    "look_over",
    "measure_body",
    "measure_cover",
    "measure_overhangs",
    "merge_overlapping",
    "parts_about",
]
