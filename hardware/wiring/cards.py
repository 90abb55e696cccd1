"""The cards beside the wiring: connections of parts, colours, measurements, parts list."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from hardware.wiring import hall, style, values
from hardware.wiring.canvas import Area, Canvas, Point
from hardware.wiring.parts import Part, parts_of
from hardware.wiring.plan import HeaderPin, Plan, Role
from hardware.wiring.values import ohms, series_ohm

_LINE = 0.4


def draw_hall(canvas: Canvas, at: Point) -> None:
    body = Area(at.x + 3, at.y + 2, at.x + 12, at.y + 17)
    canvas.rect(body, fill="#3a3d44", round_mm=1.5)
    canvas.text(Point(at.x + 8.2, at.y + 13), "Hall", 2.6, colour=style.PAPER, upright=True, bold=True)
    rows = (("VCC", Role.LOGIC, "3.3 V"), ("GND", Role.GROUND, "GND"), ("OUT", Role.SHUT, "line, pulled up inside"))
    for place, (leg, role, end) in enumerate(rows):
        y = at.y + 4.5 + 5 * place
        stop = at.x + (34 if place < 2 else 25)
        canvas.wire((Point(body.right, y), Point(stop, y)), style.COLOURS[role])
        canvas.text(Point(at.x + 13, y - 0.8), leg, style.SMALL_MM)
        canvas.text(Point(stop + 1, y + 0.8), end, style.TEXT_MM, colour=style.COLOURS[role], bold=True)
    x, middle = at.x + 26, at.y + 7
    for start, plate in ((at.y + 4.5, middle - 0.5), (at.y + 9.5, middle + 0.5)):
        canvas.line((Point(x, start), Point(x, plate)), style.INK, width=_LINE)
        canvas.line((Point(x - 1.6, plate), Point(x + 1.6, plate)), style.INK, width=0.6)
    canvas.text(Point(x + 2.2, middle + 0.7), "100 nF", style.SMALL_MM)
    nearest, farthest = hall.GAP_MM
    lines = (
        "South pole at its marked face: OUT goes low, the tile is shut.",
        f"Magnet {hall.MAGNET.size}, {hall.MAGNET.grade}: {nearest:g} to {farthest:g} mm from that face when the tile",
        f"lies, {hall.AXLE_MM:g} mm from the tile's axle.",
    )
    for place, words in enumerate(lines):
        canvas.text(Point(at.x + 3, at.y + 21 + 3.2 * place), words, style.SMALL_MM)


def draw_series(canvas: Canvas, at: Point, pins: Sequence[HeaderPin]) -> None:
    """Draw the series resistor of the header pins that the pin list marks, and what each of them may be at boot."""
    y = at.y + 4.0
    canvas.circle(Point(at.x + 4.5, y), 1.2, fill=style.COLOURS[Role.SHUT], stroke=style.GOLD)
    canvas.wire((Point(at.x + 5.7, y), Point(at.x + 25, y)), style.COLOURS[Role.SHUT])
    canvas.rect(Area(at.x + 11, y - 1.1, at.x + 18, y + 1.1), fill=style.PAPER, stroke=style.INK, width=_LINE)
    canvas.text(Point(at.x + 14.5, y - 1.8), ohms(series_ohm()), style.SMALL_MM, anchor="middle")
    canvas.text(Point(at.x + 26, y + 0.8), "line", style.TEXT_MM, colour=style.COLOURS[Role.SHUT], bold=True)
    canvas.text(Point(at.x + 36, y + 0.8), "The Pi may drive these when it starts:", style.SMALL_MM)
    for place, pin in enumerate(pins):
        if pin.at_boot is not None:
            words = f"{pin.name}, pin {pin.number}: {pin.at_boot.signal}, {pin.at_boot.interface}"
            where = Point(at.x + 3 + _SERIES_COLUMN_MM * (place % 2), y + 5.2 + SERIES_ROW_MM * (place // 2))
            canvas.text(where, words, style.SMALL_MM)


SERIES_ROW_MM, _SERIES_COLUMN_MM = 3.4, 38.0


def draw_switch(canvas: Canvas, at: Point) -> None:
    y = at.y + 5
    canvas.text(Point(at.x + 3, y + 0.8), "pin", style.TEXT_MM, colour=style.COLOURS[Role.OPEN], bold=True)
    _contact(canvas, Point(at.x + 9, y), Point(at.x + 31, y), style.COLOURS[Role.OPEN])
    canvas.text(Point(at.x + 14, y - 1.2), "NO", style.SMALL_MM)
    canvas.text(Point(at.x + 23.5, y - 1.2), "COM", style.SMALL_MM)
    _ground(canvas, Point(at.x + 31, y))
    canvas.text(Point(at.x + 3, at.y + 12.2), "Closed while the tile stands; pulled up inside.", style.SMALL_MM)


def draw_plug(canvas: Canvas, at: Point) -> None:
    rows = (
        ("#5b3a29", "brown or black: GND, at the edge of the board"),
        ("#d01c1f", "red: V+"),
        ("#f2a03d", "orange, yellow or white: signal"),
    )
    for place, (colour, words) in enumerate(rows):
        y = at.y + 3.5 + 4 * place
        canvas.line((Point(at.x + 3, y), Point(at.x + 11, y)), colour, width=1.2)
        canvas.circle(Point(at.x + 12.5, y), 1.0, fill=style.GOLD)
        canvas.text(Point(at.x + 15.5, y + 0.8), words, style.TEXT_MM)


def draw_panel(canvas: Canvas, at: Point, panel: Mapping[str, HeaderPin]) -> None:
    y = at.y + 4.0
    for part, words in _PANEL.items():
        if part not in panel:
            continue
        pin = panel[part]
        canvas.text(Point(at.x + 3, y + 0.8), f"{pin.name}, pin {pin.number}", style.TEXT_MM)
        left, right = Point(at.x + 24, y), Point(at.x + 50, y)
        match part:
            case "button":
                _contact(canvas, left, right, style.COLOURS[Role.PANEL])
            case "lid":
                _contact(canvas, left, right, style.COLOURS[Role.PANEL])
                middle = (left.x + right.x) / 2
                glass = Area(middle - 5, y - 2.8, middle + 5, y + 1.6)
                canvas.rect(glass, stroke=style.COLOURS[Role.PANEL], width=0.3, round_mm=2.2)
            case "led":
                _resistor(canvas, left, right)
                x, green = left.x + 17, style.COLOURS[Role.SHUT]
                canvas.line(
                    (Point(x, y - 1.6), Point(x, y + 1.6), Point(x + 2.8, y), Point(x, y - 1.6)), green, width=0.5
                )
                canvas.line((Point(x + 2.8, y - 1.6), Point(x + 2.8, y + 1.6)), green, width=0.6)
                for shift in (0.4, 1.8):
                    canvas.line((Point(x + shift, y - 2.0), Point(x + shift + 1.2, y - 3.2)), green, width=0.3)
            case "speaker":
                _resistor(canvas, left, right)
                canvas.circle(Point(left.x + 18, y), 2.4, fill=style.PAPER, stroke=style.INK, width=_LINE)
                canvas.circle(Point(left.x + 18, y), 1.2, fill=style.FAINT, stroke=style.INK, width=0.25)
        _ground(canvas, right)
        canvas.text(Point(at.x + 54, y + 0.8), words, style.TEXT_MM)
        y += PANEL_ROW_MM


PANEL_ROW_MM = 7.5
# The parts of the panel, with the words beside each.
_PANEL = {"button": "push button", "lid": "lid, reed switch", "led": "short leg to GND", "speaker": "piezo sounder"}


def _contact(canvas: Canvas, left: Point, right: Point, colour: str) -> None:
    middle = (left.x + right.x) / 2
    canvas.wire((left, Point(middle - 3, left.y)), colour)
    canvas.wire((Point(middle + 3, right.y), right), colour)
    canvas.line((Point(middle - 3, left.y), Point(middle + 2.4, left.y - 2.2)), colour, width=0.5)
    for x in (middle - 3, middle + 3):
        canvas.circle(Point(x, left.y), 0.6, fill=style.PAPER, stroke=colour)


def _ground(canvas: Canvas, at: Point) -> None:
    canvas.line((at, Point(at.x, at.y + 1.4)), style.INK, width=_LINE)
    for place, half in enumerate((1.8, 1.1, 0.4)):
        y = at.y + 1.4 + 0.7 * place
        canvas.line((Point(at.x - half, y), Point(at.x + half, y)), style.INK, width=_LINE)


def _resistor(canvas: Canvas, left: Point, right: Point) -> None:
    canvas.wire((left, right), style.COLOURS[Role.PANEL])
    box = Area(left.x + 2, left.y - 1.1, left.x + 8.5, left.y + 1.1)
    canvas.rect(box, fill=style.PAPER, stroke=style.INK, width=_LINE)
    canvas.text(Point(left.x + 5.2, left.y - 1.8), "330 Ω", style.SMALL_MM, anchor="middle")


CARD_MM = 82.0
_TITLE_MM, _ROW_MM = 7.5, 3.9


@dataclass(frozen=True, slots=True)
class Card:
    """A framed note of `CARD_MM` by `height_mm`; `draw` fills it below its title."""

    title: str
    height_mm: float
    draw: Callable[[Canvas, Point], None]


def cards_of(plan: Plan) -> tuple[Card, ...]:
    parts = parts_of(plan)
    seen = {pin.role for pin in plan.header} | {outlet.role for chip in plan.expanders for outlet in chip.outlets}
    roles = [Role.SERVO, *(role for role in (Role.SHUT, Role.OPEN, Role.PANEL) if role in seen)]
    cards = [
        Card("Parts", _TITLE_MM + 2 + len(parts) * _ROW_MM, partial(draw_parts, parts=parts)),
        _measures(plan),
        Card("Colours", _TITLE_MM + 2 + (len(roles) + 1) * _ROW_MM, partial(draw_legend, roles=roles)),
        Card(f"Hall sensor {hall.SENSOR.kind}, {plan.sensors(Role.SHUT)} times", 37.0, draw_hall),
        Card(f"Servo plug, {len(plan.box.tiles)} times", 22.0, draw_plug),
    ]
    if switches := plan.sensors(Role.OPEN):
        cards.append(Card(f"Limit switch, {switches} times", 22.5, draw_switch))
    if pins := plan.in_series:
        height = _TITLE_MM + 10.5 + (len(pins) + 1) // 2 * SERIES_ROW_MM
        cards.append(Card(f"Resistor in series, {len(pins)} times", height, partial(draw_series, pins=pins)))
    if rows := sum(part in plan.panel for part in _PANEL):
        height = _TITLE_MM + 3.5 + rows * PANEL_ROW_MM
        cards.append(Card("Panel", height, partial(draw_panel, panel=plan.panel)))
    return tuple(sorted(cards, key=lambda card: -card.height_mm))


def draw_card(canvas: Canvas, at: Point, card: Card) -> None:
    frame = Area(at.x, at.y, at.x + CARD_MM, at.y + card.height_mm)
    canvas.rect(frame, fill="#fbfbfa", stroke=style.FAINT, width=0.3, round_mm=1.5)
    canvas.text(Point(at.x + 3, at.y + 5.0), card.title, style.NAME_MM, bold=True)
    card.draw(canvas, Point(at.x, at.y + _TITLE_MM))


def draw_parts(canvas: Canvas, at: Point, parts: Sequence[Part]) -> None:
    for row, part in enumerate(parts):
        base = at.y + 2.6 + row * _ROW_MM
        canvas.text(Point(at.x + 10, base), str(part.quantity), style.TEXT_MM, anchor="end", bold=True)
        canvas.text(Point(at.x + 13, base), part.part, style.TEXT_MM)


def draw_legend(canvas: Canvas, at: Point, roles: Sequence[Role]) -> None:
    for row, role in enumerate(roles):
        y = at.y + 2.0 + row * _ROW_MM
        start, end = Point(at.x + 3, y), Point(at.x + 13, y)
        canvas.line((start, end), style.COLOURS[role], width=2 * style.width_of(role))
        canvas.text(Point(at.x + 16, y + 0.8), style.MEANINGS[role], style.TEXT_MM)
    base = at.y + 2.8 + len(roles) * _ROW_MM
    canvas.circle(Point(at.x + 8, base - 0.8), 0.75, fill=style.INK)
    canvas.text(Point(at.x + 16, base), "joint; without it lines only cross", style.TEXT_MM)


def _measures(plan: Plan) -> Card:
    tile = plan.box.tile_ids[0]
    stand, lie = (plan.box.pulse_us(tile, shut=shut) for shut in (False, True))
    pull_up = values.output_enable_pull_up(len(plan.boards))
    rows = [
        ("header lines, nothing on them", "inputs, all"),
        ("V+ to 3.3 V, no power", "no way through"),
        ("servo supply, unloaded", "4.8 to 6.0 V"),
        ("plus at V+ of every board", "yes"),
        ("3.3 V at every board", "3.2 to 3.4 V"),
        ("/OE, program not running", f"{pull_up.level_v:.1f} V, never under {values.OE_HIGH_V:.1f} V"),
        ("chips that i2cdetect finds", str(len(plan.boards) + len(plan.expanders))),
        (f"pulses for {tile} up and down", f"{stand} µs and {lie} µs"),
        ("between the two grounds", "0.00 V"),
    ]

    def draw(canvas: Canvas, at: Point) -> None:
        for row, (what, value) in enumerate(rows):
            y = at.y + 2.6 + row * _ROW_MM
            canvas.rect(Area(at.x + 3, y - 1.9, at.x + 5.4, y + 0.5), stroke=style.INK, width=0.3)
            canvas.text(Point(at.x + 8, y), what, style.TEXT_MM)
            canvas.text(Point(at.x + CARD_MM - 3, y), value, style.TEXT_MM, anchor="end", bold=True)

    return Card("Measured before the first servo", _TITLE_MM + 2 + len(rows) * _ROW_MM, draw)
