"""A diagram of phases as SVG, drawn without scripts: one box for each phase, and one line that leads to each phase.

Every box has a row for what leads into it and a row for each phase that follows, with the events that lead there. A
row runs into the line of that phase, where a dot joins them; the arrow is at the phase itself. No row shares its height
with another, and the lines stand right of all words, so that nothing overlaps.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from hardware.wiring.canvas import FONT, text_width

_ROW, _SIZE, _GAP, _MARGIN, _BOX, _LANE = 16.0, 11.0, 14.0, 12.0, 130.0, 13.0
# The colours of the lines, for paper and for screens that are dark; both are read on their own background.
_LINES = ("#1f5fa8", "#a8401f", "#2c7a38", "#7a2c77", "#8a6100", "#0f7480", "#5a5a5a", "#b0235f", "#4b4bb5", "#5d6b1f")
_DARK_LINES = (
    *("#8ab8f0", "#f0a58a", "#8fd69b", "#dca0da", "#e6c56a", "#7fd3de", "#bdbdbd", "#f08ab5", "#b3b3f5", "#c5d184"),
)


@dataclass(frozen=True, slots=True)
class Edge:
    """What leads from one phase to another: the words beside the line."""

    source: str
    words: str
    target: str


def draw_phases(title: str, nodes: Sequence[str], edges: Sequence[Edge]) -> str:
    """Return the diagram as SVG text. The same phases and edges give the same text."""
    targets = [node for node in nodes if any(edge.target == node for edge in edges)]
    longest = max((text_width(edge.words, _SIZE) for edge in edges), default=0.0)
    first_lane = _MARGIN + _BOX + 10 + longest + _LANE
    width = first_lane + len(targets) * _LANE + _MARGIN
    root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "font-family": FONT})
    ET.SubElement(root, "title").text = title
    ET.SubElement(root, "style").text = _style(len(targets))
    background = ET.SubElement(root, "rect", {"class": "paper"})
    drawing = _Drawing(root, {target: first_lane + lane * _LANE for lane, target in enumerate(targets)})
    bottom = drawing.boxes(nodes, edges)
    drawing.lines()
    size = {"width": _number(width), "height": _number(bottom)}
    background.attrib |= size
    root.attrib |= {**size, "viewBox": f"0 0 {size['width']} {size['height']}"}
    ET.indent(root, " ")
    return f"{ET.tostring(root, encoding='unicode')}\n"


class _Drawing:
    """The shapes of one diagram, and the heights at which rows meet the line of each target."""

    def __init__(self, root: ET.Element, lanes: dict[str, float]) -> None:
        self._root = root
        self._lanes = lanes
        self._arrivals: dict[str, float] = {}
        self._joints: dict[str, list[float]] = {target: [] for target in lanes}

    def boxes(self, nodes: Sequence[str], edges: Sequence[Edge]) -> float:
        """Draw all boxes with their rows, one below the other; return the height of the whole."""
        top = _MARGIN
        for node in nodes:
            leaving = [edge for edge in edges if edge.source == node]
            height = _ROW * (1 + len(leaving)) + 6
            place = {"x": _MARGIN, "y": top, "width": _BOX, "height": height}
            ET.SubElement(self._root, "rect", {"class": "phase", "rx": "4", **_numbers(place)})
            self._words(_MARGIN + 8, top + _ROW - 1, node, "name")
            self._arrivals[node] = top + _ROW / 2 + 3
            for row, edge in enumerate(leaving, 1):
                self._leave(edge, top + _ROW * row + _ROW / 2 + 3)
            top += height + _GAP
        return top - _GAP + _MARGIN

    def lines(self) -> None:
        """Draw the line of each target over all its joints, with its arrow."""
        for number, (target, x) in enumerate(self._lanes.items()):
            arrival = self._arrivals[target]
            heights = [*self._joints[target], arrival]
            self._line(f"line c{number}", (x, min(heights)), (x, max(heights)))
            self._line(f"line c{number}", (x, arrival), (_MARGIN + _BOX + 7, arrival))
            tip, back = _MARGIN + _BOX + 1, _MARGIN + _BOX + 8
            corners = ((tip, arrival), (back, arrival - 4), (back, arrival + 4))
            points = " ".join(f"{_number(across)},{_number(down)}" for across, down in corners)
            ET.SubElement(self._root, "polygon", {"class": f"fill c{number}", "points": points})
            for height in self._joints[target]:
                dot = {"cx": x, "cy": height, "r": 2.6}
                ET.SubElement(self._root, "circle", {"class": f"fill c{number}", **_numbers(dot)})

    def _leave(self, edge: Edge, height: float) -> None:
        number, x = list(self._lanes).index(edge.target), self._lanes[edge.target]
        words = _MARGIN + _BOX + 10
        self._words(words, height + 4, edge.words, "event")
        self._line(f"line c{number}", (words + text_width(edge.words, _SIZE) + 3, height), (x, height))
        self._joints[edge.target].append(height)

    def _words(self, x: float, y: float, words: str, kind: str) -> None:
        ET.SubElement(self._root, "text", {"class": kind, **_numbers({"x": x, "y": y})}).text = words

    def _line(self, kind: str, start: tuple[float, float], end: tuple[float, float]) -> None:
        ends = {"x1": start[0], "y1": start[1], "x2": end[0], "y2": end[1]}
        ET.SubElement(self._root, "line", {"class": kind, **_numbers(ends)})


def _style(lines: int) -> str:
    def of(paper: str, box: str, ink: str, colours: Sequence[str]) -> str:
        used = ((number, colours[number % len(colours)]) for number in range(lines))
        rules = (f".line.c{each}{{stroke:{colour}}}.fill.c{each}{{fill:{colour}}}" for each, colour in used)
        plain = f".paper{{fill:{paper}}}.phase{{fill:{box};stroke:{ink}}}.name,.event{{fill:{ink}}}"
        return plain + "".join(rules)

    letters = f".name,.event{{font-size:{_SIZE:g}px}}.name{{font-weight:bold}}.line{{stroke-width:1.4}}"
    light, dark = of("#ffffff", "#f2f4f7", "#1a1a1a", _LINES), of("#16181c", "#262a31", "#e8e8e8", _DARK_LINES)
    return f"{letters}{light}@media (prefers-color-scheme: dark){{{dark}}}"


def _numbers(values: dict[str, float]) -> dict[str, str]:
    return {name: _number(value) for name, value in values.items()}


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
