"""Wires, parts and first power-up of every profile, as data."""

from collections import Counter

import pytest
from gpiozero.pins.pi import PiBoardInfo

from hardware.box import Box, Supply, box_names, load_box
from hardware.camera import Camera, SensorMode
from hardware.wires import EXPANDER_ADDRESSES, SERVO_BOARD_ADDRESSES, GpioPin
from hardware.wiring import values
from hardware.wiring.checklist import Step, checklist_of
from hardware.wiring.parts import parts_of
from hardware.wiring.plan import (
    BOOT_FUNCTIONS,
    EXPANDER_LEGS,
    HEADER,
    Chip,
    Plan,
    Role,
    expander_leg,
    jumpers_of,
    pin_of,
    plan_of,
    sensor_straps,
)
from tests.support.sensed_box import sensed
from tests.support.together import together

PI_3B, PI_4B, PI_5 = 0xA02082, 0xC03111, 0xC04170


@pytest.fixture(scope="module", params=box_names())
def plan(request: pytest.FixtureRequest) -> Plan:
    return plan_of(load_box(request.param))


def bare(tiles: int = 2, **panel: str) -> Box:
    """A box with Hall sensors on the header and nothing else."""
    wires = {f"front-{n}": {"servo": f"0x40/{n - 1}", "shut": f"GPIO{n + 3}"} for n in range(1, tiles + 1)}
    line = {"output_enable": "GPIO27", **panel}
    return Box.model_validate(
        {"name": "bare", "summary": "Bare", "rows": 1, "columns": tiles, "panel": line, "tiles": wires}
    )


@pytest.mark.parametrize("revision", [PI_3B, PI_4B, PI_5])
def test_the_header_is_the_one_of_the_library_that_drives_it(revision: int) -> None:
    board = PiBoardInfo.from_revision(revision)

    assert {pin: info.name for pin, info in board.headers["J8"].pins.items()} == HEADER


def ends(chips: tuple[Chip, ...]) -> list[tuple[str, str]]:
    return [(f"{chip.name}/{outlet.name}", outlet.use) for chip in chips for outlet in chip.used]


def test_every_wire_of_a_profile_ends_exactly_once_in_the_plan(plan: Plan) -> None:
    titles = {"led": "LED", "output_enable": "/OE", "expander_interrupt": "INT"}
    wanted = []
    for path, wire in plan.box.wires():
        *_, whose, part = path
        if whose == "panel":
            wanted.append((str(wire), titles.get(part, part)))
        else:
            wanted.append((str(wire), whose if part == "servo" else f"{whose} {part}"))

    lines = [(pin.name, pin.use) for pin in plan.header if pin.use and pin.name.startswith("GPIO")]
    planned = [*lines, *ends(plan.boards), *ends(plan.expanders)]

    assert Counter(planned) == Counter([*wanted, ("GPIO2", "I2C SDA"), ("GPIO3", "I2C SCL")])


def test_supplies_and_bus_are_on_the_pins_made_for_them_and_5_volts_stay_free(plan: Plan) -> None:
    names = {Role.GROUND: "GND", Role.LOGIC: "3V3", Role.DATA: "GPIO2", Role.CLOCK: "GPIO3"}

    assert [pin.number for pin in plan.header] == list(range(1, 41))
    assert all(pin.name == names[pin.role] for pin in plan.header if pin.role in names)
    assert all(pin.role is Role.FREE and not pin.use for pin in plan.header if pin.name == "5V")


def test_jumpers_are_the_bits_of_the_address_over_the_first_one() -> None:
    for address in SERVO_BOARD_ADDRESSES:
        bits = jumpers_of(address)
        assert (len(bits), 0x40 + sum(is_set << bit for bit, is_set in enumerate(bits))) == (6, address)
    for address in EXPANDER_ADDRESSES:
        bits = jumpers_of(address)
        assert (len(bits), 0x20 + sum(is_set << bit for bit, is_set in enumerate(bits))) == (3, address)


def test_the_legs_of_an_expander_are_those_of_its_data_sheet() -> None:
    sensors = [expander_leg(pin) for pin in range(16)]

    assert sensors == [*range(21, 29), *range(1, 9)]
    assert {*sensors, *EXPANDER_LEGS.values()} == {*range(1, 29)} - {11, 14, 19}  # not connected, and INTB


def quantities(plan: Plan) -> dict[str, int]:
    return {part.part: part.quantity for part in parts_of(plan)}


def test_the_parts_are_those_of_the_profile(plan: Plan) -> None:
    box, count = plan.box, quantities(plan)
    switches = sum(wiring.open is not None for wiring in box.tiles.values())

    assert count["Micro servo, analog"] == len(box.tiles)
    assert count["Hall sensor DRV5023AJ"] == len(box.tiles)
    stops = sum(1 if tile.row == 1 else 2 for tile in box.tile_ids) if box.motion.link == "slot" else 0
    assert count["Disc magnet 5 x 2 mm"] == len(box.tiles) + stops
    assert count["Limit switch"] == switches
    assert count["Servo board, PCA9685"] == len(box.servo_boards)
    assert count["Port expander, MCP23017"] == len(box.expanders)
    assert count["Lead of two cores"] == switches + 4
    assert sum(number for part, number in count.items() if "Electrolytic" in part) == len(box.servo_boards)
    assert len(count) == len(parts_of(plan))


def test_what_a_box_does_not_have_is_not_on_its_list() -> None:
    count = quantities(plan_of(bare()))

    absent = (
        "Limit switch",
        "Port expander, MCP23017",
        "Push button",
        "LED, 3 or 5 mm",
        "Piezo sounder",
    )
    assert not count.keys() & {*absent, "Reed switch with magnet"}
    assert quantities(plan_of(bare(lid="GPIO26")))["Reed switch with magnet"] == 1


@pytest.mark.parametrize(
    ("camera", "part"),
    [
        (Camera(), "Camera Module 3 with its cable"),
        (Camera(module="high-quality-camera"), "High Quality Camera with its cable"),
        (Camera(sensor=SensorMode(width_px=1456, height_px=1088, bit_depth=10)), "Camera module with its cable"),
    ],
    ids=str,
)
def test_the_camera_on_the_list_is_the_module_of_the_profile(camera: Camera, part: str) -> None:
    assert quantities(plan_of(bare().model_copy(update={"camera": camera})))[part] == 1


def test_the_fuse_and_its_copper_fit_the_current_of_the_profile(plan: Plan) -> None:
    limit = plan.box.supply.limit_a
    fuse = values.fuse_a(limit)

    assert limit <= fuse <= 1.5 * limit
    assert f"{fuse:g} A" in next(part.note for part in parts_of(plan) if "fuse" in part.part)
    assert fuse / values.copper_mm2(fuse) <= 11


@together("boards", range(1, 63))
def test_nothing_but_the_program_lets_pulses_pass(boards: int) -> None:
    pull_up = values.output_enable_pull_up(boards)

    down_ohm = 1 / (pull_up.pull_downs / 10_000 + 1 / 50_000)
    level_v = 3.3 * down_ohm * 0.95 / (down_ohm * 0.95 + pull_up.ohm * 1.05)
    assert level_v > 0.7 * 3.3
    assert 3.3 / pull_up.ohm <= 0.008
    assert pull_up.pull_downs == min(boards, 6)


def test_ten_kiloohms_would_not_hold_the_line() -> None:
    assert values.OE_HIGH_V > 3.3 * 10 / (10 + 10)


@pytest.mark.parametrize(("servos", "size"), [(1, 470), (5, 1000), (9, 1000), (12, 2200), (16, 2200)])
def test_a_capacitor_has_a_hundred_microfarads_for_each_servo(servos: int, size: int) -> None:
    assert values.capacitor_uf(servos) == size


def test_four_boards_keep_their_pull_ups_on_the_bus() -> None:
    assert [values.bus_pull_ups(chips) for chips in (1, 4, 5, 13)] == [1, 4, 4, 4]
    assert 1 / (1 / 1800 + 4 / 10_000) >= 2.9 / 0.003 > 1 / (1 / 1800 + 5 / 10_000)


def step(plan: Plan, words: str) -> tuple[int, Step]:
    [found] = [(place, each) for place, each in enumerate(checklist_of(plan)) if words in each.do]
    return found


def test_the_first_power_up_comes_in_a_safe_order(plan: Plan) -> None:
    order = (
        "raspi-config",
        "pinctrl get 4-27",
        "Take out the fuse",
        "the supply unloaded",
        "A fuse;",
        "/OE to GND",
        "i2cdetect",
        "signal pin",
    )
    places = [step(plan, words)[0] for words in (*order, "Supply off, plug in the servo", "the others", "selftest")]

    assert places == sorted(places)
    before = checklist_of(plan)[: places[-3]]
    assert [each.do for each in before if "plug in" in each.do] == ["Take out the fuse; plug in no servo."]
    assert {each.stage for each in before[:2]} == {"The Pi alone, nothing on its header"}


def test_the_first_power_up_names_the_values_of_this_box(plan: Plan) -> None:
    box = plan.box
    found = step(plan, "i2cdetect")[1].expect
    pulses = step(plan, "signal pin")[1]

    assert all(f"0x{address:02x}" in found for address in (*box.servo_boards, *box.expanders))
    assert f"{values.output_enable_pull_up(len(box.servo_boards)).level_v:.1f} V" in step(plan, "/OE to GND")[1].expect
    assert str(box.tiles[box.tile_ids[0]].servo) in pulses.do
    assert "820 µs standing and 2090 µs lying, every 20 ms" in pulses.expect
    assert f"at most {box.supply.limit_a:g} A" in step(plan, "servos` for all")[1].expect
    assert any("pull-ups" in each.do for each in checklist_of(plan)) is (len(box.servo_boards + box.expanders) > 4)


def test_what_else_would_use_a_line_is_switched_off() -> None:
    assert step(plan_of(bare()), "raspi-config")[1].do.endswith("Options: I2C on, 1-Wire off.")
    assert "SPI off" in step(plan_of(bare(4)), "raspi-config")[1].do
    assert "serial" in step(plan_of(bare(lid="GPIO14")), "raspi-config")[1].do
    assert "set 4-5 ip pu" in step(plan_of(bare()), "pinctrl set")[1].do


# Lines that are outputs where raspi-config switched their interface on, by gpiozero's names of their functions.
DRIVEN = {"GPIO14": "uart", "GPIO7": "spi", "GPIO8": "spi", "GPIO10": "spi", "GPIO11": "spi"}


@pytest.mark.parametrize("revision", [PI_4B, PI_5])
def test_what_the_pi_may_do_with_a_line_is_what_the_library_knows_of_it(revision: int) -> None:
    found = PiBoardInfo.from_revision(revision).headers["J8"].pins.values()
    interfaces = {info.name: set(info.interfaces) for info in found}

    named = {"SPI": "spi", "serial console": "uart"}
    ours = {line: named[each.interface] for line, each in BOOT_FUNCTIONS.items() if each.interface in named}
    assert all(interface in interfaces[line] for line, interface in ours.items())
    assert DRIVEN.items() <= ours.items()


def test_every_line_but_that_of_the_pulses_has_a_resistor_and_every_contact_a_pull_up(plan: Plan) -> None:
    box = plan.box
    contacts = {str(wire) for tile in box.tiles.values() for wire in (tile.shut, tile.open)}
    contacts |= {str(wire) for wire in (box.panel.lid, box.panel.button, box.panel.expander_interrupt)}
    lines = {str(wire) for _, wire in box.wires() if isinstance(wire, GpioPin)}
    count = quantities(plan)

    assert {pin.name for pin in plan.header if pin.in_series} == lines - {str(box.panel.output_enable)}
    assert count["Resistor 1 kΩ, in series"] == len(lines) - 1
    assert {pin.name for pin in plan.header if pin.pulled_up} == lines & contacts
    assert count["Resistor 4.7 kΩ, pull-up"] == len(contacts)
    assert "1 kΩ in every line but /OE" in step(plan, "each line of the header")[1].expect


def test_pulses_are_let_through_by_no_line_that_the_pi_may_drive(plan: Plan) -> None:
    assert plan.panel["output_enable"].at_boot is None
    assert not any("Move /OE" in each.do for each in checklist_of(plan))
    assert "when the Pi starts, GPIO14 may be TXD" in step(plan_of(bare(output_enable="GPIO14")), "Move /OE")[1].do


def test_a_series_resistor_keeps_the_pi_safe_and_the_level_low() -> None:
    ohm, pull_up = values.series_ohm(), values.SENSOR_PULL_UP_OHM

    assert 3.3 / (0.95 * ohm) <= 0.004  # half of the 8 mA that a line drives
    assert values.sensor_low_v() == pytest.approx(0.13, abs=0.01)
    assert values.sensor_low_v() < 0.8 / 4  # BCM2711: 0.8 V and less is low
    # Even with the pull-up on the wrong side of it, beside the weakest one of the Pi.
    both_ohm = 1 / (1 / pull_up + 1 / 33_000)
    assert 3.3 * ohm / (ohm + both_ohm) < 0.8


@together("boards", range(1, 63))
def test_the_line_of_the_pulses_would_not_be_low_through_a_series_resistor(boards: int) -> None:
    pull_up = values.output_enable_pull_up(boards)

    assert 3.3 * values.series_ohm() / (values.series_ohm() + pull_up.ohm) > values.OE_LOW_V


@together("boards", range(1, 63))
def test_the_switch_of_the_servos_supply_is_open_while_nothing_drives_its_line(boards: int) -> None:
    pull_up = values.output_enable_pull_up(boards)

    assert values.switch_base_v(pull_up) <= 0.4  # a transistor closes at 0.55 V and more
    assert 3.3 / pull_up.ohm + 3.3 / values.SWITCH_OHM <= 0.008


def test_the_switch_carries_what_the_supply_gives_and_fills_its_capacitors_gently(plan: Plan) -> None:
    supply = plan.box.supply
    each_a = supply.limit_a / values.switch_fets(supply.limit_a)

    assert each_a**2 * values.SWITCH_FET_OHM <= 1.6  # 64 degrees over the air
    assert values.switch_inrush_a(plan) <= supply.limit_a
    assert values.switch_off_s(supply.volts) < 1  # as the first power-up says
    # The gate, held by two resistors at 10/11 of the supply, is as open as the data sheet wants it.
    gate_v = supply.volts * values.SWITCH_OFF_OHM / (values.SWITCH_OFF_OHM + values.SWITCH_OHM)
    assert gate_v >= 4.5
    assert quantities(plan)["P-MOSFET SUP53P06-20"] == values.switch_fets(supply.limit_a)


def test_the_current_that_fills_the_capacitors_is_that_of_a_switch_in_small_steps() -> None:
    """A MOSFET that lets through whatever is asked for at 1 V on its gate: its drain follows the capacitor's charge."""
    plan, gate_v, drain_v, seconds, highest_a = plan_of(load_box("two-level-9")), 5.0, 0.0, 0.0, 0.0
    supply_v, step_s, farads = 5.0, 1e-6, values.SWITCH_NF * 1e-9
    while drain_v < supply_v - 0.01:
        pull_a = gate_v / values.SWITCH_OHM - (supply_v - gate_v) / values.SWITCH_OFF_OHM
        if supply_v - gate_v < 1.0:
            gate_v -= pull_a / farads * step_s
        else:
            drain_v += pull_a / farads * step_s
            highest_a = max(highest_a, 2 * 1000e-6 * pull_a / farads)
        seconds += step_s

    assert highest_a == pytest.approx(values.switch_inrush_a(plan), rel=0.05)
    assert seconds < 0.02, "a servo that is driven at once loses a frame, not its try"


@pytest.mark.parametrize(
    ("stalling_a", "kind"), [(0.3, "MF-R020"), (0.65, "MF-R040"), (0.78, "MF-R050"), (1.2, "MF-R075"), (4.0, "MF-R250")]
)
def test_a_resettable_fuse_carries_what_moves_and_trips_at_a_short(stalling_a: float, kind: str) -> None:
    fuse = values.resettable_fuse(Supply.model_construct(stalled_a=stalling_a))

    assert fuse.kind == kind
    assert fuse.hold_a >= stalling_a * 0.4 / 0.65
    # A stall of 0.8 s brings at most a twentieth of the heat that trips it at five times its hold current in 2.2 s.
    assert stalling_a**2 * 0.8 < (5 * fuse.hold_a) ** 2 * 2.2 / 20


def test_a_resettable_fuse_trips_before_that_of_all_servos(plan: Plan) -> None:
    fuse = values.resettable_fuse(plan.box.supply)

    assert fuse.trip_a < values.fuse_a(plan.box.supply.limit_a) / 2
    assert quantities(plan)[f"Resettable fuse {fuse.kind}"] == len(plan.box.tiles)
    assert fuse.kind in step(plan, "red wire")[1].do


def test_a_current_sensor_is_a_part_and_a_chip_on_the_bus() -> None:
    without, plan = plan_of(load_box("two-level-9")), plan_of(sensed())

    assert quantities(plan).items() - quantities(without).items() == {
        ("Current sensor INA260", 1),
        ("Bus cable of five cores", 5),
    }
    assert "0x41 0x44;" in step(plan, "i2cdetect")[1].expect
    assert "0x44" not in step(without, "i2cdetect")[1].expect
    assert step(plan, "address pins of the INA260")[1].expect == "A0 to GND, A1 to 3.3 V"
    assert step(plan, "I2C pull-ups")[1].do.startswith("Take the I2C pull-ups off all boards but 4")
    assert values.logic_ma(plan) == pytest.approx(values.logic_ma(without) + 0.4)


@pytest.mark.parametrize(
    ("address", "straps"),
    [(0x40, "A0 to GND, A1 to GND"), (0x41, "A0 to 3.3 V, A1 to GND"), (0x4F, "A0 to SCL, A1 to SCL")],
)
def test_the_address_pins_of_a_current_sensor_are_tied_as_its_data_sheet_says(address: int, straps: str) -> None:
    assert sensor_straps(address) == straps


def test_a_servo_is_tried_with_less_than_it_ever_gets() -> None:
    assert values.margin_signal_v() < values.SERVO_NEEDS_V < values.SIGNAL_V < values.LOGIC_V
    assert f"{values.margin_signal_v():.1f} V" in step(plan_of(bare()), "signal wire")[1].do


def test_a_header_pin_is_found_by_its_line() -> None:
    assert [pin_of(GpioPin(number)) for number in (4, 17, 21, 27)] == [7, 11, 40, 13]
