"""The tiles: plate, hub and tail in one print, standing at their stop, with the axle in the origin."""

import math

from build123d import Axis, Part, Plane, Rot, extrude, fillet

from hardware import hall
from hardware.cad.measures import WALL_MM, Measures
from hardware.cad.parts import marks
from hardware.cad.parts.part import Solid
from hardware.cad.parts.shapes import Range, block, capsule, disc, rod_x
from hardware.column import CRANK_MM, LEAN_DEG, TAIL_AHEAD_DEG, TAIL_MM, TILE_MM

AXLE_BORE_MM = 3.2
SCREW_BORE_MM = 1.7  # for an M2 screw that cuts its own thread
MAGNET_BORE_MM, MAGNET_DEPTH_MM = 5.1, 2.1
MARK_DEPTH_MM = 0.6
# The mark of a back tile stays hidden behind the front tile, seen from 45 degrees above.
MARK_Z_MM = (33.0, 16.0)

_AHEAD = math.radians(TAIL_AHEAD_DEG)
# Along the tail of a standing tile, from its axle, and the way of the tail towards its stop, as (y, z).
DOWN = (-math.sin(_AHEAD), -math.cos(_AHEAD))
WAY = (-math.cos(_AHEAD), math.sin(_AHEAD))


def along(down_mm: float, way_mm: float) -> tuple[float, float]:
    """Return (y, z) of a point of the tail of a standing tile: along it, and towards its stop."""
    return down_mm * DOWN[0] + way_mm * WAY[0], down_mm * DOWN[1] + way_mm * WAY[1]


def tail_x(side: int) -> Range:
    """Return the ends in x of the tail's lane."""
    outer = TILE_MM[0] / 2
    return side * (outer - TAIL_MM[0]), side * outer


def tail_middle_x(side: int) -> float:
    return sum(tail_x(side)) / 2


def blank(measures: Measures, row: int) -> Part:
    """Return a tile of the row without its mark."""
    wide, thick, high = TILE_MM
    side = measures.rows[row].tail_side
    plate = block((-wide / 2, wide / 2), (-thick / 2, thick / 2), (0, high))
    plate = fillet(plate.edges().filter_by(Axis.X).sort_by(Axis.Z)[-2:], 1.5)
    solid = Rot(-LEAN_DEG, 0, 0) * plate + rod_x((0, 0), thick / 2, (-wide / 2, wide / 2))
    round_mm = TAIL_MM[1] / 2
    solid += capsule((0, 0), along(TAIL_MM[2] - round_mm, 0), round_mm, tail_x(side))
    solid -= rod_x((0, 0), AXLE_BORE_MM / 2, (-wide, wide))
    inner, outer = tail_x(side)
    solid -= rod_x(along(CRANK_MM, 0), SCREW_BORE_MM / 2, (inner - side, outer - side * WALL_MM))
    # The Hall sensor's magnet, flush with the face that turns towards its sensor.
    radius, depth = MAGNET_BORE_MM / 2, MAGNET_DEPTH_MM
    solid -= disc((tail_middle_x(side), *along(hall.AXLE_MM, -round_mm + depth / 2 - 0.01)), WAY, radius, depth + 0.02)
    if row == 1:
        # A back tile's stop is behind it: a magnet before its tail would reach the front row's sensors.
        pocket = disc((0, thick / 2 - depth / 2 + 0.01, hall.AXLE_MM), (1, 0), radius, depth + 0.02)
        solid -= Rot(-LEAN_DEG, 0, 0) * pocket
    return solid


def mark_cut(mark: str, row: int) -> Part:
    """Return what is engraved: the mark, upright as a player sees it, sunk into the face of a standing tile."""
    wide, thick, _ = TILE_MM
    face = Plane(origin=(0, -thick / 2, MARK_Z_MM[row]), x_dir=(1, 0, 0), z_dir=(0, -1, 0))
    cut = extrude(face * marks.sketch_of(mark, wide - 4), amount=MARK_DEPTH_MM, both=True)
    return Rot(-LEAN_DEG, 0, 0) * cut


def tiles(measures: Measures) -> dict[str, Solid]:
    """Return every tile of the box by its name, such as front-7."""
    blanks = [blank(measures, row) for row in range(len(measures.rows))]
    made = {}
    for tile in measures.box.tile_ids:
        row = tile.row - 1
        magnets = "one magnet in its tail" + (", one in its back" if row == 1 else "")
        made[str(tile)] = Solid(
            str(tile),
            blanks[row] - mark_cut(measures.mark_of(tile), row),
            "print",
            "PLA",
            f"mark {measures.mark_of(tile)}, 0.6 mm deep; {magnets}",
            {"Screw M2 x 8, flat head, cuts its own thread": 1},
            "130",
            # Flat on its back, so that its face is the upper side.
            Rot(-90, 0, 0) * Rot(LEAN_DEG, 0, 0),
            colour=((0.87, 0.72, 0.48), (0.70, 0.45, 0.28))[row],
        )
    return made
