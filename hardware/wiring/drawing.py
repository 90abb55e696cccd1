"""The wiring of one box on one sheet of SVG: header, chips, shared wires, supply and cards."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from hardware.box import Box
from hardware.wiring import blocks, buses, style, values
from hardware.wiring.canvas import Area, Canvas, Point
from hardware.wiring.cards import CARD_MM, Card, cards_of, draw_card
from hardware.wiring.layout import EDGE_MM, SPACE_MM, Layout, layout_of
from hardware.wiring.plan import Role, plan_of

_A3, _A4 = (420, 297), (297, 210)
_A4_UP_TO = 0.8  # of an A3 sheet's size: on A4 a larger drawing has letters under 2 mm, which are hard to read


def arrange(
    cards: Sequence[Card], header_bottom: float, first_x: float, right: float, bottom: float
) -> tuple[list[tuple[Card, Point]], Area]:
    """Return the best places for the cards: below the header, below the chips, in up to two columns beside them."""
    arranged = []
    for over, count in ((0.0, 0), (CARD_MM / 2, 0), (0.0, 1), (0.0, 2)):
        # The left edges of the columns, with the height from which each is free.
        columns = {EDGE_MM: header_bottom}
        x = max(first_x, EDGE_MM + CARD_MM + SPACE_MM)
        while x + CARD_MM <= right + over:
            columns[x] = bottom + SPACE_MM
            x += CARD_MM + SPACE_MM
        columns |= {right + SPACE_MM + (CARD_MM + SPACE_MM) * place: EDGE_MM for place in range(count)}
        placed = []
        most_x, most_y = right, max(header_bottom, bottom)
        for card in cards:
            # Each card goes to the shortest column.
            x = min(columns, key=columns.__getitem__)
            placed.append((card, Point(x, columns[x])))
            columns[x] += card.height_mm + SPACE_MM
            most_x, most_y = max(most_x, x + CARD_MM), max(most_y, columns[x] - SPACE_MM)
        arranged.append((placed, Area(0, 0, most_x + EDGE_MM, most_y + EDGE_MM)))
    return min(arranged, key=lambda found: _size(found[1]))


def _size(content: Area) -> float:
    """Return the size of the content relative to an A3 sheet; 1 fills it."""
    return max(content.right / _A3[0], content.bottom / _A3[1])


def paper_of(content: Area) -> tuple[Area, tuple[int, int]]:
    """Return the part of the plane that fills a sheet with the content in its middle, and the size of that sheet."""
    times = _size(content)
    left, top = (content.right - _A3[0] * times) / 2, (content.bottom - _A3[1] * times) / 2
    return Area(left, top, left + _A3[0] * times, top + _A3[1] * times), _A4 if times <= _A4_UP_TO else _A3


_PULL_UP_MM = 28.5
_NAMES_MM = 26.0
_SUMMARY_LETTERS = 48


@dataclass(frozen=True, slots=True)
class Drawing:
    """The sheet as SVG text, with the places that tests check.

    texts, wires: their places, in the drawing's own mm.
    view: the visible part of the plane, in the same mm.
    paper_mm: width and height of the paper that the view is printed on.
    """

    svg: str
    texts: Sequence[Area]
    wires: Sequence[Area]
    view: Area
    paper_mm: tuple[int, int]


def draw_box(box: Box) -> Drawing:
    """Draw the wiring of `box`. The same box gives the same text, to the byte."""
    plan = plan_of(box)
    canvas = Canvas()
    layout = layout_of(plan)
    together = min(box.servos_at_once, len(box.tiles))
    summary = textwrap.shorten(box.summary, _SUMMARY_LETTERS, placeholder=" ...")
    moving = f"at most {together} of {len(box.tiles)} servos move at once"
    canvas.text(Point(EDGE_MM, 14.0), box.name, 6.5, bold=True)
    canvas.text(Point(EDGE_MM, 18.6), summary, 3.0, colour=style.GREY)
    canvas.text(Point(EDGE_MM, 22.2), moving, style.TEXT_MM, colour=style.GREY)
    taken = max(layout.first_x + _NAMES_MM, *(text.right for text in canvas.texts))
    right = max(layout.right, taken + buses.supply_mm(box.supply))
    # How far each shared line must reach: every part that joins it adds its place.
    joints: dict[Role, list[float]] = {role: [] for role in layout.trunk}
    exits = blocks.draw_header(canvas, layout.header_at, plan.header)
    for role, pin in layout.links.items():
        leave, corner = exits[pin], Point(layout.lanes[role], layout.trunk[role])
        canvas.wire((leave, Point(corner.x, leave.y), corner), style.COLOURS[role])
        joints[role].append(corner.x)
    lefts = [role for role, x in layout.lanes.items() if x < layout.header_at.x]
    buses.draw_names(canvas, layout.trunk, layout.header_at.x + 2, lefts)
    _draw_chips(canvas, layout, joints)
    fuse = values.fuse_a(box.supply.limit_a)
    for role, x in buses.draw_supply(canvas, layout.trunk, right, box.supply, fuse).items():
        joints[role].append(x)
    buses.draw_names(canvas, layout.trunk, layout.first_x + 4, [Role.SERVO_POWER, Role.GROUND])
    x = layout.header_at.x + _PULL_UP_MM
    buses.draw_pull_up(canvas, layout.trunk, x, values.output_enable_pull_up(len(plan.boards)))
    joints[Role.OUTPUT_ENABLE].append(x)
    buses.draw_lines(canvas, layout.trunk, joints)
    low = layout.header_at.y + blocks.HEADER_HEIGHT_MM
    placed, content = arrange(cards_of(plan), low, layout.first_x, right, layout.bottom)
    for card, at in placed:
        draw_card(canvas, at, card)
    view, paper = paper_of(content)
    svg = canvas.svg(f"Wiring of {box.name}: {box.summary}", paper, view)
    return Drawing(svg, canvas.texts, canvas.wires, view, paper)


def _draw_chips(canvas: Canvas, layout: Layout, joints: dict[Role, list[float]]) -> None:
    for band in layout.bands:
        is_first = band is layout.bands[0]
        reach = joints if is_first else {role: [layout.rises[role]] for role in band.trunk}
        for chip, at in band.chips:
            for role, pad in blocks.draw_chip(canvas, at, chip).items():
                if role in band.trunk:
                    top = Point(pad.x, band.trunk[role])
                    canvas.wire((top, pad), style.COLOURS[role], width=style.width_of(role))
                    reach[role].append(pad.x)
        if not is_first:
            for role, height in band.trunk.items():
                start, end = Point(layout.rises[role], layout.trunk[role]), Point(layout.rises[role], height)
                canvas.wire((start, end), style.COLOURS[role], width=style.width_of(role))
                buses.draw_joint(canvas, end, role)
            buses.draw_lines(canvas, band.trunk, reach)
    for role, x in layout.rises.items():
        joints[role].append(x)
