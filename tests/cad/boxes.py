"""The boxes that can be built, each made once in a process."""

from functools import cache

from hardware.box import load_box
from hardware.cad.assembly import Kit
from hardware.cad.bodies import Bodies
from hardware.cad.measures import measures_of

BOXES = ("two-level-9", "two-level-12", "classic-9", "classic-10", "classic-12")


@cache
def bodies_of(name: str) -> Bodies:
    return Bodies(Kit(measures_of(load_box(name))))
