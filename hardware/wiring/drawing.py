"""The wiring of one box as one sheet of SVG: header, chips, shared wires, supply and cards, arranged by their sizes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hardware.box import Box
from hardware.wiring import blocks, buses, style, values
from hardware.wiring.buses import LANE_MM, Trunk
from hardware.wiring.canvas import Area, Canvas, Point
from hardware.wiring.cards import CARD_MM, Card, cards_of, draw_card
from hardware.wiring.plan import Chip, Plan, Role, plan_of

_A3, _A4 = (420, 297), (297, 210)
_A4_UP_TO = 0.8  # times the size of an A3 sheet: smaller letters than 2 mm on A4 are no longer read well
_EDGE_MM, _TITLE_MM, _SPACE_MM = 8.0, 26.0, 4.0
_ONE_BAND, _A_BAND = 6, 8  # so many chips stand side by side: all of them, or of one kind
_PULL_UP_MM = 27.0


@dataclass(frozen=True, slots=True)
class Drawing:
    """The sheet as SVG text, with the places of its words and wires in mm, for tests, and its paper (width, height)."""

    svg: str
    texts: Sequence[Area]
    wires: Sequence[Area]
    view: Area
    paper_mm: tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Band:
    """A row of chips under its lines, with the place of each."""

    trunk: Trunk
    chips: Sequence[tuple[Chip, Point]]

    @property
    def right(self) -> float:
        return max(at.x + blocks.shape_of(chip).width_mm for chip, at in self.chips)

    @property
    def bottom(self) -> float:
        return max(at.y for _, at in self.chips) + blocks.CHIP_HEIGHT_MM


def draw_box(box: Box) -> Drawing:
    """Draw the wiring of `box`. The same box gives the same text, to the byte."""
    plan = plan_of(box)
    canvas = Canvas()
    links = _links(plan)
    lefts = [role for role, pin in links.items() if pin % 2]
    rights = [role for role, pin in links.items() if not pin % 2]
    rows = _rows_of_chips(plan)
    risers = [] if len(rows) == 1 else [role for role in _roles(plan) if any(_has_pad(row, role) for row in rows[1:])]

    trunk = buses.trunk_at(_TITLE_MM + 2, _roles(plan))
    header_at = Point(_EDGE_MM + LANE_MM * len(lefts), trunk.bottom + 5)
    header_right = header_at.x + blocks.HEADER_WIDTH_MM
    first_x = header_right + LANE_MM * (len(rights) + len(risers) + 1) + 1
    bands = list(_bands(rows, trunk, first_x))
    right = max(band.right for band in bands)

    lanes = {role: header_at.x - LANE_MM * place for place, role in enumerate(lefts, 1)}
    lanes |= {role: header_right + LANE_MM * place for place, role in enumerate(rights, 1)}
    rises = {role: header_right + LANE_MM * (len(rights) + place) for place, role in enumerate(risers, 1)}

    exits = blocks.draw_header(canvas, header_at, plan.header)
    joints = _draw_bands(canvas, bands, rises)
    fuse = values.fuse_a(box.supply.limit_a)
    for role, x in buses.draw_supply(canvas, trunk, right, box.supply.limit_a, fuse).items():
        joints[role].append(x)
    for role, pin in links.items():
        leave, corner = exits[pin], Point(lanes[role], trunk.heights[role])
        canvas.wire((leave, Point(corner.x, leave.y), corner), style.COLOURS[role])
        joints[role].append(corner.x)
    if Role.OUTPUT_ENABLE in links:
        pull_up = values.output_enable_pull_up(len(plan.boards))
        buses.draw_pull_up(canvas, trunk, header_at.x + _PULL_UP_MM, pull_up)
        joints[Role.OUTPUT_ENABLE].append(header_at.x + _PULL_UP_MM)
    buses.draw_lines(canvas, trunk, joints)
    buses.draw_names(canvas, trunk, header_at.x + 2, lefts)
    buses.draw_names(canvas, trunk, first_x + 4, [Role.SERVO_POWER, Role.GROUND])
    _draw_title(canvas, plan)

    low = header_at.y + blocks.HEADER_HEIGHT_MM
    placed, content = _arrange(cards_of(plan), low, first_x, right, max(band.bottom for band in bands))
    for card, at in placed:
        draw_card(canvas, at, card)
    view, paper = _paper(content)
    svg = canvas.svg(f"Wiring of {box.name}: {box.summary}", paper, view)
    return Drawing(svg, canvas.texts, canvas.wires, view, paper)


def _links(plan: Plan) -> dict[Role, int]:
    """The header pins that feed the shared lines, from the top of the header down."""
    roles = set(_roles(plan))
    found: dict[Role, int] = {}
    for pin in plan.header:
        if pin.role in roles:
            found.setdefault(pin.role, pin.number)
    return found


def _roles(plan: Plan) -> list[Role]:
    roles = [Role.SERVO_POWER, Role.GROUND, Role.CLOCK, Role.DATA, Role.OUTPUT_ENABLE, Role.LOGIC]
    return [*roles, Role.INTERRUPT] if plan.expanders and "expander_interrupt" in plan.panel else roles


def _rows_of_chips(plan: Plan) -> list[Sequence[Chip]]:
    if len(plan.boards) + len(plan.expanders) <= _ONE_BAND:
        return [(*plan.boards, *plan.expanders)]
    return [
        chips[start : start + _A_BAND]
        for chips in (plan.boards, plan.expanders)
        for start in range(0, len(chips), _A_BAND)
    ]


def _has_pad(chips: Sequence[Chip], role: Role) -> bool:
    return any(role in blocks.shape_of(chip).pads for chip in chips)


def _bands(rows: Sequence[Sequence[Chip]], first: Trunk, left: float) -> Iterator[_Band]:
    trunk = first
    for row in rows:
        if trunk is not first:
            trunk = buses.trunk_at(trunk.bottom, [role for role in first.heights if _has_pad(row, role)])
        x, places = left, []
        for chip in row:
            places.append((chip, Point(x, trunk.bottom + 5)))
            x += blocks.shape_of(chip).width_mm + _SPACE_MM
        band = _Band(trunk, places)
        yield band
        trunk = Trunk({Role.GROUND: band.bottom + 7})


def _draw_bands(canvas: Canvas, bands: Sequence[_Band], rises: Mapping[Role, float]) -> dict[Role, list[float]]:
    """Draw all chips and their wires up to the lines; how far the lines of the first band must reach."""
    first = bands[0].trunk
    joints: dict[Role, list[float]] = {role: [] for role in first.heights}
    for band in bands:
        reach = joints if band is bands[0] else {role: [] for role in band.trunk.heights}
        for chip, at in band.chips:
            for role, pad in blocks.draw_chip(canvas, at, chip).items():
                if role in band.trunk.heights:
                    buses.draw_drop(canvas, band.trunk, role, pad)
                    reach[role].append(pad.x)
        if band is not bands[0]:
            _draw_rises(canvas, first, band.trunk, rises)
            buses.draw_lines(canvas, band.trunk, {role: [*xs, rises[role]] for role, xs in reach.items()})
    for role, x in rises.items():
        joints[role].append(x)
    return joints


def _draw_rises(canvas: Canvas, first: Trunk, trunk: Trunk, rises: Mapping[Role, float]) -> None:
    for role, height in trunk.heights.items():
        start, end = Point(rises[role], first.heights[role]), Point(rises[role], height)
        canvas.wire((start, end), style.COLOURS[role], width=style.width_of(role))
        buses.draw_joint(canvas, start, role)


def _draw_title(canvas: Canvas, plan: Plan) -> None:
    box = plan.box
    canvas.text(Point(_EDGE_MM, 14.5), box.name, 6.5, bold=True)
    moving = f"at most {min(box.supply.servos_at_once, len(box.tiles))} of {len(box.tiles)} servos move at once"
    canvas.text(Point(_EDGE_MM, 19.5), f"{box.summary}; {moving}", 3.0, colour=style.GREY)


def _arrange(
    cards: Sequence[Card], header_bottom: float, first_x: float, right: float, bottom: float
) -> tuple[list[tuple[Card, Point]], Area]:
    """The best places for the cards: under the header, under the chips, and in up to two columns beside them."""
    tries = [
        _columns(header_bottom, first_x, right + over, bottom) | _beside(right, count)
        for over, count in ((0.0, 0), (CARD_MM / 2, 0), (0.0, 1), (0.0, 2))
    ]
    least = max(header_bottom, bottom)
    arranged = [_fill(cards, columns, right, least) for columns in tries]
    return min(arranged, key=lambda found: _size(found[1]))


def _columns(header_bottom: float, first_x: float, right: float, bottom: float) -> dict[float, float]:
    """The left edges of the columns under header and chips, with the height from which each is free."""
    columns = {_EDGE_MM: header_bottom}
    x = max(first_x, _EDGE_MM + CARD_MM + _SPACE_MM)
    while x + CARD_MM <= right:
        columns[x] = bottom + _SPACE_MM
        x += CARD_MM + _SPACE_MM
    return columns


def _beside(right: float, count: int) -> dict[float, float]:
    """So many columns beside the chips, free from the top."""
    return {right + _SPACE_MM + (CARD_MM + _SPACE_MM) * place: _EDGE_MM for place in range(count)}


def _fill(
    cards: Sequence[Card], columns: dict[float, float], right: float, bottom: float
) -> tuple[list[tuple[Card, Point]], Area]:
    placed = []
    for card in cards:
        x = min(columns, key=lambda left: columns[left] + card.height_mm)
        placed.append((card, Point(x, columns[x])))
        columns[x] += card.height_mm + _SPACE_MM
        right, bottom = max(right, x + CARD_MM), max(bottom, columns[x] - _SPACE_MM)
    return placed, Area(0, 0, right + _EDGE_MM, bottom + _EDGE_MM)


def _size(content: Area) -> float:
    """How many times an A3 sheet the content needs."""
    return max(content.right / _A3[0], content.bottom / _A3[1])


def _paper(content: Area) -> tuple[Area, tuple[int, int]]:
    """The piece of plane that fills a sheet, the content in its middle."""
    times = _size(content)
    left, top = (content.right - _A3[0] * times) / 2, (content.bottom - _A3[1] * times) / 2
    return Area(left, top, left + _A3[0] * times, top + _A3[1] * times), _A4 if times <= _A4_UP_TO else _A3
