"""Axles, spacers and fixing arcs."""

import math

from build123d import Part

from hardware.cad.measures import ARC_MM, FLOOR_Z_MM, Measures
from hardware.cad.parts.part import Solid
from hardware.cad.parts.shapes import Points, block, post, prism, rod_x
from hardware.column import AXLE_MM, TILE_MM

_OVER_MM = 2.0  # the axle's ends stand out of the arcs
_FOOT_MM = 10.0


def axle_long_mm(measures: Measures) -> float:
    return 2 * (measures.arc_mm + ARC_MM + _OVER_MM)


def axle(measures: Measures) -> Part:
    half = axle_long_mm(measures) / 2
    return rod_x((0, 0), AXLE_MM / 2, (-half, half))


def spacer(measures: Measures) -> Part:
    """Return the ring between two tiles, in the origin."""
    half = measures.spacer_mm / 2 - 0.1
    return rod_x((0, 0), TILE_MM[1] / 2, (-half, half)) - rod_x((0, 0), AXLE_MM / 2 + 0.1, (-3, 3))


def _outline(measures: Measures) -> Points:
    """Return y and z of an arc: a round top over the axles, and two legs."""
    back_y, back_z = measures.rows[-1].axle_mm
    radius = 9.0
    top = [
        (back_y + radius * math.cos(math.radians(turn)), back_z + radius * math.sin(math.radians(turn)))
        for turn in range(0, 100, 10)
    ]
    top += [
        (radius * math.cos(math.radians(turn)), radius * math.sin(math.radians(turn))) for turn in range(100, 190, 10)
    ]
    return [(back_y + radius, FLOOR_Z_MM), *top, (-radius, FLOOR_Z_MM)]


def fixing_arc(measures: Measures, side: int) -> Part:
    """Return the arc at the left (-1) or right (1) end of the rows, where it is in the box."""
    inner = side * measures.arc_mm
    outer = inner + side * ARC_MM
    back_y = measures.rows[-1].axle_mm[0]
    solid = prism(_outline(measures), (inner, outer))
    foot = (outer - side, outer + side * _foot_mm(measures))
    solid += block(foot, (-9.0, back_y + 9.0), (FLOOR_Z_MM, FLOOR_Z_MM + 4))
    for row in measures.rows:
        solid -= rod_x(row.axle_mm, AXLE_MM / 2 + 0.05, (inner - side, outer + side))
    if _is_screwed(measures):
        for y in (-4.0, back_y + 4.0):
            solid -= post((outer + side * _foot_mm(measures) / 2, y), 1.6, (FLOOR_Z_MM - 1, FLOOR_Z_MM + 5))
    return solid


def _foot_mm(measures: Measures) -> float:
    """Return how far a foot reaches outwards: up to the wall in boxes whose rows nearly fill them."""
    return min(_FOOT_MM, measures.inside_mm[0] / 2 - measures.arc_mm - ARC_MM - 0.5)


def _is_screwed(measures: Measures) -> bool:
    return _foot_mm(measures) > 6.0


def axles(measures: Measures) -> dict[str, Solid]:
    made = {
        "axle": Solid(
            "axle",
            axle(measures),
            "rod",
            "steel",
            f"round bar {AXLE_MM:g} mm",
            {},
            "200",
            colour=(0.8, 0.8, 0.82),
        ),
        "spacer": Solid(
            "spacer", spacer(measures), "print", "PLA", "lying on its face", {}, "210", colour=(0.9, 0.9, 0.85)
        ),
    }
    for side, name in ((-1, "fixing-arc-left"), (1, "fixing-arc-right")):
        made[name] = Solid(
            name,
            fixing_arc(measures, side),
            "print",
            "PLA",
            "lying on its outer face" + ("" if _is_screwed(measures) else "; glued to the floor"),
            {"Screw 3 x 8": 2} if _is_screwed(measures) else {},
            "220",
            colour=(0.75, 0.7, 0.6),
        )
    return made
