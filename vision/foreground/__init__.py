"""What lies on the baize and is not cloth, across its edge, or beside it."""

from vision.foreground.cloth import Mask, components
from vision.foreground.leftover import Thing, marks_left, overhangs, shows_something
from vision.foreground.outside import beside_field, box_about
from vision.foreground.overview import Overview, look_over
from vision.foreground.rim import all_things
from vision.foreground.segment import RIM_MM, Survey, apart_boxes, regions

__all__ = [
    "RIM_MM",
    "Mask",
    "Overview",
    "Survey",
    "Thing",
    "all_things",
    "apart_boxes",
    "beside_field",
    "box_about",
    "components",
    "look_over",
    "marks_left",
    "overhangs",
    "regions",
    "shows_something",
]
