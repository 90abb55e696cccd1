"""The blocks of the drawing: the header with its 40 pins, and chips with their 16 channels or pins."""

from collections.abc import Mapping
from dataclasses import dataclass

from hardware.wiring import style, values
from hardware.wiring.canvas import Area, Canvas, Point
from hardware.wiring.plan import EXPANDER_LEGS, SERVO_BOARD, Chip, HeaderPin, Outlet, Role, expander_leg

_TAG_MM, _TAG_HIGH_MM = 21.0, 3.5
_NAME_MM, _PITCH_MM, _PIN_MM = 11.5, 5.0, 1.75
_RESISTOR_MM = 2.0
_JUMPER_MM = 3.7  # from one address jumper to the next
HEADER_WIDTH_MM = 2 * (_TAG_MM + _NAME_MM + 4.0) + _PITCH_MM
HEADER_HEIGHT_MM = 20 * _PITCH_MM + 13.0

_ROW_MM, _HEAD_MM = 4.1, 26.0
CHIP_HEIGHT_MM = _HEAD_MM + 16 * _ROW_MM + 1.5

_SERVO_PADS = {
    Role.SERVO_POWER: "V+",
    Role.GROUND: "GND",
    Role.OUTPUT_ENABLE: "OE",
    Role.CLOCK: "SCL",
    Role.DATA: "SDA",
    Role.LOGIC: "VCC",
}
_EXPANDER_PADS = {Role.GROUND: "VSS", Role.INTERRUPT: "INTA", Role.CLOCK: "SCL", Role.DATA: "SDA", Role.LOGIC: "VDD"}


@dataclass(frozen=True, slots=True)
class Shape:
    """The widths of a kind of chip in the drawing, in mm: its board and the tags beside it; its pads by role."""

    board_mm: float
    tag_mm: float
    pads: Mapping[Role, str]

    @property
    def width_mm(self) -> float:
        return self.board_mm + 1.0 + self.tag_mm


def shape_of(chip: Chip) -> Shape:
    if chip.kind == SERVO_BOARD:
        return Shape(25.0, 15.0, _SERVO_PADS)
    return Shape(21.0, _TAG_MM, _EXPANDER_PADS)


def draw_header(canvas: Canvas, at: Point, pins: tuple[HeaderPin, ...]) -> dict[int, Point]:
    """Draw the header with its upper left corner at `at`; return where a wire leaves the tag of each used pin."""
    left = at.x + _TAG_MM + _NAME_MM + 4.0
    top = at.y + 11.0
    canvas.text(Point(left + _PITCH_MM / 2, at.y + 3.2), "Raspberry Pi, 40-pin header", 3.2, anchor="middle", bold=True)
    canvas.text(
        Point(left + _PITCH_MM / 2, at.y + 6.6),
        "pin 1 is the square pad, away from the USB sockets",
        style.SMALL_MM,
        anchor="middle",
        colour=style.GREY,
    )
    board = Area(left - 3.1, top - 2.8, left + _PITCH_MM + 3.1, top + 20 * _PITCH_MM - 2.2)
    canvas.rect(board, fill=style.HEADER_BLACK, round_mm=1.2)
    exits = {}
    for pin in pins:
        row, is_even = divmod(pin.number - 1, 2)
        centre = Point(left + is_even * _PITCH_MM, top + row * _PITCH_MM)
        exits[pin.number] = _draw_pin(canvas, centre, pin, side=1 if is_even else -1)
    return exits


def _draw_pin(canvas: Canvas, centre: Point, pin: HeaderPin, *, side: int) -> Point:
    anchor = "start" if side > 0 else "end"
    is_free = pin.role is Role.FREE
    if pin.number == 1:
        square = Area(centre.x - 2, centre.y - 2, centre.x + 2, centre.y + 2)
        canvas.rect(square, fill=style.COLOURS[pin.role], stroke=style.GOLD, width=0.4)
    else:
        canvas.circle(centre, _PIN_MM, fill="#8a8d91" if is_free else style.COLOURS[pin.role], stroke=style.GOLD)
    canvas.text(
        Point(centre.x, centre.y + 0.68),
        str(pin.number),
        style.SMALL_MM,
        colour=style.PAPER,
        anchor="middle",
        bold=True,
    )
    name_at = Point(centre.x + side * 3.8, centre.y + 0.8)
    canvas.text(name_at, pin.name, style.TEXT_MM, anchor=anchor, colour=style.GREY if is_free else style.INK)
    inner = centre.x + side * (4.0 + _NAME_MM)
    outer = inner + side * _TAG_MM
    if pin.in_series:
        resistor = sorted((inner - side * _RESISTOR_MM, inner))
        area = Area(resistor[0], centre.y - 0.8, resistor[1], centre.y + 0.8)
        canvas.rect(area, fill=style.PAPER, stroke=style.INK, width=0.3)
    if not is_free:
        _tag(canvas, Point(min(inner, outer), centre.y), _TAG_MM, pin.role, pin.use)
    return Point(outer, centre.y)


def _tag(canvas: Canvas, middle_left: Point, long: float, role: Role, words: str) -> None:
    half = _TAG_HIGH_MM / 2
    area = Area(middle_left.x, middle_left.y - half, middle_left.x + long, middle_left.y + half)
    canvas.rect(area, fill=style.TINTS[role], stroke=style.COLOURS[role], width=0.25, round_mm=0.7)
    canvas.text(Point(middle_left.x + long / 2, middle_left.y + 0.8), words, style.TEXT_MM, anchor="middle")


def draw_chip(canvas: Canvas, at: Point, chip: Chip) -> dict[Role, Point]:
    """Draw a servo board or an expander with its upper left corner at `at`; return where wires end at its pads."""
    shape = shape_of(chip)
    is_servo_board = chip.kind == SERVO_BOARD
    board = Area(at.x, at.y, at.x + shape.board_mm, at.y + CHIP_HEIGHT_MM)
    canvas.rect(board, fill=style.BOARD_BLUE if is_servo_board else style.CHIP_BLACK, round_mm=1.5)
    pads = _draw_pads(canvas, at, chip)
    middle = at.x + shape.board_mm / 2
    canvas.text(Point(middle, at.y + 16.6), chip.name, 4.2, colour=style.PAPER, anchor="middle", bold=True)
    canvas.text(Point(middle, at.y + 19.6), chip.kind, style.TEXT_MM, colour=style.FAINT, anchor="middle")
    left = middle - _JUMPER_MM * (len(chip.jumpers) - 1) / 2
    for place, bit in enumerate(reversed(range(len(chip.jumpers)))):
        x, y, is_set = left + place * _JUMPER_MM, at.y + 24.4, chip.jumpers[bit]
        box = Area(x - 1.2, y - 1.0, x + 1.2, y + 1.4)
        canvas.rect(box, fill=style.GOLD if is_set else "none", stroke=style.GOLD, width=0.25)
        ink = style.INK if is_set else style.PAPER
        canvas.text(Point(x, y + 0.85), str(int(is_set)), style.SMALL_MM, colour=ink, anchor="middle", bold=True)
        canvas.text(Point(x, y - 1.7), f"A{bit}", 1.6, colour=style.FAINT, anchor="middle")
    if is_servo_board:
        centre = Point(at.x + 6.6, at.y + _HEAD_MM + 8 * _ROW_MM)
        size = str(values.capacitor_uf(len(chip.used)))
        canvas.circle(centre, 5.0, fill="#0f2b45", stroke=style.FAINT, width=0.4)
        canvas.text(Point(centre.x, centre.y + 0.3), size, 2.5, colour=style.PAPER, anchor="middle")
        canvas.text(Point(centre.x, centre.y + 2.9), "µF", style.SMALL_MM, colour=style.PAPER, anchor="middle")
        canvas.text(Point(centre.x, centre.y - 2.3), "+", style.TEXT_MM, colour=style.PAPER, anchor="middle", bold=True)
    else:
        where = Point(at.x + 3.4, at.y + _HEAD_MM + 11 * _ROW_MM)
        canvas.text(where, "RESET (18) to 3.3 V", style.SMALL_MM, colour=style.FAINT, upright=True)
    for row, outlet in enumerate(chip.outlets):
        edge = Point(board.right, at.y + _HEAD_MM + (row + 0.5) * _ROW_MM)
        _draw_outlet(canvas, edge, shape.tag_mm, outlet, leg=None if is_servo_board else expander_leg(row))
    return pads


def _draw_pads(canvas: Canvas, at: Point, chip: Chip) -> dict[Role, Point]:
    shape = shape_of(chip)
    pitch = shape.board_mm / len(shape.pads)
    pads = {}
    for place, (role, name) in enumerate(shape.pads.items()):
        pad = Point(at.x + pitch * (place + 0.5), at.y)
        if chip.kind == SERVO_BOARD and role in (Role.SERVO_POWER, Role.GROUND):
            terminal = Area(pad.x - 1.8, at.y - 0.3, pad.x + 1.8, at.y + 3.2)
            canvas.rect(terminal, fill=style.TERMINAL_GREEN, round_mm=0.4)
        canvas.circle(Point(pad.x, at.y + 1.3), 1.0, fill=style.GOLD)
        words = name if chip.kind == SERVO_BOARD else f"{name} {EXPANDER_LEGS[name]}"
        start = Point(pad.x + 0.7, at.y + 11.6)
        canvas.text(start, words, style.SMALL_MM, colour=style.PAPER, upright=True)
        pads[role] = pad
    return pads


def _draw_outlet(canvas: Canvas, edge: Point, tag_mm: float, outlet: Outlet, leg: int | None) -> None:
    is_used = outlet.tile is not None
    dots = (style.GOLD,) if leg is not None else ("#111111", style.COLOURS[Role.SERVO_POWER], "#f2c14e")
    for place, colour in enumerate(dots):
        canvas.circle(Point(edge.x - 1.4 - 1.7 * place, edge.y), 0.65, fill=colour if is_used else "#7d8590")
    ink = style.PAPER if is_used else "#9aa3ad"
    base = edge.y + 0.8
    name_at = edge.x - 1.4 - 1.7 * len(dots)
    canvas.text(Point(name_at, base), outlet.name, style.TEXT_MM, colour=ink, anchor="end", bold=is_used)
    if leg is not None:
        canvas.text(Point(name_at - 5.2, base), f"({leg})", style.SMALL_MM, colour=style.FAINT, anchor="end")
    if is_used:
        _tag(canvas, Point(edge.x + 1.0, edge.y), tag_mm, outlet.role, outlet.use)
