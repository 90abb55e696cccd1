"""The wires shared by all chips, drawn as lines above the blocks: supplies, bus, /OE and interrupt."""

from collections.abc import Iterable, Mapping

from hardware.box import Supply
from hardware.wiring import style
from hardware.wiring.canvas import Area, Canvas, Point, text_width
from hardware.wiring.plan import CURRENT_SENSOR, Role
from hardware.wiring.values import PullUp, ohms

_SPACE_MM, _GAP_MM = 3.8, 7.5
LANE_MM = 1.8
MINUS = "\N{MINUS SIGN}"

_SUPPLY_MM, _SENSOR_MM = 87.0, 24.0
# From top to bottom; /OE and 3.3 V are further apart, because the pull-up goes between them.
_ORDER = (Role.SERVO_POWER, Role.GROUND, Role.INTERRUPT, Role.CLOCK, Role.DATA, Role.OUTPUT_ENABLE, Role.LOGIC)


Trunk = Mapping[Role, float]
"""The heights of horizontal lines on the sheet, one for each role."""


def trunk_at(top: float, roles: Iterable[Role]) -> Trunk:
    wanted, trunk, height = set(roles), dict[Role, float](), top
    for role in _ORDER:
        if role in wanted:
            height += _GAP_MM - _SPACE_MM if role is Role.LOGIC and Role.OUTPUT_ENABLE in wanted else 0.0
            trunk[role] = height
            height += _SPACE_MM
    return trunk


def draw_lines(canvas: Canvas, trunk: Trunk, reach: Mapping[Role, Iterable[float]]) -> None:
    """Draw each line as far as it must reach, with a dot where a wire joins it between its ends."""
    for role, xs in reach.items():
        ends = sorted(xs)
        height = trunk[role]
        points = (Point(ends[0], height), Point(ends[-1], height))
        canvas.wire(points, style.COLOURS[role], width=style.width_of(role))
        for x in sorted(set(ends[1:-1]) - {ends[0], ends[-1]}):
            draw_joint(canvas, Point(x, height), role)


def draw_joint(canvas: Canvas, at: Point, role: Role) -> None:
    canvas.circle(at, 0.75, fill=style.COLOURS[role])


def draw_names(canvas: Canvas, trunk: Trunk, left: float, roles: Iterable[Role]) -> None:
    """Write the purpose of each line above it, starting at `left`."""
    for role in roles:
        at = Point(left, trunk[role] - 0.95)
        canvas.text(at, style.MEANINGS[role], style.SMALL_MM, colour=style.COLOURS[role])


def draw_pull_up(canvas: Canvas, trunk: Trunk, x: float, pull_up: PullUp) -> None:
    low, high = trunk[Role.LOGIC], trunk[Role.OUTPUT_ENABLE]
    middle = (low + high) / 2
    canvas.wire((Point(x, high), Point(x, middle)), style.COLOURS[Role.OUTPUT_ENABLE])
    canvas.wire((Point(x, middle), Point(x, low)), style.COLOURS[Role.LOGIC])
    canvas.rect(Area(x - 1.1, middle - 2.2, x + 1.1, middle + 2.2), fill=style.PAPER, stroke=style.INK, width=0.4)
    draw_joint(canvas, Point(x, low), Role.LOGIC)
    words = f"{ohms(pull_up.ohm)} pull-up"
    canvas.text(Point(x + 2.2, middle + 0.8), words, style.TEXT_MM, bold=True)
    after = Point(x + 3.4 + text_width(words, style.TEXT_MM, bold=True), middle + 0.8)
    canvas.text(after, "against 10 kΩ a board", style.SMALL_MM, colour=style.GREY)


def supply_mm(supply: Supply) -> float:
    """Return the width of what lies between the servos' supply and the line of V+."""
    return _SUPPLY_MM + (0.0 if supply.current_sensor is None else _SENSOR_MM)


def draw_supply(canvas: Canvas, trunk: Trunk, right: float, supply: Supply, fuse: float) -> dict[Role, float]:
    """Draw the servos' supply, its fuse and the V+ switch above the lines; return where they join which line."""
    box = Area(right - 46, 8.0, right, 19.5)
    red = style.COLOURS[Role.SERVO_POWER]
    canvas.rect(box, fill="#fff6f6", stroke=red, width=0.5, round_mm=1.5)
    canvas.text(Point(box.left + 8, 12.6), "Servo supply", 3.2, bold=True)
    words = f"{supply.volts:g} V, at least {supply.limit_a:g} A"
    canvas.text(Point(box.left + 8, 16.6), words, style.TEXT_MM)
    canvas.text(Point(box.left + 2, 14.9), "+", 4.0, bold=True, colour=red)
    canvas.text(Point(box.right - 5.0, 18.4), MINUS, 4.0, bold=True, anchor="end")
    drop = Point(right - supply_mm(supply) + 5, 13.5)
    power = (Point(box.left, 13.5), drop, Point(drop.x, trunk[Role.SERVO_POWER]))
    canvas.wire(power, red, width=style.THICK)
    link = Area(box.left - 13, 12.0, box.left - 5, 15.0)
    canvas.rect(link, fill=style.PAPER, stroke=red, width=0.4, round_mm=0.5)
    canvas.line((Point(link.left, 13.5), Point(link.right, 13.5)), red, width=0.3)
    canvas.text(Point(box.left - 9, 10.8), f"fuse {fuse:g} A", style.TEXT_MM, anchor="middle", bold=True)
    # This far from the edge it runs between the wires that go down to the last chips.
    enable = Point(box.left - 26.3, trunk[Role.OUTPUT_ENABLE])
    canvas.wire((Point(enable.x, 15.0), enable), style.COLOURS[Role.OUTPUT_ENABLE])
    switch = Area(enable.x - 4, 12.0, enable.x + 4, 15.0)
    canvas.rect(switch, fill=style.PAPER, stroke=red, width=0.4, round_mm=0.5)
    contact = (Point(switch.left, 13.5), Point(enable.x - 2, 13.5), Point(enable.x + 1.6, 12.4))
    canvas.line(contact, red, width=0.3)
    canvas.line((Point(enable.x + 2, 13.5), Point(switch.right, 13.5)), red, width=0.3)
    canvas.text(Point(enable.x, 10.8), "V+ switch", style.TEXT_MM, anchor="middle", bold=True)
    if supply.current_sensor is not None:
        sensor = Area(switch.left - 18, 12.0, switch.left - 10, 15.0)
        canvas.rect(sensor, fill=style.CHIP_BLACK, round_mm=0.5)
        middle = (sensor.left + sensor.right) / 2
        name = f"{CURRENT_SENSOR} 0x{supply.current_sensor:02x}"
        canvas.text(Point(middle, 10.8), name, style.TEXT_MM, anchor="middle", bold=True)
        canvas.text(Point(middle, 17.4), "3.3 V, GND, bus", style.SMALL_MM, anchor="middle", colour=style.GREY)
    ground = Point(box.right - 3.6, trunk[Role.GROUND])
    canvas.wire((Point(ground.x, box.bottom), ground), style.COLOURS[Role.GROUND], width=style.THICK)
    return {Role.SERVO_POWER: drop.x, Role.GROUND: ground.x, Role.OUTPUT_ENABLE: enable.x}
