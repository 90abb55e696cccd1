"""The pages of the box profiles: each with its wiring drawing, its tiles and wires, its chips and its parts."""

from collections.abc import Iterator, Mapping

from hardware.box import Box, box_names, load_box
from hardware.wires import ExpanderPin, GpioPin
from hardware.wiring.drawing import draw_box
from hardware.wiring.parts import parts_of
from hardware.wiring.plan import CURRENT_SENSOR, Plan, Role, expander_leg, pin_of, plan_of, sensor_straps
from tools.reference.markdown import Row, code, heading, link, paragraphs, table, text, toctree

_FOLDER = "profiles"


def profile_pages() -> dict[str, str]:
    """Return a page and a drawing for each profile that comes with the program, and a page that lists them."""
    boxes = {name: load_box(name) for name in box_names()}
    pages = {f"{_FOLDER}/index.md": _overview(boxes)}
    for name, box in boxes.items():
        pages |= {f"{_FOLDER}/{name}.md": _page_of(box), f"{_FOLDER}/{name}.svg": draw_box(box).svg}
    return pages


def _overview(boxes: Mapping[str, Box]) -> str:
    rows = (
        (link(code(name), f"{name}.md"), text(box.summary), text(box.kind), f"{box.rows} x {box.columns}")
        for name, box in boxes.items()
    )
    return paragraphs(
        heading("Profiles"), toctree(boxes, hidden=True), table(("profile", "box", "tiles", "rows x columns"), rows)
    )


def _page_of(box: Box) -> str:
    plan = plan_of(box)
    tables = (
        ("Tiles", ("tile", "servo", "shut sensor", "open sensor", "turned round"), _tiles(box)),
        ("Header", ("pin", "name", "goes to"), _header(plan)),
        ("Chips on the bus", ("address", "chip", "bridged", "in use"), _chips(plan)),
        ("Parts", ("number", "part", "note"), _parts(plan)),
    )
    about = f"{box.rows} x {box.columns}; {box.servos_at_once} of {len(box.tiles)} servos may move at once."
    return paragraphs(
        heading(code(box.name)),
        text(box.summary),
        about,
        f"![The wiring of {text(box.name)}, which the tables below list]({box.name}.svg)",
        *(paragraphs(heading(title, 2), table(head, rows)) for title, head, rows in tables),
    )


def _tiles(box: Box) -> Iterator[Row]:
    for tile in box.tile_ids:
        wires = box.tiles[tile]
        servo = f"{wires.servo.board:#04x} channel {wires.servo.channel}"
        yield code(tile), servo, _end(wires.shut), _end(wires.open), "yes" if wires.reversed else ""


def _end(wire: GpioPin | ExpanderPin | None) -> str:
    """Return a wire by its name and the place where it ends."""
    if wire is None:
        return ""
    return f"{code(wire)}, " + (f"pin {pin_of(wire)}" if isinstance(wire, GpioPin) else f"leg {expander_leg(wire.pin)}")


def _header(plan: Plan) -> Iterator[Row]:
    return ((str(pin.number), code(pin.name), text(pin.use)) for pin in plan.header if pin.role is not Role.FREE)


def _chips(plan: Plan) -> Iterator[Row]:
    for chip in (*plan.boards, *plan.expanders):
        yield code(chip.name), text(chip.kind), text(chip.bridged), f"{len(chip.used)} of {len(chip.outlets)}"
    if (sensor := plan.box.supply.current_sensor) is not None:
        yield code(plan.current_sensor), text(CURRENT_SENSOR), text(sensor_straps(sensor)), "V+"


def _parts(plan: Plan) -> Iterator[Row]:
    return ((str(part.quantity), text(part.part), text(part.note)) for part in parts_of(plan))
