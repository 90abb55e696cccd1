"""The cards beside the wiring: connections of parts, colours, measurements, parts list."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from hardware import hall
from hardware.wiring import style, values
from hardware.wiring.canvas import Area, Canvas, Point
from hardware.wiring.parts import Part, parts_of
from hardware.wiring.plan import HeaderPin, Plan, Role
from hardware.wiring.values import ohms, series_ohm, switch_off_s

_LINE = 0.4


def draw_hall(canvas: Canvas, at: Point) -> None:
    body = Area(at.x + 3, at.y + 2, at.x + 12, at.y + 17)
    canvas.rect(body, fill="#3a3d44", round_mm=1.5)
    canvas.text(Point(at.x + 8.2, at.y + 13), "Hall", 2.6, colour=style.PAPER, upright=True, bold=True)
    rows = (("VCC", Role.LOGIC, "3.3 V", 46), ("GND", Role.GROUND, "GND", 34), ("OUT", Role.SHUT, "pin", 62))
    for place, (leg, role, end, long) in enumerate(rows):
        y, stop = at.y + 4.5 + 5 * place, at.x + long
        canvas.wire((Point(body.right, y), Point(stop, y)), style.COLOURS[role])
        canvas.text(Point(at.x + 13, y - 0.8), leg, style.SMALL_MM)
        canvas.text(Point(stop + 1, y + 0.8), end, style.TEXT_MM, colour=style.COLOURS[role], bold=True)
    x, middle = at.x + 26, at.y + 7
    for start, plate in ((at.y + 4.5, middle - 0.5), (at.y + 9.5, middle + 0.5)):
        canvas.line((Point(x, start), Point(x, plate)), style.INK, width=_LINE)
        canvas.line((Point(x - 1.6, plate), Point(x + 1.6, plate)), style.INK, width=0.6)
    canvas.text(Point(x + 2.2, middle + 0.7), "100 nF", style.SMALL_MM)
    canvas.wire((Point(at.x + 44, at.y + 4.5), Point(at.x + 44, at.y + 14.5)), style.COLOURS[Role.LOGIC])
    _upright_resistor(canvas, Point(at.x + 44, at.y + 6.3), ohms(values.SENSOR_PULL_UP_OHM), side=1)
    canvas.circle(Point(at.x + 44, at.y + 14.5), 0.75, fill=style.INK)
    _resistor(canvas, Point(at.x + 51, at.y + 14.5), ohms(series_ohm()))
    nearest, farthest = hall.GAP_MM
    lines = (
        "South pole at its marked face: OUT goes low, the tile is shut.",
        f"Magnet {hall.MAGNET.size}, {hall.MAGNET.grade}: {nearest:g} to {farthest:g} mm from it, "
        f"{hall.AXLE_MM:g} mm from the axle.",
        f"Where the line ends at an expander, no {ohms(series_ohm())}.",
    )
    for place, words in enumerate(lines):
        canvas.text(Point(at.x + 3, at.y + 21 + 3.2 * place), words, style.SMALL_MM)


def draw_power_switch(canvas: Canvas, at: Point, plan: Plan) -> None:
    """Draw the V+ switch: two transistors that close a P-MOSFET while 3.3 V are there and /OE is low."""
    enable, logic = style.COLOURS[Role.OUTPUT_ENABLE], style.COLOURS[Role.LOGIC]
    red, ohm, off_ohm = style.COLOURS[Role.SERVO_POWER], ohms(values.SWITCH_OHM), ohms(values.SWITCH_OFF_OHM)
    left, top = at.x, at.y
    # PNP: emitter up to 3.3 V, base to /OE and, by another resistor, to its emitter.
    canvas.text(Point(left + 3, top + 19.2), "to /OE", style.TEXT_MM, colour=enable, bold=True)
    canvas.wire((Point(left + 3, top + 16), Point(left + 22.5, top + 16)), enable)
    _resistor(canvas, Point(left + 10.5, top + 16), ohm)
    canvas.wire((Point(left + 18.5, top + 16), Point(left + 18.5, top + 4), Point(left + 25, top + 4)), logic)
    canvas.wire((Point(left + 25, top + 4), Point(left + 25, top + 13.5)), logic)
    _upright_resistor(canvas, Point(left + 18.5, top + 6.5), ohm, side=-1)
    canvas.text(Point(left + 26, top + 4.8), "3.3 V", style.TEXT_MM, colour=logic, bold=True)
    _transistor(canvas, Point(left + 25, top + 16), "BC557", "EC")
    # NPN: pulls the gate down while the first one feeds its base.
    canvas.wire((Point(left + 25, top + 18.5), Point(left + 25, top + 26), Point(left + 42.5, top + 26)), style.INK)
    _resistor(canvas, Point(left + 27.5, top + 26), ohm)
    canvas.wire((Point(left + 37.5, top + 26), Point(left + 37.5, top + 35)), style.INK)
    _upright_resistor(canvas, Point(left + 37.5, top + 27.8), off_ohm, side=-1)
    _ground(canvas, Point(left + 37.5, top + 35))
    canvas.wire((Point(left + 45, top + 28.5), Point(left + 45, top + 35)), style.INK)
    _ground(canvas, Point(left + 45, top + 35))
    _transistor(canvas, Point(left + 45, top + 26), "BC547", "CE")
    canvas.wire((Point(left + 45, top + 23.5), Point(left + 45, top + 18), Point(left + 72, top + 18)), style.INK)
    _resistor(canvas, Point(left + 46.5, top + 18), ohm)
    # P-MOSFET in the plus wire: source to the fuse, gate down; the capacitor from gate to V+ slows it.
    canvas.wire((Point(left + 51, top + 5), Point(left + 73, top + 5)), red, width=style.THICK)
    canvas.text(Point(left + 50, top + 5.8), "fuse", style.TEXT_MM, colour=red, anchor="end", bold=True)
    canvas.text(Point(left + 74, top + 5.8), "V+", style.TEXT_MM, colour=red, bold=True)
    canvas.wire((Point(left + 56, top + 5), Point(left + 56, top + 18)), style.INK)
    _upright_resistor(canvas, Point(left + 56, top + 8), off_ohm, side=-1)
    canvas.wire((Point(left + 64, top + 7.5), Point(left + 64, top + 18)), style.INK)
    canvas.circle(Point(left + 64, top + 5), 2.5, fill=style.PAPER, stroke=style.INK, width=_LINE)
    canvas.text(Point(left + 64, top + 1.6), values.SWITCH_FET, style.SMALL_MM, anchor="middle", bold=True)
    for x, letter in ((60.2, "S"), (67.0, "D")):
        canvas.text(Point(left + x, top + 3.7), letter, style.SMALL_MM)
    canvas.text(Point(left + 62.2, top + 9.4), "G", style.SMALL_MM)
    canvas.wire((Point(left + 72, top + 5), Point(left + 72, top + 10.9)), style.INK)
    canvas.wire((Point(left + 72, top + 12.1), Point(left + 72, top + 18)), style.INK)
    for y in (10.9, 12.1):
        canvas.line((Point(left + 70.2, top + y), Point(left + 73.8, top + y)), style.INK, width=0.6)
    canvas.text(Point(left + 73.2, top + 15.2), f"{values.SWITCH_NF} nF", style.SMALL_MM)
    for x, y in ((18.5, 16), (37.5, 26), (56, 5), (56, 18), (64, 18), (72, 5)):
        canvas.circle(Point(left + x, top + y), 0.75, fill=style.INK)
    supply = plan.box.supply
    fets, inrush_a, off_s = values.switch_fets(supply.limit_a), values.switch_inrush_a(plan), switch_off_s(supply.volts)
    lines = (
        "Open without 3.3 V, with /OE high, and whatever wire breaks." + f" {fets} MOSFETs side by side." * (fets > 1),
        f"V+ comes with {inrush_a:.1f} A at most, and is gone {off_s:.1f} s after /OE goes high.",
    )
    for place, words in enumerate(lines):
        canvas.text(Point(left + 3, top + 41 + 3.2 * place), words, style.SMALL_MM)


def draw_switch(canvas: Canvas, at: Point, *, on_header: bool) -> None:
    y, x, colour = at.y + 10, at.x + 25, style.COLOURS[Role.OPEN]
    canvas.text(Point(at.x + 3, y + 0.8), "pin", style.TEXT_MM, colour=colour, bold=True)
    canvas.wire((Point(at.x + 9, y), Point(x, y)), colour)
    if on_header:
        _resistor(canvas, Point(at.x + 11.5, y), ohms(series_ohm()))
    canvas.wire((Point(x, y), Point(x, at.y + 0.5)), style.COLOURS[Role.LOGIC])
    _upright_resistor(canvas, Point(x, at.y + 1.8), ohms(values.SENSOR_PULL_UP_OHM), side=1)
    canvas.circle(Point(x, y), 0.75, fill=style.INK)
    canvas.text(Point(x - 2, at.y + 2.0), "3.3 V", style.TEXT_MM, colour=style.COLOURS[Role.LOGIC], anchor="end")
    _contact(canvas, Point(x, y), Point(x + 22, y), colour)
    canvas.text(Point(x + 3.5, y - 1.2), "NO", style.SMALL_MM)
    canvas.text(Point(x + 14.5, y - 1.2), "COM", style.SMALL_MM)
    _ground(canvas, Point(x + 22, y))
    canvas.text(Point(x + 26, y + 0.8), "closed: tile stands", style.SMALL_MM)


def draw_plug(canvas: Canvas, at: Point, plan: Plan) -> None:
    rows = (
        ("#5b3a29", "brown or black: GND, at the edge of the board"),
        ("#d01c1f", f"red: V+, by way of a {values.resettable_fuse(plan.box.supply).kind}"),
        ("#f2a03d", "orange, yellow or white: signal"),
    )
    for place, (colour, words) in enumerate(rows):
        y = at.y + 3.5 + 4 * place
        canvas.line((Point(at.x + 3, y), Point(at.x + 11, y)), colour, width=1.2)
        canvas.circle(Point(at.x + 12.5, y), 1.0, fill=style.GOLD)
        canvas.text(Point(at.x + 15.5, y + 0.8), words, style.TEXT_MM)
    canvas.rect(Area(at.x + 5, at.y + 6.3, at.x + 9, at.y + 8.7), fill=style.PAPER, stroke=style.INK, width=_LINE)


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
                _pulled_up_contact(canvas, left, right)
            case "lid":
                _pulled_up_contact(canvas, left, right)
                middle = (left.x + 12 + right.x) / 2
                glass = Area(middle - 5, y - 2.8, middle + 5, y + 1.6)
                canvas.rect(glass, stroke=style.COLOURS[Role.PANEL], width=0.3, round_mm=2.2)
            case "led":
                _limited(canvas, left, right)
                x, green = left.x + 17, style.COLOURS[Role.SHUT]
                canvas.line(
                    (Point(x, y - 1.6), Point(x, y + 1.6), Point(x + 2.8, y), Point(x, y - 1.6)), green, width=0.5
                )
                canvas.line((Point(x + 2.8, y - 1.6), Point(x + 2.8, y + 1.6)), green, width=0.6)
                for shift in (0.4, 1.8):
                    canvas.line((Point(x + shift, y - 2.0), Point(x + shift + 1.2, y - 3.2)), green, width=0.3)
            case "speaker":
                _limited(canvas, left, right)
                canvas.circle(Point(left.x + 18, y), 2.4, fill=style.PAPER, stroke=style.INK, width=_LINE)
                canvas.circle(Point(left.x + 18, y), 1.2, fill=style.FAINT, stroke=style.INK, width=0.25)
        _ground(canvas, right)
        canvas.text(Point(at.x + 54, y + 0.8), words, style.TEXT_MM)
        y += PANEL_ROW_MM


PANEL_ROW_MM = 6.5
# The parts of the panel, with the words beside each.
_PANEL = {"button": "push button", "lid": "lid, reed switch", "led": "short leg to GND", "speaker": "piezo sounder"}


def _contact(canvas: Canvas, left: Point, right: Point, colour: str) -> None:
    middle = (left.x + right.x) / 2
    canvas.wire((left, Point(middle - 3, left.y)), colour)
    canvas.wire((Point(middle + 3, right.y), right), colour)
    canvas.line((Point(middle - 3, left.y), Point(middle + 2.4, left.y - 2.2)), colour, width=0.5)
    for x in (middle - 3, middle + 3):
        canvas.circle(Point(x, left.y), 0.6, fill=style.PAPER, stroke=colour)


def _pulled_up_contact(canvas: Canvas, left: Point, right: Point) -> None:
    middle = Point(left.x + 12, left.y)
    _limited(canvas, left, middle)
    _contact(canvas, middle, right, style.COLOURS[Role.PANEL])
    words = f"dot: {ohms(values.SENSOR_PULL_UP_OHM)} to 3.3 V"
    canvas.text(Point(right.x + 4, right.y + 3.6), words, style.SMALL_MM)
    canvas.circle(middle, 0.75, fill=style.INK)


def _limited(canvas: Canvas, left: Point, right: Point) -> None:
    """Draw a line with the resistor in series."""
    canvas.wire((left, right), style.COLOURS[Role.PANEL])
    _resistor(canvas, Point(left.x + 2, left.y), ohms(series_ohm()))


def _ground(canvas: Canvas, at: Point) -> None:
    canvas.line((at, Point(at.x, at.y + 1.4)), style.INK, width=_LINE)
    for place, half in enumerate((1.8, 1.1, 0.4)):
        y = at.y + 1.4 + 0.7 * place
        canvas.line((Point(at.x - half, y), Point(at.x + half, y)), style.INK, width=_LINE)


def _resistor(canvas: Canvas, left: Point, words: str) -> None:
    """Draw a resistor over a wire, from `left` on, with its value above."""
    box = Area(left.x, left.y - 1.1, left.x + 6.5, left.y + 1.1)
    canvas.rect(box, fill=style.PAPER, stroke=style.INK, width=_LINE)
    canvas.text(Point(left.x + 3.2, left.y - 1.8), words, style.SMALL_MM, anchor="middle")


def _upright_resistor(canvas: Canvas, top: Point, words: str, *, side: int) -> None:
    """Draw a resistor over an upright wire, from `top` down, with its value on its left (-1) or right (1)."""
    box = Area(top.x - 1.1, top.y, top.x + 1.1, top.y + 6.5)
    canvas.rect(box, fill=style.PAPER, stroke=style.INK, width=_LINE)
    beside = Point(top.x + 2 * side, top.y + 4.0)
    canvas.text(beside, words, style.SMALL_MM, anchor="start" if side > 0 else "end")


def _transistor(canvas: Canvas, centre: Point, kind: str, letters: str) -> None:
    """Draw a transistor of three legs: its base on the left, then the legs above and below by their `letters`."""
    canvas.circle(centre, 2.5, fill=style.PAPER, stroke=style.INK, width=_LINE)
    canvas.text(Point(centre.x, centre.y + 0.7), "B", style.SMALL_MM, anchor="middle")
    canvas.text(Point(centre.x + 3.2, centre.y + 0.7), kind, style.SMALL_MM, bold=True)
    for letter, y in zip(letters, (centre.y - 3.0, centre.y + 4.4), strict=True):
        canvas.text(Point(centre.x + 0.8, y), letter, style.SMALL_MM)


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
        Card(f"Hall sensor {hall.SENSOR.kind}, {plan.sensors(Role.SHUT)} times", 36.5, draw_hall),
        Card(f"Servo plug, {len(plan.box.tiles)} times", 21.5, partial(draw_plug, plan=plan)),
        Card("V+ switch", _TITLE_MM + 47.0, partial(draw_power_switch, plan=plan)),
    ]
    if switches := plan.sensors(Role.OPEN):
        on_header = any(pin.role is Role.OPEN for pin in plan.header)
        draw = partial(draw_switch, on_header=on_header)
        cards.append(Card(f"Limit switch, {switches} times", 21.5, draw))
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
        ("servo supply, unloaded", f"{plan.box.supply.volts:g} V"),
        ("V+ of every board, /OE high", "0 V"),
        ("V+ of every board, /OE low", f"{plan.box.supply.volts:g} V, plus at V+"),
        ("3.3 V at every board", "3.2 to 3.4 V"),
        ("/OE, program not running", f"{pull_up.level_v:.1f} V, never under {values.OE_HIGH_V:.1f} V"),
        ("chips that i2cdetect finds", str(len(plan.addresses))),
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
