"""Simple solids in the frame of the box: x to the right, y to the back, z up, in mm."""

import math
from collections.abc import Iterable, Sequence

from build123d import (
    Align,
    Box,
    Circle,
    Cylinder,
    Face,
    Location,
    Part,
    Plane,
    Polyline,
    Pos,
    Rectangle,
    Rot,
    Sketch,
    SlotCenterToCenter,
    extrude,
    make_face,
)

Points = Sequence[tuple[float, float]]
Range = tuple[float, float]


def block(x: Range, y: Range, z: Range) -> Part:
    """Return a box between the given ends, in any order."""
    (x0, x1), (y0, y1), (z0, z1) = sorted(x), sorted(y), sorted(z)
    return Pos((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2) * Box(x1 - x0, y1 - y0, z1 - z0)


def polygon(points: Points) -> Face:
    return make_face(Polyline(*points, close=True))


def prism(points: Points, x: Range) -> Part:
    """Return a polygon of y and z, drawn out along x."""
    low, high = sorted(x)
    return extrude(Plane.YZ.offset(low) * polygon(points), amount=high - low)


def rod_x(at: tuple[float, float], radius: float, x: Range) -> Part:
    """Return a round bar along x, through (y, z)."""
    low, high = sorted(x)
    turned = Location(Plane.YZ.offset(low)) * Pos(*at)
    return turned * Cylinder(radius, high - low, align=(Align.CENTER, Align.CENTER, Align.MIN))


def post(at: tuple[float, float], radius: float, z: Range) -> Part:
    """Return an upright round bar at (x, y)."""
    low, high = sorted(z)
    return Pos(*at, low) * Cylinder(radius, high - low, align=(Align.CENTER, Align.CENTER, Align.MIN))


def rod_y(at: tuple[float, float], radius: float, y: Range) -> Part:
    """Return a round bar along y, through (x, z)."""
    low, high = sorted(y)
    return (
        Pos(at[0], high, at[1])
        * Rot(90, 0, 0)
        * Cylinder(radius, high - low, align=(Align.CENTER, Align.CENTER, Align.MIN))
    )


def disc(middle: tuple[float, float, float], axis: tuple[float, float], radius: float, height: float) -> Part:
    """Return a disc whose axis lies across x, along (y, z)."""
    turn = math.degrees(math.atan2(-axis[0], axis[1]))
    return Pos(*middle) * Rot(turn, 0, 0) * Cylinder(radius, height)


def capsule(start: tuple[float, float], end: tuple[float, float], radius: float, x: Range) -> Part:
    """Return a bar with round ends from one (y, z) to another, drawn out along x."""
    low, high = sorted(x)
    long, turn = math.dist(start, end), math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))
    outline = (
        Pos(*start)
        * Rot(0, 0, turn)
        * (Pos(long / 2, 0) * Rectangle(long, 2 * radius) + Circle(radius) + Pos(long, 0) * Circle(radius))
    )
    return extrude(Plane.YZ.offset(low) * outline, amount=high - low)


def slot(long: float, wide: float, turn: float = 0.0) -> Sketch:
    """Return a slot: the distance of its ends' middles, and its width."""
    return SlotCenterToCenter(max(long, 0.01), wide, rotation=turn)


def union(parts: Iterable[Part]) -> Part:
    first, *others = parts
    return first.fuse(*others) if others else first


def sheet(outline: Sketch, thick: float) -> Part:
    """Return a flat part that lies on z = 0."""
    return extrude(outline, amount=thick)
