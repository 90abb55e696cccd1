"""The pages of the box profiles: each with its wiring drawing, tiles, wires, chips and parts; and the keys of one."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from inspect import getdoc

from hardware import wires as wire_names
from hardware.box import Box, box_names, load_box
from hardware.wires import ExpanderPin, GpioPin
from hardware.wiring.drawing import draw_box
from hardware.wiring.parts import parts_of
from hardware.wiring.plan import CURRENT_SENSOR, Plan, Role, expander_leg, pin_of, plan_of, sensor_straps
from tools.reference.markdown import Row, code, heading, link, paragraphs, prose, table, text, toctree
from tools.reference.schema import Schema, describe_object

_FOLDER = "profiles"
_KEYS = "keys"


def profile_pages() -> dict[str, str]:
    """Return a page and a drawing for each profile that comes with the program, one that lists them, and their keys."""
    boxes = {name: load_box(name) for name in box_names()}
    pages = {f"{_FOLDER}/index.md": _overview(boxes), f"{_FOLDER}/{_KEYS}.md": keys_page()}
    for name, box in boxes.items():
        pages |= {f"{_FOLDER}/{name}.md": _page_of(box), f"{_FOLDER}/{name}.svg": draw_box(box).svg}
    return pages


def _overview(boxes: Mapping[str, Box]) -> str:
    rows = (
        (link(code(name), f"{name}.md"), text(box.summary), text(box.kind), f"{box.rows} x {box.columns}")
        for name, box in boxes.items()
    )
    return paragraphs(
        heading("Box profiles"),
        toctree((_KEYS, *boxes), hidden=True),
        f"A profile is a TOML file that describes one build of the box: {link('its keys', f'{_KEYS}.md')}.",
        table(("profile", "box", "tiles", "rows x columns"), rows),
    )


def keys_page() -> str:
    """Return the page of the keys of a profile, by the tables of its file."""
    schema = Box.model_json_schema(mode="serialization")  # what stands in a file: wires by their names
    types: dict[str, Schema] = {name: _without_null(each) for name, each in schema["$defs"].items()}
    fields = dict(schema["properties"])
    # Each table has a type of its own.
    tables = {name: fields.pop(name)["$ref"].rpartition("/")[2] for name in list(fields) if "$ref" in fields[name]}
    tables["tiles"] = fields.pop("tiles")["additionalProperties"]["$ref"].rpartition("/")[2]
    others = sorted(types.keys() - {*tables.values(), "TileId"})
    return paragraphs(
        describe_object("Box", {**schema, "properties": fields}, _KEYS, 1, "Keys of a box profile"),
        *(describe_object(each, types[each], _KEYS, 2, code(f"[{name}]")) for name, each in tables.items()),
        *(describe_object(each, types[each], _KEYS, 2) for each in others),
        heading("Wires", 2),
        prose((getdoc(wire_names) or "").partition("\n\n")[2]),
    )


def _without_null(described: Schema) -> Schema:
    """Return a type without its nulls: a file of TOML has none, and leaves the key out."""
    found = deepcopy(dict(described))
    for field in found.get("properties", {}).values():
        if {"type": "null"} in field.get("anyOf", ()):
            field["anyOf"].remove({"type": "null"})
            field.pop("default", None)
    return found


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
        link("The drawing in full size", f"{box.name}.svg"),
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
