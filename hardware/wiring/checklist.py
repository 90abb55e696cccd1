"""The first power-up of one box in a safe order, with the values that must be measured on it."""

from collections.abc import Iterator
from dataclasses import dataclass

from hardware.column import ROWS
from hardware.wiring import values
from hardware.wiring.plan import CURRENT_SENSOR, HEADER, Plan, Role, sensor_straps

_OFF = {"serial console": "serial login shell and serial port off", "SPI": "SPI off", "1-Wire": "1-Wire off"}
_ALL_CALL = "0x70"


@dataclass(frozen=True, slots=True)
class Step:
    """One action, in its stage, and its expected result. On any other result: power off, find out why."""

    stage: str
    do: str
    expect: str


def checklist_of(plan: Plan) -> tuple[Step, ...]:
    """Return the steps in order; no servo is connected before the stage that says so."""
    stages = {
        "The Pi alone, nothing on its header": _alone,
        "Before any power": _unpowered,
        "The servo supply alone": _servo_supply,
        "The Pi, servo supply off": _pi,
        "Pulses, still no servo": _pulses,
        "Servos": _servos,
    }
    return tuple(Step(stage, *step) for stage, steps in stages.items() for step in steps(plan))


_Steps = Iterator[tuple[str, str]]


def _alone(plan: Plan) -> _Steps:
    used = {pin.at_boot.interface for pin in plan.header if pin.role is not Role.FREE and pin.at_boot}
    settings = ", ".join(("I2C on", *(words for interface, words in _OFF.items() if interface in used)))
    yield f"Switch the Pi on; in raspi-config, Interface Options: {settings}.", "It starts, and starts again."
    yield (
        "Write `dtparam=strict_gpiod` into /boot/firmware/config.txt, and start it again.",
        "`shutbox doctor` says nothing of the header: a line that a program dies with is an input again, and /OE high.",
    )
    yield (
        "`pinctrl get 4-27`, right after a start; then switch the Pi off.",
        "Every line is an input (ip) or nothing (no); one that is op or a0 to a8 would fight what hangs on it.",
    )


def _unpowered(plan: Plan) -> _Steps:
    pull_up = values.output_enable_pull_up(len(plan.boards))
    chips = len(plan.addresses)
    enable = plan.panel["output_enable"]
    if enable.at_boot is not None:
        yield (
            f"Move /OE to another line: when the Pi starts, {enable.name} may be {enable.at_boot.signal}.",
            "/OE is on a line without a function of its own: a low on it lets pulses pass.",
        )
    yield "Take out the fuse; plug in no servo.", "No servo, no fuse."
    jumpers = "; ".join(f"{board.name}: {board.bridged}" for board in plan.boards)
    yield "Bridge the address jumpers of the servo boards.", jumpers
    if plan.expanders:
        straps = "; ".join(f"{chip.name}: {chip.bridged}" for chip in plan.expanders)
        yield "Tie each of A0, A1, A2 of every MCP23017 to 3.3 V (named here) or to GND, RESET to 3.3 V.", straps
    if plan.box.supply.current_sensor is not None:
        yield f"Tie the address pins of the {CURRENT_SENSOR}.", sensor_straps(plan.box.supply.current_sensor)
    if pull_up.pull_downs < len(plan.boards):
        yield (
            f"Take the 10 kΩ from OE to GND off all servo boards but {pull_up.pull_downs}.",
            f"{len(plan.boards) - pull_up.pull_downs} boards without it.",
        )
    kept = values.bus_pull_ups(chips)
    if kept < chips:
        yield (
            f"Take the I2C pull-ups off all boards but {kept}; the Pi has its own.",
            "About 1 kΩ or more from SDA, and from SCL, to 3.3 V.",
        )
    yield "Measure from /OE to 3.3 V.", f"{values.ohms(pull_up.ohm)} or a little less."
    series, pull_up_ohm = values.ohms(values.series_ohm()), values.ohms(values.SENSOR_PULL_UP_OHM)
    yield (
        "Measure from each line of the header to its cable, then from the cable to 3.3 V.",
        f"{series} in every line but /OE, SDA and SCL; {pull_up_ohm} or less from each sensor, button and INT.",
    )
    pptc = values.resettable_fuse(plan.box.supply)
    yield f"Measure from V+ of a board to the red wire at each servo's plug ({pptc.kind}).", "1.5 Ω or less."
    yield "Measure from V+ to GND, from 3.3 V to GND, from V+ to 3.3 V.", "No short; no way from V+ to 3.3 V at all."


def _servo_supply(plan: Plan) -> _Steps:
    supply = plan.box.supply
    fuse = values.fuse_a(supply.limit_a)
    yield (
        "Measure the supply unloaded, its wires on nothing.",
        f"{supply.volts:g} V; 4.8 to 6.0 V in any case, plus where you take it to be.",
    )
    yield (
        "Connect it, fuse out; measure the holder's supply side, then V+ of a board, to GND.",
        "That voltage, then 0 V.",
    )
    yield (
        f"Put in the {fuse:g} A fuse; measure to GND before the V+ switch, then V+ of every board.",
        "The supply's voltage, then 0 V: without the Pi the switch is open.",
    )
    yield "Wait a minute, feel switch, boards and capacitors; switch off.", "Nothing is warm."


def _pi(plan: Plan) -> _Steps:
    pull_up = values.output_enable_pull_up(len(plan.boards))
    yield (
        "Switch the Pi on; measure 3.3 V to GND at every board, and at a Hall sensor.",
        f"3.2 to 3.4 V; the box draws {values.logic_ma(plan):.0f} mA of it at most.",
    )
    yield (
        "Measure /OE to GND at the last board, while the Pi starts and when it idles.",
        f"{pull_up.level_v:.1f} V; never below {values.OE_HIGH_V:.1f} V, or pulses may pass.",
    )
    yield "`i2cdetect -y 1`", f"{' '.join(plan.addresses)}; {_ALL_CALL} too until the program first ran."
    names = {pin.name for pin in plan.header if pin.role is Role.SHUT}
    numbers = [number for number in range(len(HEADER)) if f"GPIO{number}" in names]
    starts = [number for number in numbers if number - 1 not in numbers]
    ends = [number for number in numbers if number + 1 not in numbers]
    ranges = zip(starts, ends, strict=True)
    if lines := ",".join(f"{start}-{end}" if start < end else f"{start}" for start, end in ranges):
        yield (
            f"`pinctrl set {lines} ip pu`, then tip each tile by hand and say `pinctrl get {lines}`.",
            "Its line is lo while it lies, hi while it stands; no other changes.",
        )
        yield (
            f"The same with a meter at the pin of GPIO{numbers[0]}.",
            f"{values.sensor_low_v():.1f} V to GND while its tile lies, 3.2 to 3.4 V while it stands.",
        )


def _pulses(plan: Plan) -> _Steps:
    tile, motion = plan.box.tile_ids[0], plan.box.motion
    stand, lie = plan.box.pulse_us(tile, shut=False), plan.box.pulse_us(tile, shut=True)
    wire = plan.box.tiles[tile].servo
    yield (
        f"Servo supply off. `shutbox calibrate servos --manual`, {tile}: one key after the other, with an oscilloscope"
        f" or a logic analyser at the signal pin of {wire} and GND.",
        f"Each key a burst of a quarter of a second that ends by itself: pulses of about {stand} µs standing and"
        f" {lie} µs lying, every {1000 / motion.frequency_hz:g} ms; a meter only twitches.",
    )
    pull_up = values.output_enable_pull_up(len(plan.boards))
    yield "End it with q, then measure once more.", f"0 V, and {pull_up.level_v:.1f} V or more on /OE."
    yield "Switch the servo supply on as well; measure between the Pi's GND and the supply's.", "0.00 V."
    supply = plan.box.supply
    yield (
        "Measure V+ of every board before, during and after the same keys.",
        f"0 V; {supply.volts:g} V with plus at V+; 0 V again within a second after q.",
    )
    yield (
        "Once more, and meanwhile pull the switch's wires to /OE, to 3.3 V and to GND, one at a time.",
        "V+ falls to 0 V each time: the switch is open whatever wire breaks.",
    )


def _servos(plan: Plan) -> _Steps:
    supply, count = plan.box.supply, len(plan.box.tiles)
    tile = plan.box.tile_ids[0]
    yield (
        f"Supply off, plug in the servo of {tile}, its arm off the tile; on; jog it.",
        f"It turns the right way; 0.2 to 0.4 A while it moves, never more than {supply.stalling_a:.2f} A, "
        f"{supply.idle_a:g} A at rest.",
    )
    yield (
        f"The same with {values.ohms(values.series_ohm())} in its signal wire and "
        f"{values.ohms(values.SWITCH_OHM)} from there to GND: pulses of {values.margin_signal_v():.1f} V.",
        f"It follows as before, at {supply.volts:g} V and with other servos of its kind: then "
        f"{values.SIGNAL_V:g} V are enough for good. If not, see hardware/README.md.",
    )
    yield f"Put its arm on and calibrate {tile} alone.", "Both ends found, marked good."
    yield (
        "Plug in the others board by board, supply off each time.",
        f"{count * supply.idle_a:.2f} A at rest with all {count}.",
    )
    if plan.box.rows <= len(ROWS):
        yield "`shutbox bringup`", "Every tile answers; what differs from the profile is put right, or written into it."
    yield "`shutbox calibrate servos` for all, watching V+.", f"V+ stays over 4.8 V; at most {supply.limit_a:g} A."
    yield "`shutbox selftest`", "It passes, and names no swapped wires."
    yield "`shutbox calibrate camera`", "The result is good."
