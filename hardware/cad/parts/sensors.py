"""Hall sensors, limit switches and magnets as they are sold, and the combs that hold them where they must answer."""

import math

from build123d import Location, Part, Pos, Rot

from hardware import hall
from hardware.cad.measures import FLOOR_Z_MM, Measures
from hardware.cad.parts.part import Solid
from hardware.cad.parts.shapes import Points, block, disc, post, prism, rod_x
from hardware.cad.parts.tile import along, tail_middle_x
from hardware.column import LEAN_DEG, STOP_MAGNET_GAP_MM, TAIL_AHEAD_DEG, TAIL_MM, TILE_MM, TRAVEL_DEG

# Omron SS-01GL-E (data sheet of the series SS: hinge lever): 0.08 N at most, operates 8.8 mm above its holes, goes on
# for 1.2 mm at least. The lever of a common switch, 0.5 N, would keep a tile off its stop.
SWITCH_MM = (6.4, 19.8, 10.2)  # thick, long, high
_HOLES_MM, _HOLE_UP_MM, _HOLE_IN_MM = 9.5, 2.9, 5.15  # apart, above the bottom, from the end
OPERATES_MM, OVERTRAVEL_MM = 8.8, 1.2
_LEVER_END_MM = 0.5  # how far the case reaches beyond where the tail presses the lever
SWITCH_DEG = 14.0  # a standing tile may lean this far before its switch opens
_ROUND_MM = TAIL_MM[1] / 2
# How far a standing tail presses the lever beyond its operating position: its round end turns about the axle.
PRESSED_MM = (TAIL_MM[2] - _ROUND_MM) * (1 - math.cos(math.radians(SWITCH_DEG)))

HALL_GAP_MM = sum(hall.GAP_MM) / 2
HALL_MM = (4.0, 3.0, hall.SENSOR.depth_mm)  # DRV5023 in the package LPG: wide, high, thick
_SEAT_MM = 2.5  # thickness of what a Hall sensor is glued to
_SWEPT_MM = TAIL_MM[2] + 1.0  # nothing stands inside this circle about an axle, where tails swing
_BASE_MM = 3.0
_COMB_Y_MM = (-21.0, 28.5)
_LEG_MM = -17.3  # y of the back of the legs that hold up the ledge
_RIB_MM = 1.8


def at_tail(tile_deg: float) -> Location:
    """Return the frame of the tail of a tile at this angle: y against its way towards the stop, z towards the axle."""
    return Rot(tile_deg - TAIL_AHEAD_DEG, 0, 0)


def magnet() -> Part:
    """Return a disc magnet in the origin, its axis along y."""
    return disc((0, 0, 0), (1, 0), hall.MAGNET.diameter_mm / 2, hall.MAGNET.height_mm)


def tail_magnet_at(row: int, side: int) -> Location:
    """Return where a tile carries the magnet of its Hall sensor, in the frame of the tile; north is against y.

    A front tile's south pole faces its sensor, a back tile's north pole: what comes from behind then weakens the field
    at a front sensor instead of holding it closed.
    """
    flush = _ROUND_MM - hall.MAGNET.height_mm / 2
    place = Pos(tail_middle_x(side), *along(hall.AXLE_MM, -flush)) * Rot(-TAIL_AHEAD_DEG, 0, 0)
    return place * Rot(0, 0, 180 * row)


def back_magnet_at() -> Location:
    """Return where a back tile carries the magnet of its stop, in the frame of the tile."""
    return Rot(-LEAN_DEG, 0, 0) * Pos(0, (TILE_MM[1] - hall.MAGNET.height_mm) / 2, hall.AXLE_MM) * Rot(0, 0, 180)


def stop_magnet_at(row: int, side: int) -> Location:
    """Return where the stop holds its magnet, in the frame of a standing tile: before its tail or behind it."""
    gap, high = STOP_MAGNET_GAP_MM, hall.MAGNET.height_mm
    if row == 1:
        return Rot(-LEAN_DEG, 0, 0) * Pos(0, TILE_MM[1] / 2 + gap + high / 2, hall.AXLE_MM) * Rot(0, 0, 180)
    # A little outwards, so that the push-rod passes.
    x = tail_middle_x(side) + side * 0.35
    return Pos(x, *along(hall.AXLE_MM, -_ROUND_MM + high + gap + high / 2)) * Rot(-TAIL_AHEAD_DEG, 0, 0)


def hall_sensor() -> Part:
    """Return a Hall sensor, its marked face on y = 0, its legs towards the axle."""
    wide, high, thick = HALL_MM
    solid = block((-wide / 2, wide / 2), (0, thick), (-high / 2, high / 2))
    for x in (-1.27, 0.0, 1.27):
        solid += block((x - 0.2, x + 0.2), (0.5, 0.9), (high / 2, high / 2 + 3))
    return solid


def hall_at(row: int, side: int) -> Location:
    """Return where the sensor is, in the frame of the axle: opposite the magnet of a lying tile.

    A front tile's sensor turns its marked face to the tail, a back tile's its other face.
    """
    near = _ROUND_MM + HALL_GAP_MM + row * HALL_MM[2]
    return at_tail(TRAVEL_DEG) * Pos(tail_middle_x(side), near, -hall.AXLE_MM) * Rot(0, 0, 180 * row)


def _case_y() -> tuple[float, float]:
    return -_LEVER_END_MM, SWITCH_MM[1] - _LEVER_END_MM


def _hole_y() -> tuple[float, float]:
    first = SWITCH_MM[1] - _LEVER_END_MM - _HOLE_IN_MM - _HOLES_MM
    return first, first + _HOLES_MM


def limit_switch() -> Part:
    """Return a switch along y: where the tail presses is y = 0, its lever operates at z = 0."""
    thick, _, high = SWITCH_MM
    low = -OPERATES_MM - _HOLE_UP_MM
    solid = block((-thick / 2, thick / 2), _case_y(), (low, low + high))
    for y in _hole_y():
        solid -= rod_x((y, -OPERATES_MM), 1.2, (-thick, thick))
    return solid


def switch_lever() -> Part:
    """Return the lever, where it makes its switch answer."""
    return block((-1.6, 1.6), (-1.5, _case_y()[1] - 4), (-0.3, 0.0))


def switch_at(measures: Measures, side: int) -> Location:
    """Return where the switch lies, in the frame of the axle: under the foot of a standing tail, across it."""
    return at_tail(0.0) * Pos(switch_x(measures, side), 0, PRESSED_MM - TAIL_MM[2])


def switch_x(measures: Measures, side: int) -> float:
    """Return x of the middle of a switch, which leans on the rib beside its tile."""
    return side * ((measures.pitch_mm - _RIB_MM - SWITCH_MM[0]) / 2 - 0.05)


def turned(points: Points, axle: tuple[float, float], turn_deg: float) -> list[tuple[float, float]]:
    """Return points (y, z) of a frame that is turned about an axle, in the frame of the box."""
    turn = math.radians(turn_deg)
    cos, sin = math.cos(turn), math.sin(turn)
    return [(axle[0] + y * cos - z * sin, axle[1] + y * sin + z * cos) for y, z in points]


def _seat(axle: tuple[float, float]) -> list[tuple[float, float]]:
    """Return the corners (y, z) of what the back of a Hall sensor is glued to, from its lower one in front."""
    near, far = (_ROUND_MM + HALL_GAP_MM + HALL_MM[2] + more for more in (0.0, _SEAT_MM))
    low, high = (-hall.AXLE_MM + off for off in (-2.3, 2.3))
    return turned([(near, low), (far, low), (far, high), (near, high)], axle, TRAVEL_DEG - TAIL_AHEAD_DEG)


def comb(measures: Measures, columns: tuple[int, ...]) -> Part:
    """Return the comb under the rows, where it is in the box.

    Ribs under the gaps between the tiles carry the switches of both rows on pins, and hold up the ledge with a leg
    each; posts carry the Hall sensors of the front row.
    """
    half = measures.pitch_mm / 2
    xs = [measures.column_x_mm(column) for column in columns]
    ribs = [x + half for x in xs] + ([xs[0] - half] if columns[0] == 0 else [])
    left, right = min(ribs) - _RIB_MM / 2, max(ribs) + _RIB_MM / 2
    if columns[0] != 0:
        left = xs[0] - half + _RIB_MM / 2 + 0.2
    solid = block((left, right), _COMB_Y_MM, (FLOOR_Z_MM, FLOOR_Z_MM + _BASE_MM))
    solid = solid.fuse(*(_rib(measures, x) for x in ribs), *(_hall_post(measures, x) for x in xs))
    pins = [
        rod_x(at, 1.15, (x + side * (half - _RIB_MM / 2), x + side * (half - _RIB_MM / 2 - SWITCH_MM[0] + 1)))
        for x in xs
        for row in measures.rows
        for side in (row.tail_side,)
        # The outermost pin of a second comb stands on the rib of the first one.
        if columns[0] == 0 or x != xs[0] or side > 0
        for at in turned([(y, PRESSED_MM - TAIL_MM[2] - OPERATES_MM) for y in _hole_y()], row.axle_mm, -TAIL_AHEAD_DEG)
    ]
    solid = solid.fuse(*pins)
    for x in (xs[0], xs[len(xs) // 2], xs[-1]):
        for y in (-12.0, 14.0):
            solid -= post((x, y), 1.6, (FLOOR_Z_MM - 1, FLOOR_Z_MM + _BASE_MM + 1))
    return solid


def _rib(measures: Measures, x: float) -> Part:
    """Return the rib under the gap of two tiles: it fills what no tail reaches."""
    (near, far), leg = _COMB_Y_MM, _LEG_MM
    top = [(leg, -6.1), (leg, -19.0)]
    for y in (-10.0, -5.0, 0.0, 5.0, 8.0, 11.0, 14.0, 17.0, 20.0):
        heights = [
            z - math.sqrt(_SWEPT_MM**2 - (y - axle_y) ** 2)
            for axle_y, z in (row.axle_mm for row in measures.rows)
            if abs(y - axle_y) < _SWEPT_MM
        ]
        top.append((y, min(-17.5, *heights, 0.0)))
    outline = [(near, FLOOR_Z_MM), (near, -6.1), *top, (20.0, -26.0), (far, -40.0), (far, FLOOR_Z_MM)]
    return prism(outline, (x - _RIB_MM / 2, x + _RIB_MM / 2))


def _hall_post(measures: Measures, x: float) -> Part:
    """Return the post of a front sensor: it rises behind the circle of the tail and leans over the lying one."""
    side = measures.rows[0].tail_side
    low, back, top, front = _seat(measures.rows[0].axle_mm)
    behind = _SWEPT_MM + 0.7
    outline = [
        (behind, FLOOR_Z_MM),
        (behind + 3.2, FLOOR_Z_MM),
        (behind + 3.2, -1.5),
        back,
        top,
        front,
        low,
        (behind, -5.0),
    ]
    return prism(outline, (x + side * 3.6, x + side * 9.9))


def _bolted(columns: tuple[int, ...]) -> tuple[int, int, int]:
    return columns[0], columns[len(columns) // 2], columns[-1]


def hall_comb_bolts(measures: Measures, columns: tuple[int, ...]) -> list[tuple[float, float]]:
    """Return x and y of the bolts that hold a comb under the cover."""
    row = measures.rows[1]
    y = _seat(row.axle_mm)[1][0] + 2.5
    return [(measures.column_x_mm(column) - row.tail_side * 8, y) for column in _bolted(columns)]


def back_stop_bolts(measures: Measures, columns: tuple[int, ...]) -> list[tuple[float, float]]:
    """Return x and y of the bolts that hold the back stops on the cover."""
    y = measures.rows[1].axle_mm[0] + 12.7
    return [(measures.column_x_mm(column) - 7.5, y) for column in _bolted(columns)]


def hall_comb(measures: Measures, columns: tuple[int, ...]) -> Part:
    """Return the comb of the back row's Hall sensors, which hangs from the cover, where it is in the box."""
    row, top = measures.rows[1], measures.cover_z_mm
    half = measures.pitch_mm / 2 - 0.1
    xs = [measures.column_x_mm(column) for column in columns]
    low, back, _, front = _seat(row.axle_mm)
    bar_y = (back[0] - 1, back[0] + 6)
    solid = block((xs[0] - half, xs[-1] + half), bar_y, (top - 1.6, top))
    outline = [low, (back[0] + 1, back[1] - 1), (back[0] + 1, top), (front[0] - 0.6, top), front]
    solid = solid.fuse(*(prism(outline, (x + row.tail_side * 4.7, x + row.tail_side * 9.9)) for x in xs))
    for at in hall_comb_bolts(measures, columns):
        solid -= post(at, 1.1, (top - 5, top + 1))
    return solid


def front_stops(measures: Measures, columns: tuple[int, ...]) -> Part:
    """Return the rail under the ledge that stops the front tiles at their tails, with the pockets of its magnets."""
    row = measures.rows[0]
    xs, half = [measures.column_x_mm(column) for column in columns], measures.pitch_mm / 2 - 0.1
    bar = (_LEG_MM + 0.1, _LEG_MM + 2.5)
    solid = block((xs[0] - half, xs[-1] + half), bar, (-7.3, -6.0))
    face = -_ROUND_MM + hall.MAGNET.height_mm + STOP_MAGNET_GAP_MM
    nose = [(along(9.0, _ROUND_MM)[0], -6.0), along(9.0, _ROUND_MM), along(13.6, _ROUND_MM), along(13.6, face)]
    pocket = [
        along(22.0, face),
        along(22.0, face + 3.5),
        along(14.0, face + 3.5),
        (bar[0] + 1, -7.3),
        (bar[0] + 1, -6.0),
    ]
    magnet = stop_magnet_at(0, row.tail_side)
    outer = magnet.position.X + row.tail_side * 3.75
    inner = magnet.position.X - row.tail_side * 3.75
    solid = solid.fuse(*(prism(nose + pocket, (x + inner, x + outer)) for x in xs))
    hole = disc((0, 0, 0), (1, 0), 2.55, 2.1)
    for x in xs:
        solid -= Pos(x, 0, 0) * magnet * Pos(0, 0.04, 0) * hole
    return solid


def back_stops(measures: Measures, columns: tuple[int, ...]) -> Part:
    """Return the rail on the cover that stops the back tiles at their backs, with the pockets of its magnets."""
    row, floor = measures.rows[1], measures.cover_z_mm + measures.thin_mm
    xs, half = [measures.column_x_mm(column) for column in columns], measures.pitch_mm / 2 - 0.1
    behind = TILE_MM[1] / 2
    face = behind + STOP_MAGNET_GAP_MM
    upper = turned([(face, 21.5), (behind, 21.5), (behind, 25.5), (face + 4, 25.5)], row.axle_mm, -LEAN_DEG)
    # Where the plane of the front face, which leans as a standing tile does, meets the cover.
    up = (floor - row.axle_mm[1] + face * math.sin(math.radians(LEAN_DEG))) / math.cos(math.radians(LEAN_DEG))
    begins = turned([(face, up)], row.axle_mm, -LEAN_DEG)[0][0]
    foot_y = (begins, begins + 8.0)
    outline = [(foot_y[0], floor), *upper, (foot_y[0] + 4, floor)]
    solid = block((xs[0] - half, xs[-1] + half), foot_y, (floor, floor + 2.4))
    solid = solid.fuse(*(prism(outline, (x - 4.2, x + 4.2)) for x in xs))
    hole = disc((0, 0, 0), (1, 0), 2.55, 2.1)
    for x in xs:
        solid -= Pos(x, *row.axle_mm) * stop_magnet_at(1, row.tail_side) * Pos(0, 0.04, 0) * hole
    for at in back_stop_bolts(measures, columns):
        solid -= post(at, 1.1, (floor - 1, floor + 4))
    return solid


_COLOURS = {"comb": (0.55, 0.75, 0.8), "stops": (0.9, 0.6, 0.2)}


def sensors(measures: Measures) -> dict[str, Solid]:
    """Return sensors, magnets and their combs."""
    made = {
        "magnet": Solid(
            "magnet",
            magnet(),
            "buy",
            "neodymium",
            "5 x 2 mm, N35 and no stronger: others would reach the neighbours' sensors",
            colour=(0.5, 0.5, 0.55),
        ),
        "hall-sensor": Solid(
            "hall-sensor",
            hall_sensor(),
            "buy",
            "PVC",
            "a front one looks at the tail with its marked face, a back one with its plain face",
            grams=0.1,
            colour=(0.15, 0.15, 0.15),
        ),
        "limit-switch": Solid(
            "limit-switch",
            limit_switch(),
            "buy",
            "PVC",
            "Omron SS-01GL-E: hinge lever, 0.08 N at most, 19.8 x 10.2 x 6.4 mm, holes 9.5 mm apart",
            grams=1.6,
            colour=(0.2, 0.2, 0.22),
        ),
        "switch-lever": Solid(
            "switch-lever", switch_lever(), "buy", "steel", "part of the limit switch", colour=(0.75, 0.75, 0.78)
        ),
    }
    for place, columns in enumerate(measures.segments, 1):
        end = f"-{place}" if len(measures.segments) > 1 else ""
        screws = {"Screw 3 x 8": 6}
        made[f"comb{end}"] = Solid(
            f"comb{end}",
            comb(measures, columns),
            "print",
            "PLA",
            "standing on its base",
            screws,
            printed=Pos(0, 0, -FLOOR_Z_MM),
            colour=_COLOURS["comb"],
        )
        made[f"front-stops{end}"] = Solid(
            f"front-stops{end}",
            front_stops(measures, columns),
            "print",
            "PLA",
            "upside down, glued under the ledge against the comb's legs",
            colour=_COLOURS["stops"],
            printed=Rot(180, 0, 0),
        )
        if len(measures.rows) == 2:
            made[f"back-stops{end}"] = Solid(
                f"back-stops{end}",
                back_stops(measures, columns),
                "print",
                "PLA",
                "standing",
                {"Bolt M2 x 10 with nut": 3},
                colour=_COLOURS["stops"],
            )
            made[f"hall-comb{end}"] = Solid(
                f"hall-comb{end}",
                hall_comb(measures, columns),
                "print",
                "PLA",
                "upside down",
                {"Bolt M2 x 10 with nut": 3},
                colour=_COLOURS["comb"],
                printed=Rot(180, 0, 0),
            )
    return made
