"""The cards beside the wiring: connections of parts, colours, measurements, parts list."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from hardware.wiring import hall, style, symbols, values
from hardware.wiring.canvas import Area, Canvas, Point
from hardware.wiring.parts import parts_of
from hardware.wiring.plan import Plan, Role

CARD_MM = 82.0
_TITLE_MM, _ROW_MM = 7.5, 3.9


@dataclass(frozen=True, slots=True)
class Card:
    """A framed note of `CARD_MM` by `height_mm`; `draw` fills it below its title."""

    title: str
    height_mm: float
    draw: Callable[[Canvas, Point], None]


def cards_of(plan: Plan) -> tuple[Card, ...]:
    cards = [
        _parts(plan),
        _measures(plan),
        _legend(plan),
        Card(f"Hall sensor {hall.SENSOR.kind}, {plan.sensors(Role.SHUT)} times", 37.0, symbols.draw_hall),
        Card(f"Servo plug, {len(plan.box.tiles)} times", 22.0, symbols.draw_plug),
    ]
    if switches := plan.sensors(Role.OPEN):
        cards.append(Card(f"Limit switch, {switches} times", 22.5, symbols.draw_switch))
    if pins := plan.in_series:
        height = _TITLE_MM + 10.5 + (len(pins) + 1) // 2 * symbols.SERIES_ROW_MM
        cards.append(Card(f"Resistor in series, {len(pins)} times", height, partial(symbols.draw_series, pins=pins)))
    if rows := symbols.panel_rows(plan.panel):
        height = _TITLE_MM + 3.5 + rows * symbols.PANEL_ROW_MM
        cards.append(Card("Panel", height, partial(symbols.draw_panel, panel=plan.panel)))
    return tuple(sorted(cards, key=lambda card: -card.height_mm))


def draw_card(canvas: Canvas, at: Point, card: Card) -> None:
    frame = Area(at.x, at.y, at.x + CARD_MM, at.y + card.height_mm)
    canvas.rect(frame, fill="#fbfbfa", stroke=style.FAINT, width=0.3, round_mm=1.5)
    canvas.text(Point(at.x + 3, at.y + 5.0), card.title, style.NAME_MM, bold=True)
    card.draw(canvas, Point(at.x, at.y + _TITLE_MM))


def _parts(plan: Plan) -> Card:
    parts = parts_of(plan)

    def draw(canvas: Canvas, at: Point) -> None:
        for row, part in enumerate(parts):
            base = at.y + 2.6 + row * _ROW_MM
            canvas.text(Point(at.x + 10, base), str(part.quantity), style.TEXT_MM, anchor="end", bold=True)
            canvas.text(Point(at.x + 13, base), part.part, style.TEXT_MM)

    return Card("Parts", _TITLE_MM + 2 + len(parts) * _ROW_MM, draw)


def _legend(plan: Plan) -> Card:
    seen = {pin.role for pin in plan.header} | {outlet.role for chip in plan.expanders for outlet in chip.outlets}
    roles = [Role.SERVO, *(role for role in (Role.SHUT, Role.OPEN, Role.PANEL) if role in seen)]

    def draw(canvas: Canvas, at: Point) -> None:
        for row, role in enumerate(roles):
            y = at.y + 2.0 + row * _ROW_MM
            start, end = Point(at.x + 3, y), Point(at.x + 13, y)
            canvas.line((start, end), style.COLOURS[role], width=2 * style.width_of(role))
            canvas.text(Point(at.x + 16, y + 0.8), style.MEANINGS[role], style.TEXT_MM)
        base = at.y + 2.8 + len(roles) * _ROW_MM
        canvas.circle(Point(at.x + 8, base - 0.8), 0.75, fill=style.INK)
        canvas.text(Point(at.x + 16, base), "joint; without it lines only cross", style.TEXT_MM)

    return Card("Colours", _TITLE_MM + 2 + (len(roles) + 1) * _ROW_MM, draw)


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
