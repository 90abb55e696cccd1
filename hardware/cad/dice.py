"""Where dice get to: from the baize to every place that is wide enough, and whether the camera sees them there."""

import math

import numpy as np
from manifold3d import Manifold, OpType
from scipy.ndimage import label, maximum_filter
from shapely import LinearRing, MultiLineString, build_area, contains_xy, prepare

from hardware.cad.assembly import Pose
from hardware.cad.bodies import Bodies
from hardware.cad.measures import FLOOR_Z_MM, REAR_MM
from hardware.cad.parts import mast
from hardware.column import TILE_MM

_GRID_MM = 1.5


def hidden_dice(bodies: Bodies, pose: Pose) -> list[tuple[float, float, float]]:
    """Return places (x, y, z) below the tiles' upper edges where a die comes to rest and the camera cannot see it.

    The die is a cube along the box's axes, smaller than a real one by up to a step of the grid.
    """
    kit, measures = bodies.kit, bodies.kit.measures
    wide, _ = measures.inside_mm
    near_mm, _ = measures.field_y_mm
    xs, ys, zs = (
        np.arange(low + 1, high, _GRID_MM)
        for low, high in ((-wide / 2, wide / 2), (near_mm, REAR_MM), (FLOOR_Z_MM, 90.0))
    )
    still = [bodies.at(each).solid for each in kit.placements(pose) if each.part not in ("die", "switch-lever")]
    whole = Manifold.batch_boolean(still, OpType.Add)
    across, along = np.meshgrid(xs, ys, indexing="ij")
    blocked = np.zeros((len(xs), len(ys), len(zs)), bool)
    for place, z in enumerate(zs):
        rings = [LinearRing(ring) for ring in whole.slice(float(z)).to_polygons() if len(ring) > 2]
        if rings:
            area = build_area(MultiLineString(rings))
            prepare(area)
            blocked[:, :, place] = contains_xy(area, across, along)
    # As many cells need a gap of one cell less: it is found by their middles.
    cells = math.ceil((measures.die_mm - _GRID_MM) / _GRID_MM) + 1
    # Of the walls outside the grid, too.
    taken = maximum_filter(np.pad(blocked, cells, constant_values=True), size=cells)[(slice(cells, -cells),) * 3]
    taken[:, :, -cells:] = False
    lens = np.array(mast.lens_at(measures))
    reached, _ = label(~taken)
    begins = tuple(int(np.abs(values - at).argmin()) for values, at in ((xs, 0.0), (ys, lens[1]), (zs, 60.0)))
    free = reached == reached[begins]
    rests = free & ~np.roll(free, 1, axis=2)
    rests[:, :, 0] = False
    rests[:, :, zs > TILE_MM[2]] = False
    places = np.argwhere(rests)
    middles = np.stack([xs[places[:, 0]], ys[places[:, 1]], zs[places[:, 2]]], axis=1)
    starts = middles + np.array([0.0, 0.0, measures.die_mm / 2 + _GRID_MM])
    hidden = np.zeros(len(middles), bool)
    for part in np.linspace(0.0, 0.6, 120):
        at = starts + part * (lens - starts)
        where = [
            np.clip(np.round((at[:, axis] - values[0]) / _GRID_MM).astype(int), 0, len(values) - 1)
            for axis, values in enumerate((xs, ys, zs))
        ]
        hidden |= blocked[where[0], where[1], where[2]] & (at[:, 2] < zs[-1])
    return [(float(x), float(y), float(z)) for x, y, z in middles[hidden]]
