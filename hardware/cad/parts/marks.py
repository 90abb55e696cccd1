"""The marks of the tiles, as strokes of one width: they print, engrave and cut alike, and need no font of the computer.

A glyph lies in a box 4 wide and 6 high; arcs are polylines.
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from build123d import Face, Polyline, Pos, Sketch, import_svg, make_face, scale
from shapely import LineString, MultiLineString, Polygon, affinity, unary_union
from shapely.geometry.base import BaseGeometry

Stroke = Sequence[tuple[float, float]]


def _arc(x: float, y: float, wide: float, high: float, start: float, end: float) -> list[tuple[float, float]]:
    """Return points of an ellipse's arc about (x, y), from one angle to another, in degrees."""
    count = max(4, round(abs(end - start) / 12))
    turns = [math.radians(start + (end - start) * step / count) for step in range(count + 1)]
    return [(x + wide * math.cos(turn), y + high * math.sin(turn)) for turn in turns]


GLYPHS: Mapping[str, Sequence[Stroke]] = {
    "0": [_arc(2, 3, 2, 3, 90, 450)],
    "1": [[(0.7, 4.6), (2.3, 6), (2.3, 0)], [(0.8, 0), (3.8, 0)]],
    "2": [[*_arc(2, 4.1, 1.9, 1.9, 165, -35), (0.1, 0), (4, 0)]],
    "3": [[*_arc(1.9, 4.5, 1.8, 1.5, 150, -90), *_arc(1.9, 1.6, 2.0, 1.6, 85, -150)]],
    "4": [[(3.1, 0), (3.1, 6), (0, 1.7), (4, 1.7)]],
    "5": [[(3.7, 6), (0.6, 6), (0.4, 3.2), *_arc(1.9, 1.95, 2.0, 1.95, 125, -145)]],
    "6": [[(3.1, 6), *_arc(2, 1.9, 2, 1.9, 155, 515)]],
    "7": [[(0.1, 6), (3.9, 6), (1.3, 0)]],
    "8": [_arc(2, 4.55, 1.65, 1.45, 90, 450), _arc(2, 1.55, 2.0, 1.55, 90, 450)],
    "9": [[(0.9, 0), *_arc(2, 4.1, 2, 1.9, -25, 335)]],
    "A": [[(0, 0), (2, 6), (4, 0)], [(0.7, 2), (3.3, 2)]],
    "B": [
        [(0.3, 0), (0.3, 6), *_arc(2, 4.55, 1.6, 1.45, 90, -90), (0.3, 3.1)],
        [(2, 3.1), *_arc(2.1, 1.55, 1.8, 1.55, 90, -90), (0.3, 0)],
    ],
    "C": [_arc(2.2, 3, 2.1, 3, 45, 315)],
    "D": [[(0.3, 0), (0.3, 6), *_arc(1.2, 3, 2.7, 3, 90, -90), (0.3, 0)]],
    "E": [[(3.8, 6), (0.4, 6), (0.4, 0), (3.8, 0)], [(0.4, 3.1), (3, 3.1)]],
    "F": [[(3.8, 6), (0.4, 6), (0.4, 0)], [(0.4, 3.1), (3, 3.1)]],
    "G": [[*_arc(2.2, 3, 2.1, 3, 50, 330), (3.95, 2.6), (2.4, 2.6)]],
    "H": [[(0.3, 0), (0.3, 6)], [(3.7, 0), (3.7, 6)], [(0.3, 3), (3.7, 3)]],
    "I": [[(2, 0), (2, 6)], [(0.9, 0), (3.1, 0)], [(0.9, 6), (3.1, 6)]],
    "J": [[(3.2, 6), *_arc(1.7, 1.6, 1.5, 1.6, 0, -160)]],
    "K": [[(0.4, 0), (0.4, 6)], [(3.8, 6), (0.4, 2.4)], [(1.5, 3.5), (3.9, 0)]],
    "L": [[(0.5, 6), (0.5, 0), (3.8, 0)]],
    "M": [[(0, 0), (0.2, 6), (2, 2), (3.8, 6), (4, 0)]],
    "N": [[(0.3, 0), (0.3, 6), (3.7, 0), (3.7, 6)]],
    "O": [_arc(2, 3, 2, 3, 90, 450)],
    "P": [[(0.4, 0), (0.4, 6), *_arc(2.1, 4.4, 1.7, 1.6, 90, -90), (0.4, 2.8)]],
    "Q": [_arc(2, 3, 2, 3, 90, 450), [(2.5, 1.5), (4, -0.2)]],
    "R": [[(0.4, 0), (0.4, 6), *_arc(2.1, 4.5, 1.6, 1.5, 90, -90), (0.4, 3)], [(2, 3), (3.9, 0)]],
    "S": [[*_arc(2, 4.5, 1.7, 1.5, 35, 270), *_arc(2, 1.5, 1.8, 1.5, 90, -145)]],
    "T": [[(0.1, 6), (3.9, 6)], [(2, 6), (2, 0)]],
    "U": [[(0.3, 6), (0.3, 1.9), *_arc(2, 1.8, 1.7, 1.8, 180, 360), (3.7, 6)]],
    "V": [[(0.1, 6), (2, 0), (3.9, 6)]],
    "W": [[(0, 6), (1, 0), (2, 4), (3, 0), (4, 6)]],
    "X": [[(0.2, 6), (3.8, 0)], [(3.8, 6), (0.2, 0)]],
    "Y": [[(0.2, 6), (2, 3), (3.8, 6)], [(2, 3), (2, 0)]],
    "Z": [[(0.3, 6), (3.8, 6), (0.2, 0), (3.9, 0)]],
}  # fmt: skip

HIGH_MM, STROKE_MM = 13.0, 1.9
_GLYPH_HIGH, _GLYPH_WIDE, _ADVANCE = 6.0, 4.0, 5.3


def outline_of(mark: str, wide_mm: float) -> BaseGeometry:
    """Return a mark's area, its middle at (0, 0), at most `wide_mm` wide. Raises `ValueError` for an unknown sign."""
    unknown = sorted(set(mark) - set(GLYPHS))
    if unknown or not mark:
        raise ValueError(f"a mark has signs from {''.join(GLYPHS)}; {mark!r} has {''.join(unknown) or 'none'}")
    lines = [
        LineString([(x + place * _ADVANCE, y) for x, y in stroke])
        for place, sign in enumerate(mark)
        for stroke in GLYPHS[sign]
    ]
    long = _ADVANCE * (len(mark) - 1) + _GLYPH_WIDE
    larger = min((HIGH_MM - STROKE_MM) / _GLYPH_HIGH, (wide_mm - STROKE_MM) / long)
    middle = affinity.translate(MultiLineString(lines), -long / 2, -_GLYPH_HIGH / 2)
    scaled = affinity.scale(middle, larger, larger, origin=(0, 0))
    return unary_union([line.buffer(STROKE_MM / 2, quad_segs=6) for line in scaled.geoms]).simplify(0.02)


def sketch_of(mark: str, wide_mm: float) -> Sketch:
    """Return a mark's area as a sketch, upright in x and y. Raises `ValueError` if it cannot be drawn."""
    if mark.endswith(".svg"):
        return _picture(Path(mark), wide_mm)
    area = outline_of(mark, wide_mm)
    pieces = [area] if isinstance(area, Polygon) else list(area.geoms)
    return Sketch() + [_face(piece) for piece in pieces]


def _picture(file: Path, wide_mm: float) -> Sketch:
    """Return the filled areas of an SVG file, as large as a mark may be."""
    try:
        drawn = Sketch() + [shape for shape in import_svg(file) if isinstance(shape, Face)]
    except (OSError, ValueError, SyntaxError) as error:
        raise ValueError(f"the mark {file} cannot be read: {error}") from error
    if not drawn.faces():
        raise ValueError(f"the mark {file} has no filled area")
    size = drawn.bounding_box().size
    picture = scale(drawn, min(HIGH_MM / size.Y, wide_mm / size.X))
    middle = picture.bounding_box().center()
    return Pos(-middle.X, -middle.Y) * picture


def _face(piece: Polygon) -> Face:
    face = make_face(Polyline(*piece.exterior.coords[:-1], close=True))
    for hole in piece.interiors:
        face -= make_face(Polyline(*hole.coords[:-1], close=True))
    return face
