"""A sheet of SVG in millimetres that records the places of its words and wires, so that tests can find overlaps."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

FONT = "Arial, Helvetica, 'Liberation Sans', 'DejaVu Sans', sans-serif"

# Upper limits of the widths of characters in ems, plain and bold: DejaVu Sans is the widest font of the list.
_NARROW, _WIDE = frozenset("fiIjlrt.,:;'|!()[]/- "), frozenset("mMwWΩ@%&+=<>~\N{MINUS SIGN}")
_EMS = {"narrow": (0.42, 0.50), "wide": (1.01, 1.12), "capital": (0.79, 0.86), "other": (0.64, 0.73)}
_ASCENT, _DESCENT = 0.76, 0.24


@dataclass(frozen=True, slots=True)
class Point:
    """A place on the sheet, in mm from its upper left corner."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle on the sheet, in mm; `words` is the text that fills it, if any."""

    left: float
    top: float
    right: float
    bottom: float
    words: str = ""


def text_width(words: str, size: float, *, bold: bool = False) -> float:
    """Return the largest possible width of `words`, in mm, in letters of `size` mm."""
    kinds = [
        "narrow" if each in _NARROW else "wide" if each in _WIDE else "capital" if each.isupper() else "other"
        for each in words
    ]
    return size * sum(_EMS[kind][bold] for kind in kinds)


class Canvas:
    """Shapes on one sheet, later ones over earlier ones."""

    def __init__(self) -> None:
        self.texts: list[Area] = []
        self.wires: list[Area] = []
        self._shapes: list[ET.Element] = []

    def rect(
        self, area: Area, *, fill: str = "none", stroke: str = "none", width: float = 0.3, round_mm: float = 0.0
    ) -> None:
        self._add(
            "rect",
            x=area.left,
            y=area.top,
            width=area.right - area.left,
            height=area.bottom - area.top,
            rx=round_mm,
            fill=fill,
            stroke=stroke,
            stroke_width=width,
        )

    def circle(self, centre: Point, radius: float, *, fill: str, stroke: str = "none", width: float = 0.3) -> None:
        self._add("circle", cx=centre.x, cy=centre.y, r=radius, fill=fill, stroke=stroke, stroke_width=width)

    def line(self, points: Sequence[Point], colour: str, *, width: float = 0.5, dashes: str = "none") -> None:
        """Draw a line through `points` that is part of a symbol, not a wire."""
        path = " ".join(f"{_number(point.x)},{_number(point.y)}" for point in points)
        self._add(
            "polyline",
            points=path,
            fill="none",
            stroke=colour,
            stroke_width=width,
            stroke_linejoin="round",
            stroke_linecap="round",
            stroke_dasharray=dashes,
        )

    def wire(self, points: Sequence[Point], colour: str, *, width: float = 0.5) -> None:
        """Draw a wire through `points`, each of its segments horizontal or vertical."""
        self.line(points, colour, width=width)
        for one, other in itertools.pairwise(points):
            left, right = sorted((one.x, other.x))
            top, bottom = sorted((one.y, other.y))
            half = width / 2
            self.wires.append(Area(left - half, top - half, right + half, bottom + half))

    def text(
        self,
        at: Point,
        words: str,
        size: float,
        *,
        colour: str = "#1a1a1a",
        anchor: str = "start",
        bold: bool = False,
        upright: bool = False,
    ) -> None:
        """Write one line with its base line at `at`; `anchor` is start, middle or end; `upright` reads upwards."""
        element = self._add(
            "text",
            x=at.x,
            y=at.y,
            font_size=size,
            fill=colour,
            text_anchor=anchor,
            font_weight="bold" if bold else "normal",
        )
        element.text = _printable(words)
        long = text_width(words, size, bold=bold)
        before = {"start": 0.0, "middle": long / 2, "end": long}[anchor]
        if upright:
            element.set("transform", f"rotate(-90 {_number(at.x)} {_number(at.y)})")
            low = at.y + before
            box = Area(at.x - size * _ASCENT, low - long, at.x + size * _DESCENT, low, words)
        else:
            left = at.x - before
            box = Area(left, at.y - size * _ASCENT, left + long, at.y + size * _DESCENT, words)
        self.texts.append(box)

    def svg(self, title: str, paper_mm: tuple[int, int], view: Area) -> str:
        """Return the whole sheet as text: the part `view` of the plane, fitted onto paper of `paper_mm`."""
        place = {"x": view.left, "y": view.top, "width": view.right - view.left, "height": view.bottom - view.top}
        numbers = {name: _number(value) for name, value in place.items()}
        size = {"width": f"{paper_mm[0]}mm", "height": f"{paper_mm[1]}mm", "viewBox": " ".join(numbers.values())}
        root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size, "font-family": FONT})
        ET.SubElement(root, "title").text = _printable(title)
        ET.SubElement(root, "rect", {**numbers, "fill": "#ffffff"})
        root.extend(self._shapes)
        ET.indent(root, " ")
        # Non-ASCII letters become references, so that the text passes through any terminal and any file.
        return f"{ET.tostring(root, encoding='us-ascii').decode('ascii')}\n"

    def _add(self, tag: str, **attributes: object) -> ET.Element:
        named = {
            name.replace("_", "-"): _number(value) if isinstance(value, float | int) else str(value)
            for name, value in attributes.items()
        }
        unset = {"stroke-width"} if named.get("stroke") == "none" else set()
        plain = {
            "rx": "0",
            "stroke-dasharray": "none",
            "text-anchor": "start",
            "font-weight": "normal",
            "stroke": "none",
        }
        kept = {name: value for name, value in named.items() if name not in unset and plain.get(name) != value}
        element = ET.Element(tag, kept)
        self._shapes.append(element)
        return element


def _printable(words: str) -> str:
    """Replace characters that XML does not allow."""
    return "".join(each if each.isprintable() else " " for each in words)


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
