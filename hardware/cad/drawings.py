"""Line drawings of the solids, hidden lines removed: a sheet for each part, views of the box, and its assembly steps.

All of them are SVG: small, printable, and compared line by line.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape

import numpy as np
from build123d import Compound, Edge, GeomType, Part, Pos, Sketch, Vector
from shapely import LineString, MultiLineString, area, polygons, unary_union
from shapely.geometry.base import BaseGeometry

from hardware.cad.assembly import Kit, Placement, Pose
from hardware.cad.meshes import Floats, matrix_of
from hardware.cad.parts.part import Solid
from hardware.cad.parts.tray import PANEL_X_MM

Path = list[tuple[float, float]]

# Where a viewer stands, seen from the middle of what is drawn: from the right, in front and above.
CORNER = (0.45, -0.8, 0.55)
FRONT, TOP, SIDE = (0.0, -1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)
_FAR_MM = 5000.0
_LINE, _THIN, _FAINT = 0.35, 0.18, 0.12  # widths of lines in mm
_INK, _GREY = "#111", "#999"
_ARROW_MM, _TEXT_MM = 1.6, 3.0
_PAGE_MM = (277.0, 190.0)  # A4 landscape without its margins


@dataclass
class Lines:
    """Paths in mm, y upwards. paths: with their width and colour. texts: with place, height, anchor and words."""

    paths: list[tuple[Path, float, str]] = field(default_factory=list)
    texts: list[tuple[float, float, float, str, str]] = field(default_factory=list)

    def bounds(self) -> tuple[float, float, float, float]:
        """Return the least x and y and the greatest."""
        xs = [x for path, _, _ in self.paths for x, _ in path]
        ys = [y for path, _, _ in self.paths for _, y in path]
        return min(xs), min(ys), max(xs), max(ys)

    def put(self, other: "Lines", scale: float, x: float, y: float, *, width: float = 1.0) -> None:
        """Add another drawing, scaled about its own origin, with that in (x, y). width: of its lines, as a factor."""

        def moved(path: Path) -> Path:
            return [(x + scale * px, y + scale * py) for px, py in path]

        self.paths += [(moved(path), width * wide, colour) for path, wide, colour in other.paths]
        self.texts += [(x + scale * tx, y + scale * ty, high, at, words) for tx, ty, high, at, words in other.texts]

    def line(self, start: tuple[float, float], end: tuple[float, float], width: float = _THIN) -> None:
        self.paths.append(([start, end], width, _INK))

    def text(self, x: float, y: float, words: str, *, high: float = _TEXT_MM, anchor: str = "start") -> None:
        self.texts.append((x, y, high, anchor, words))

    def svg(self, title: str, margin: float = 4.0) -> str:
        """Return the drawing as an SVG document in mm."""
        left, low, right, high = self.bounds()
        for x, y, size, anchor, words in self.texts:
            wide = 0.6 * size * len(words)
            begins = x - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
            left, right = min(left, begins), max(right, begins + wide)
            low, high = min(low, y - size / 4), max(high, y + size)
        wide, tall = right - left + 2 * margin, high - low + 2 * margin
        rows = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.1f}mm" height="{tall:.1f}mm" '
            f'viewBox="0 0 {wide:.1f} {tall:.1f}" fill="none" stroke-linecap="round" stroke-linejoin="round">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{wide:.1f}" height="{tall:.1f}" fill="#fff"/>',
        ]
        styles = sorted({(width, colour) for _, width, colour in self.paths})
        for style in styles:
            paths = [path for path, width, colour in self.paths if (width, colour) == style]
            drawn = "".join(_svg_path(path, margin - left, high + margin) for path in _joined(paths))
            rows.append(f'<path stroke="{style[1]}" stroke-width="{style[0]:g}" d="{drawn}"/>')
        for x, y, size, anchor, words in self.texts:
            rows.append(
                f'<text x="{x - left + margin:.1f}" y="{high + margin - y:.1f}" font-size="{size:g}" fill="{_INK}" '
                f'font-family="sans-serif" text-anchor="{anchor}">{escape(words)}</text>'
            )
        return "\n".join([*rows, "</svg>", ""])


def _svg_path(path: Path, x: float, y: float) -> str:
    points = [f"{px + x:.1f} {y - py:.1f}" for px, py in path]
    kept = [point for place, point in enumerate(points) if place == 0 or point != points[place - 1]]
    return f"M{'L'.join(kept)}" if len(kept) > 1 else ""


def _joined(paths: list[Path]) -> list[Path]:
    """Return the paths with those that follow one another joined: fewer bytes, and round corners."""
    joined: list[Path] = []
    for path in paths:
        if joined and math.dist(joined[-1][-1], path[0]) < 0.02:
            joined[-1] = joined[-1] + path[1:]
        else:
            joined.append(list(path))
    return joined


def _path_of(edge: Edge) -> Path:
    if edge.geom_type == GeomType.LINE:
        parts = (0.0, 1.0)
    else:
        # Of a circle no corner is seen, however small it is.
        steps = max(24 if edge.is_closed else 8, min(24, round(edge.length / 1.5)))
        parts = tuple(step / steps for step in range(steps + 1))
    return [(point.X, point.Y) for point in edge.positions(parts)]


def seen(shapes: Sequence[Part], eye: tuple[float, float, float], *, ink: str = _INK, width: float = _LINE) -> Lines:
    """Return the visible edges of solids, seen from far away along `eye`, about the origin of the box."""
    up = (0, 1, 0) if abs(eye[2]) > 0.99 else (0, 0, 1)
    far = Vector(*eye).normalized() * _FAR_MM
    visible, _ = Compound(list(shapes)).project_to_viewport(far, up, look_at=(0, 0, 0))
    return Lines([(_path_of(edge), width, ink) for edge in visible])


def placed(kit: Kit, placements: Iterable[Placement]) -> list[Part]:
    return [kit.solids[each.part].solid.moved(each.at) for each in placements]


def _dimension(lines: Lines, start: tuple[float, float], end: tuple[float, float], mm: float, off: float) -> None:
    """Add a dimension line beside two points: below them, or to their right."""
    level = start[1] == end[1]
    dx, dy = (0.0, -off) if level else (off, 0.0)
    one, other = (start[0] + dx, start[1] + dy), (end[0] + dx, end[1] + dy)
    for at, to in ((start, one), (end, other)):
        lines.line((at[0] + dx * 0.15, at[1] + dy * 0.15), (to[0] + dx * 0.15, to[1] + dy * 0.15), _FAINT)
    lines.line(one, other, _FAINT)
    for at, way in ((one, 1), (other, -1)):
        for side in (-0.35, 0.35):
            along, across = way * _ARROW_MM, side * _ARROW_MM
            lines.line(at, (at[0] + (along if level else across), at[1] + (across if level else along)), _FAINT)
    words = f"{mm:.1f}".removesuffix(".0")
    if level:
        lines.text((one[0] + other[0]) / 2, one[1] + 0.8, words, anchor="middle")
    else:
        lines.text(one[0] + 0.8, (one[1] + other[1]) / 2 - 1, words)


def _view(solid: Part, eye: tuple[float, float, float], scale: float, name: str) -> Lines:
    """Return one view with the two dimensions of what is seen, its lower left corner in the origin."""
    drawn = seen([solid], eye)
    left, low, right, high = drawn.bounds()
    lines = Lines()
    lines.put(drawn, scale, -left * scale, -low * scale)
    wide, tall = (right - left) * scale, (high - low) * scale
    _dimension(lines, (0, 0), (wide, 0), right - left, 7)
    _dimension(lines, (wide, 0), (wide, tall), high - low, 6)
    lines.text(0, tall + 2.5, name, high=2.5)
    return lines


def part_sheet(kit: Kit, name: str) -> str:
    """Return the drawing of a part: three views with dimensions, one from a corner, and what is made of it.

    Raises `KeyError` for a part that the box does not have.
    """
    part = kit.solids[name]
    solid = part.solid
    box = solid.bounding_box()
    size = box.size
    scale = min(5.0, (_PAGE_MM[0] - 60) / (size.X + size.Y), (_PAGE_MM[1] - 60) / (size.Z + size.Y))
    scale = _common_scale(scale)
    lines = Lines()
    gap = 22.0
    front, top, side = (
        _view(solid, eye, scale, words) for eye, words in ((FRONT, "front"), (TOP, "top"), (SIDE, "right"))
    )
    lines.put(front, 1.0, 0, 0)
    lines.put(side, 1.0, size.X * scale + gap, 0)
    lines.put(top, 1.0, 0, size.Z * scale + gap)
    x = size.X * scale + gap
    # From the right in front and above, and from behind and below: magnets and screws sit in rear faces.
    for eye in (CORNER, (-0.45, 0.8, -0.4)):
        corner = seen([solid], eye, width=_THIN)
        left, low, right, high = corner.bounds()
        fits = min(scale, 90.0 / max(right - left, high - low))
        lines.put(corner, fits, x - left * fits, size.Z * scale + gap - low * fits)
        x += (right - left) * fits + gap / 2
    _holes(lines, part)
    _title(lines, kit, part, scale)
    return lines.svg(f"{kit.measures.box.name}: {name}")


def _common_scale(scale: float) -> float:
    """Return the largest scale that drawings use and that is not larger than this one."""
    return next((each for each in (5.0, 2.0, 1.0, 0.5, 0.4, 0.25, 0.2) if each <= scale), 0.1)


def _holes(lines: Lines, part: Solid) -> None:
    """Add where the openings of a sheet are: from its lower left corner, as it lies."""
    if part.sheet is None:
        return
    rows = openings(part.sheet)
    for place, words in enumerate(rows):
        lines.text(0, -14 - 4 * place, words, high=2.5)


def openings(outline: Sketch) -> list[str]:
    """Return the openings of a sheet in words: size and middle, from its lower left corner."""
    corner = outline.bounding_box().min
    found = []
    for face in outline.faces():
        for wire in face.inner_wires():
            box = wire.bounding_box()
            middle = box.center()
            at = f"middle {middle.X - corner.X:.1f} to the right, {middle.Y - corner.Y:.1f} up"
            if all(edge.geom_type == GeomType.CIRCLE for edge in wire.edges()):
                found.append(f"hole of {box.size.X:.1f} mm: {at}")
            else:
                found.append(f"opening {box.size.X:.1f} x {box.size.Y:.1f} mm: {at}")
    return sorted(found)


_MADE = {"print": "printed", "saw": "sawn or cut by laser", "rod": "cut to length", "buy": "bought"}


def _title(lines: Lines, kit: Kit, part: Solid, scale: float) -> None:
    _, low, _, _ = lines.bounds()
    low = min([low, *(y for _, y, *_ in lines.texts)]) - 9
    shown = f"{scale:g} : 1" if scale >= 1 else f"1 : {1 / scale:g}"
    quantity = kit.quantities.get(part.name, 0)
    lines.text(0, low, f"{part.name}   {quantity} x   {_MADE[part.made]}, {part.material}   {shown}", high=4.0)
    lines.text(0, low - 5, f"{kit.measures.box.name}, all measures in mm. {part.note}", high=2.8)


def view(kit: Kit, placements: Iterable[Placement], eye: tuple[float, float, float], title: str, wide: float) -> str:
    """Return a view of several parts, `wide` mm wide."""
    drawn = seen(placed(kit, placements), eye, width=_THIN)
    left, _, right, _ = drawn.bounds()
    lines = Lines()
    lines.put(drawn, wide / (right - left), 0, 0)
    return lines.svg(title)


def exploded(kit: Kit) -> str:
    """Return the box taken apart: its layers one above the other, its walls moved out."""
    moved = []
    for each in kit.placements(Pose()):
        if each.part in ("die", "magnet", "switch-lever", "crank-head", "peg-head"):
            continue
        moved.append(Placement(each.label, each.part, Pos(*_apart(kit, each)) * each.at))
    return view(kit, moved, CORNER, f"{kit.measures.box.name}, exploded", 260.0)


_LAYERS: tuple[tuple[tuple[str, ...], tuple[float, float, float]], ...] = (
    (("wall-front",), (0, -150, 0)),
    (("wall-back", "hinge"), (0, 160, 0)),
    (("lid", "support-rod", "reed-switch"), (0, 190, 130)),
    (("mast", "camera", "field-lamp"), (0, 60, 330)),
    (("deck", "side-top"), (0, 30, 230)),
    (("cover", "screen", "back-stops", "hall-comb"), (0, 30, 140)),
    (("side-front", "side-inner"), (0, -40, 150)),
    (("ledge", "front-stops"), (0, -130, 95)),
    (("field", "baize", "marker"), (0, -130, 60)),
    (("field-bearer", "step"), (0, -130, 25)),
    (("front-", "axle", "spacer", "push-rod", "back-"), (0, 0, 70)),
    (("servo", "horn", "peg"), (0, 0, 25)),
)


def _apart(kit: Kit, each: Placement) -> tuple[float, float, float]:
    if each.part == "wall-side":
        return (200 if each.at.position.X > 0 else -200, 0, 0)
    for names, off in _LAYERS:
        if each.part.startswith(names):
            return off
    return (0, 0, 0)


@dataclass(frozen=True)
class Step:
    """One step of the guide.

    parts: the beginnings of the names of what is added; others: of names that only begin alike.
    eye: where the viewer stands. hides: what is left out of the picture. named: whether each new part bears its name.
    """

    name: str
    title: str
    parts: tuple[str, ...]
    others: tuple[str, ...] = ("-",)
    eye: tuple[float, float, float] = CORNER
    hides: tuple[str, ...] = ("wall", "cover-cleat", "deck-cleat")
    named: bool = False


_FROM_BEHIND, _FROM_BELOW = (0.4, 0.75, 0.5), (0.45, -0.7, -0.5)
STEPS = (
    Step(
        "01-tray",
        "Floor, walls, step and bearers",
        ("floor", "wall", "field-bearer", "step", "cover-cleat", "deck-cleat", "supply-jack", "usb-c"),
        hides=("wall-side-right",),
    ),
    Step("02-combs", "Comb, fixing arcs and servo rails", ("comb", "fixing-arc", "servo-rail")),
    Step("03-sensors", "Switches and front Hall sensors", ("limit-switch", "switch-lever", "hall-sensor")),
    Step("04-servos", "Servos with their horns and pegs", ("servo", "horn", "peg"), ("servo-board",)),
    Step(
        "05-tiles",
        "Axles, tiles, spacers and push-rods",
        ("axle", "front-", "back-", "spacer", "push-rod", "crank-head", "magnet"),
        ("front-stops", "back-stops"),
        _FROM_BEHIND,
    ),
    Step("06-ledge", "Ledge with its stops and magnets, from below", ("ledge", "front-stops"), eye=_FROM_BELOW),
    Step(
        "07-cover",
        "Cover with the back row's stops and sensors, from below",
        ("cover", "back-stops", "hall-comb", "mast-foot"),
        eye=(0.4, 0.75, -0.5),
    ),
    Step(
        "08-boards",
        "Boards, panel and cable clips",
        ("raspberry-pi", "servo-board", "expander", "v-plus-switch", "line-board", "cable-clip", *PANEL_X_MM),
        ("ledge",),
        named=True,
    ),
    Step(
        "09-field",
        "Field, and the hood of screen, deck and side boards",
        ("field", "baize", "marker", "screen", "deck", "side-"),
        ("field-lamp",),
        hides=("wall-side", "wall-front"),
    ),
    Step("10-lid", "Lid, hinges, support rod and its switch", ("lid", "hinge", "support-rod", "reed-switch"), hides=()),
    Step("11-mast", "Mast, camera and field lamp", ("mast", "camera", "field-lamp"), hides=()),
)


def step_of(placement: Placement) -> Step | None:
    """Return the step that puts in a part; None for dice."""
    name, part = placement.label, placement.part
    if part == "hall-sensor" and name.startswith("back"):
        return STEPS[6]
    if part == "magnet" and name.endswith("stop magnet"):
        return STEPS[6 if name.startswith("back") else 5]
    return next((step for step in STEPS if belongs(part, step)), None)


def belongs(part: str, step: Step) -> bool:
    """Return True if a step adds this part."""
    return part.startswith(step.parts) and not part.startswith(step.others)


def step_drawing(kit: Kit, step: Step) -> str:
    """Return the drawing of a step: what is new in black, as if nothing stood before it, what is there in grey."""
    placements = kit.placements(Pose(dice=False))
    number = STEPS.index(step)
    new = [each for each in placements if step_of(each) == step]
    before = [each for each in placements if (other := step_of(each)) is not None and STEPS.index(other) < number]
    shown = [each for each in before if not each.part.startswith(step.hides)] if step.hides else before
    return _step(kit, shown, new, step)


def _step(kit: Kit, there: list[Placement], new: list[Placement], step: Step) -> str:
    lines = Lines()
    covered = _silhouette(kit, new, step.eye)
    if there:
        for path, _, _ in seen(placed(kit, there), step.eye).paths:
            left = LineString(path).difference(covered)
            pieces = left.geoms if isinstance(left, MultiLineString) else [left]
            lines.paths += [(list(piece.coords), _FAINT, _GREY) for piece in pieces if not piece.is_empty]
    lines.paths += seen(placed(kit, new), step.eye, width=_THIN * 1.3).paths
    left, low, right, high = lines.bounds()
    scale = 180.0 / max(right - left, high - low)
    scaled = Lines()
    scaled.put(lines, scale, 0, 0)
    if step.named:
        plane = _plane(step.eye)
        for each in new:
            x, y = plane @ (kit.mesh(each.part).bounds.mean(axis=0) + matrix_of(each.at)[:3, 3])
            scaled.text(float(x) * scale, float(y) * scale - 1, each.label, anchor="middle")
    return scaled.svg(step.title)


def _plane(eye: tuple[float, float, float]) -> Floats:
    """Return the rows that bring a point of the box into the plane of `seen`."""
    away = np.array(eye) / np.linalg.norm(eye)
    right = np.cross((0.0, 0.0, 1.0), away)
    right /= np.linalg.norm(right)
    return np.array([right, np.cross(away, right)])


def _silhouette(kit: Kit, placements: Iterable[Placement], eye: tuple[float, float, float]) -> BaseGeometry:
    """Return the area that parts cover, seen along `eye`, in the plane of `seen`."""
    plane, areas = _plane(eye), []
    for each in placements:
        mesh = kit.mesh(each.part)
        matrix = matrix_of(each.at)
        points = (mesh.vertices @ matrix[:3, :3].T + matrix[:3, 3]) @ plane.T
        triangles = points[mesh.faces]
        shapes = polygons(triangles)
        areas.append(unary_union(shapes[area(shapes) > 1e-6]))
    return unary_union(areas).buffer(0.05)
