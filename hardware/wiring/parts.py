"""The parts list of one box, with quantities."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from hardware import hall
from hardware.wiring import values
from hardware.wiring.plan import CURRENT_SENSOR, Chip, Plan, Role, sensor_straps


@dataclass(frozen=True, slots=True)
class Part:
    """One line of the list; `note` says what to look for when buying, with the values of this box."""

    part: str
    quantity: int
    note: str


def parts_of(plan: Plan) -> tuple[Part, ...]:
    """Return all electrical parts that the box needs, without wood, dice and tools."""
    fuse = values.fuse_a(plan.box.supply.limit_a)
    two_core = plan.sensors(Role.OPEN) + sum(part in plan.panel for part in ("button", "led", "lid", "speaker"))
    leads = (
        Part("Screw terminals for the 40-pin header", 1, "with rails for 3.3 V and GND"),
        Part("Servo extension lead", len(plan.box.tiles), "three cores, from the board to the tile"),
        Part("Lead of three cores", plan.sensors(Role.SHUT), "3.3 V, GND and out of a Hall sensor"),
        Part("Lead of two cores", two_core, "line and GND of a switch or a part of the panel"),
        Part(
            "Bus cable of five cores",
            len(plan.addresses),
            "3.3 V, GND, SDA, SCL and /OE or INT, from chip to chip; short",
        ),
        Part(
            "Pair of supply wires", len(plan.boards), f"{values.copper_mm2(fuse):g} mm² each, to V+ and GND of a board"
        ),
    )
    found = (*_boards(plan), *_sensors(plan), *_supply_and_panel(plan), *leads)
    return tuple(part for part in found if part.quantity)


def _boards(plan: Plan) -> Iterator[Part]:
    camera, field, supply = plan.box.camera, plan.box.field, plan.box.supply
    yield Part("Raspberry Pi 4 or 5", 1, "with a supply and a card of its own; the servos have another supply")
    module = camera.module.replace("-", " ").title() if camera.sensor is None else "Camera module"
    yield Part(f"{module} with its cable", 1, f"{camera.height_mm:g} mm over the baize, looking straight down")
    yield Part("Printed marker", 4, f"{field.marker_mm:g} mm; `shutbox calibrate camera --sheets FOLDER` makes them")
    yield Part("Field lamp", 1, "steady light, no flicker; not switched by the box")
    yield Part(
        "Micro servo, analog",
        len(plan.box.tiles),
        f"for {supply.volts:g} V, stalls at {supply.stalling_a:.2f} A or less; no digital one: it may hold its place"
        " without pulses, so that letting go takes no force away",
    )
    yield Part("Servo board, PCA9685", len(plan.boards), f"Adafruit 815 or alike; {_addresses(plan.boards)}")
    note = f"DIP-28 or a board with it; {_addresses(plan.expanders)}"
    # Revision D (2022) of DS20001952 defines A7 and B7 as outputs only.
    if late := sum(outlet.name in ("A7", "B7") for chip in plan.expanders for outlet in chip.used):
        note += f". {late} sensors sit on A7 and B7: see hardware/README.md"
    yield Part("Port expander, MCP23017", len(plan.expanders), note)


def _addresses(chips: tuple[Chip, ...]) -> str:
    return ", ".join(chip.name for chip in chips)


def _sensors(plan: Plan) -> Iterator[Part]:
    shut, sensor, magnet = plan.sensors(Role.SHUT), hall.SENSOR, hall.MAGNET
    (on_least, on, on_most), (off_least, off, off_most) = sensor.operate_mt, sensor.release_mt
    nearest, farthest = hall.GAP_MM
    yield Part(
        f"Hall sensor {sensor.kind}",
        shut,
        f"TI, three legs: {sensor.order}; unipolar, open drain, for 3.3 V (an A3144 needs 4.5 V); closes at {on:g} mT "
        f"({on_least:g} to {on_most:g}), opens at {off:g} mT ({off_least:g} to {off_most:g})",
    )
    # The stop of a front tile pulls at the magnet in its tail; a back tile has one in its back for that.
    stops = sum(1 if tile.row == 1 else 2 for tile in plan.box.tile_ids) if plan.box.motion.link == "slot" else 0
    yield Part(
        f"Disc magnet {magnet.size}",
        shut + stops,
        f"neodymium {magnet.grade}, no stronger, magnetised along its axis; {shut} in tiles, {hall.AXLE_MM:g} mm from"
        f" the axle, south pole towards the sensor's marked face, {nearest:g} to {farthest:g} mm from it when the tile"
        f" lies: {hall.least_field_mt():.0f} mT or more" + f"; {stops} at the stops" * (stops > 0),
    )
    yield Part(
        "Limit switch",
        plan.sensors(Role.OPEN),
        "lever of 0.1 N at most (Omron SS-01GL-E); closes (COM to NO) where the tile stands",
    )


def _supply_and_panel(plan: Plan) -> Iterator[Part]:
    supply = plan.box.supply
    limit, fuse = supply.limit_a, values.fuse_a(supply.limit_a)
    yield Part("Servo supply", 1, f"{supply.volts:g} V (6 V at most), at least {limit:g} A, switchable")
    yield Part("Blade fuse with holder", 1, f"{fuse:g} A, in the plus wire beside the supply")
    yield from _power_switch(limit)
    if supply.current_sensor is not None:
        straps = sensor_straps(supply.current_sensor)
        yield Part(
            f"Current sensor {CURRENT_SENSOR}",
            1,
            f"Adafruit 4226 or alike; {plan.current_sensor}: {straps}; in V+ behind the switch, and on the bus",
        )
    pptc = values.resettable_fuse(supply)
    yield Part(
        f"Resettable fuse {pptc.kind}",
        len(plan.box.tiles),
        f"Bourns, or another PPTC: holds {pptc.hold_a:g} A, trips at {pptc.trip_a:g} A; in the red wire of each servo",
    )
    sizes = Counter(values.capacitor_uf(len(board.used)) for board in plan.boards)
    for size, count in sorted(sizes.items()):
        yield Part(f"Electrolytic capacitor {size} µF", count, "10 V or more, across V+ and GND of each servo board")
    has = plan.panel
    yield Part("Push button", int("button" in has), "closes while pressed")
    yield Part("LED, 3 or 5 mm", int("led" in has), "any colour with about 2 V")
    yield Part("Reed switch with magnet", int("lid" in has), "closes while the lid is down")
    yield Part("Piezo sounder", int("speaker" in has), "passive; the program does not sound it yet")
    pull_up = values.output_enable_pull_up(len(plan.boards))
    yield Part(f"Resistor {values.ohms(pull_up.ohm)}", 1, "from /OE to 3.3 V, 5 % or better")
    yield Part(
        f"Resistor {values.ohms(values.series_ohm())}, in series",
        sum(pin.in_series for pin in plan.header),
        "between header and cable, in every line but /OE, SDA and SCL",
    )
    yield Part(
        f"Resistor {values.ohms(values.SENSOR_PULL_UP_OHM)}, pull-up",
        len(plan.pulled_up),
        "from the cable's end of each sensor, button and INT line to 3.3 V; also as arrays of 8 with a common pin",
    )
    halls = plan.sensors(Role.SHUT)
    yield Part("Ceramic capacitor 100 nF", halls + len(plan.expanders), "at each Hall sensor and each MCP23017")


def _power_switch(limit_a: float) -> Iterator[Part]:
    fets, milliohm = values.switch_fets(limit_a), 1000 * values.SWITCH_FET_OHM
    yield Part(
        f"P-MOSFET {values.SWITCH_FET}",
        fets,
        f"or another with {milliohm:g} mΩ or less at a gate of -4.5 V; V+ switch" + ", side by side" * (fets > 1),
    )
    yield Part("Transistors BC557 (PNP) and BC547 (NPN)", 1, "one of each; V+ switch")
    sizes = f"four of {values.ohms(values.SWITCH_OHM)}, two of {values.ohms(values.SWITCH_OFF_OHM)}"
    yield Part("Resistor of the V+ switch", 6, sizes)
    yield Part(f"Capacitor {values.SWITCH_NF} nF", 1, "film or ceramic, 16 V or more; V+ switch, from gate to V+")
