"""Electrical values of a box: resistors of its lines, V+ switch, fuses, wires, capacitors, current on 3.3 V.

Sources: PCA9685 data sheet rev. 4, table 12 (VIH = 0.7 VDD, VIL = 0.3 VDD, 10 mA at most); schematic of Adafruit's
board 815 (10 kohm from /OE to ground, 10 kohm from SDA and SCL to VCC, 220 ohm in each channel, a place for one
capacitor); Adafruit's guide to that board (100 uF a servo); Raspberry Pi documentation (lines 9 to 27 start pulled
down by about 50 kohm; 8 mA drive; 1.8 kohm on the I2C lines); BCM2711 ARM Peripherals, 5.1 (pull-ups of 33 to 73 kohm,
0.8 V and less is low); I2C specification UM10204 (3 mA at 0.4 V); MCP23017 data sheet DS20001952 (1 mA; pull-ups of
about 100 kohm); TI DRV5023 data sheet SLIS151 (2.7 mA; 50 ohm at most from a closed output to ground); Bourns MF-R
data sheet, table "Electrical Characteristics" and thermal derating chart; Vishay SUP53P06-20 data sheet 68633 (25 mohm
at most at a gate of -4.5 V, threshold 1 to 3 V, 40 K/W); Agamem AA51882 data sheet (controller of micro servos: pulses
of 3 V or more, its own regulator of 2.5 V); TI INA260 data sheet SBOS656C (0.4 mA).
"""

import math
from dataclasses import dataclass

from hardware.box import Supply
from hardware.wiring.plan import Plan, Role

LOGIC_V = 3.3
OE_HIGH_V = 0.7 * LOGIC_V
OE_LOW_V = 0.3 * LOGIC_V

# From each sensor's line to 3.3 V, where its cable ends. 30 cm of cable beside a servo's lead couple with about 15
# pF and have 45 pF themselves: what its edges put on them is gone after 0.2 us, with the 50 kohm in the Pi after 2 us.
SENSOR_PULL_UP_OHM = 4_700

# What a channel gives at least: 3.2 V, the least that the first power-up lets pass, since a servo's input draws next to
# nothing; and what the one controller of micro servos needs whose data sheet says so, whatever its supply.
SIGNAL_V, SERVO_NEEDS_V = 3.2, 3.0

_WANTED_V = 2.5  # 0.2 V over OE_HIGH_V, for resistors of 5 %
_BOARD_PULL_DOWN_OHM = 10_000
_PIN_PULL_DOWN_OHM = 50_000
_LEAST_PULL_UP_OHM, _SENSOR_OHM = 33_000, 50
_CHANNEL_OHM = 220
_DRIVE_A = 0.008
_E12 = (1.0, 1.2, 1.5, 1.8, 2.2, 2.7, 3.3, 3.9, 4.7, 5.6, 6.8, 8.2)
_OHMS = [round(value * decade) for decade in (1000, 100) for value in reversed(_E12)]

_BOARD_MA, _EXPANDER_MA, _HALL_MA, _CURRENT_SENSOR_MA = 10.0, 1.0, 2.7, 0.4
_SINK_A, _LOW_V, _PI_BUS_OHM, _BOARD_BUS_OHM = 0.003, 0.4, 1_800, 10_000

# Commercial blade fuses (ISO 8820-3), and the copper that each protects (usual pairing in IEC 60364-5-52).
_FUSES_A = (1, 2, 3, 4, 5, 7.5, 10, 15, 20, 25, 30, 35, 40)
_COPPER_MM2 = ((16, 1.5), (20, 2.5), (30, 4.0), (40, 6.0))
_CAPACITORS_UF = (470, 1000, 2200)

# The series MF-R by hold current; each trips at twice that.
_PPTC_HOLD_A = (0.2, 0.25, 0.3, 0.4, 0.5, 0.65, 0.75, 0.9, 1.1, 1.35, 1.6, 1.85, 2.5)


@dataclass(frozen=True, slots=True)
class PullUp:
    """The resistor from /OE to 3.3 V: its value, and the level in volt while nothing drives the line.

    pull_downs: the number of boards that may keep their resistor to ground; the others lose it.
    """

    ohm: int
    level_v: float
    pull_downs: int


def output_enable_pull_up(boards: int) -> PullUp:
    """Return the weakest E12 resistor that holds /OE of all boards (1 or more) high against their pull-downs.

    A usual 10 kohm would only reach half of 3.3 V against the 10 kohm of a single board, which is not high.
    """
    for pull_downs in range(boards, 0, -1):
        ground = 1 / (pull_downs / _BOARD_PULL_DOWN_OHM + 1 / _PIN_PULL_DOWN_OHM)
        fitting = (ohm for ohm in _OHMS if LOGIC_V * ground / (ground + ohm) >= _WANTED_V)
        ohm = next(fitting, 0)
        # The V+ switch lifts the line a little more, which is not counted, and adds to its current while it is low.
        if ohm and LOGIC_V / ohm + LOGIC_V / SWITCH_OHM <= _DRIVE_A:
            return PullUp(ohm, LOGIC_V * ground / (ground + ohm), pull_downs)
    raise ValueError("there is no servo board")


def series_ohm() -> int:
    """Return the smallest E12 resistor that limits a line of the Pi, shorted to ground, to half of its 8 mA.

    It stays in every line of the header but three. /OE must come under `OE_LOW_V` against its pull-up, and SDA and SCL
    under 0.4 V against theirs. A sensor's line does: its pull-up lies behind the resistor, so that only the one inside
    the Pi lifts its low level. LED and sounder work with 2 mA.
    """
    return min(ohm for ohm in _OHMS if LOGIC_V / ohm <= _DRIVE_A / 2)


def sensor_low_v() -> float:
    """Return the highest voltage that a header pin sees while a sensor pulls its line to ground."""
    at_sensor_v = LOGIC_V * _SENSOR_OHM / (_SENSOR_OHM + SENSOR_PULL_UP_OHM)
    return at_sensor_v + (LOGIC_V - at_sensor_v) * series_ohm() / (series_ohm() + _LEAST_PULL_UP_OHM)


@dataclass(frozen=True, slots=True)
class ResettableFuse:
    """A PPTC at 23 degrees: it never trips at `hold_a`, and always does at `trip_a`; in between it may."""

    kind: str
    hold_a: float
    trip_a: float


def resettable_fuse(supply: Supply) -> ResettableFuse:
    """Return the smallest PPTC that carries a moving servo.

    A start or a stall of 0.8 s passes: it heats the fuse by a twenty-fifth, or less, of what trips it at five times
    `hold_a` (in 2 to 10 s at most). A short trips it. A servo that stalls for good draws up to 1.6 times `hold_a`,
    which may trip it in minutes or, in a cold box, never (at 40 degrees both limits are 0.83 times as high). So the box
    relies on its own time limit for a stall.
    """
    hold_a = next(value for value in _PPTC_HOLD_A if value >= round(supply.moving_a[1], 6))
    return ResettableFuse(f"MF-R{100 * hold_a:03.0f}", hold_a, 2 * hold_a)


# The V+ switch: a P-MOSFET between fuse and boards, which two transistors close while 3.3 V are there and /OE is low. A
# relay would need 80 mA for its coil and weld its contacts at the inrush of the boards' capacitors, which is the one
# fault that leaves V+ on. Switched slowly, a transistor limits that inrush; and no coil needs a flyback diode.
SWITCH_FET, SWITCH_FET_OHM = "SUP53P06-20", 0.025
SWITCH_OHM, SWITCH_OFF_OHM, SWITCH_NF = 10_000, 100_000, 470
_FET_A = 8  # 1.6 W in each, without a heat sink
_THRESHOLD_V = 1.0


def switch_fets(limit_a: float) -> int:
    """Return how many MOSFETs in parallel carry this current."""
    return math.ceil(limit_a / _FET_A)


def switch_base_v(pull_up: PullUp) -> float:
    """Return what the first transistor of the V+ switch gets between base and emitter while nothing drives /OE.

    It closes at 0.55 V and more. Two equal resistors halve what /OE is short of 3.3 V.
    """
    return (LOGIC_V - pull_up.level_v) / 2


def switch_inrush_a(plan: Plan) -> float:
    """Return the highest current into the boards' empty capacitors as V+ comes.

    While the MOSFET opens, its gate stays at its threshold, so that the capacitor from gate to V+ sets the pace.
    """
    gate_a = (plan.box.supply.volts - _THRESHOLD_V) / SWITCH_OHM
    farads = sum(capacitor_uf(len(board.used)) for board in plan.boards) * 1e-6
    return farads * gate_a / (SWITCH_NF * 1e-9)


def switch_off_s(volts: float) -> float:
    """Return the longest time from the end of a low /OE until V+ is gone, in seconds, for a MOSFET of 1 V threshold."""
    farads = SWITCH_NF * 1e-9
    delay_s = SWITCH_OFF_OHM * farads * math.log(volts / _THRESHOLD_V)
    return delay_s + volts * farads * SWITCH_OFF_OHM / _THRESHOLD_V


def margin_signal_v() -> float:
    """Return the pulses' voltage with which a servo is tried at the first power-up: a little under `SERVO_NEEDS_V`."""
    return SIGNAL_V * SWITCH_OHM / (SWITCH_OHM + series_ohm() + _CHANNEL_OHM)


def bus_pull_ups(chips: int) -> int:
    """Return how many of the chips may keep their I2C pull-ups: with the Pi's own, a chip must sink at most 3 mA."""
    least_ohm = (LOGIC_V - _LOW_V) / _SINK_A
    return min(chips, int((1 / least_ohm - 1 / _PI_BUS_OHM) * _BOARD_BUS_OHM))


def capacitor_uf(servos: int) -> int:
    """Return the capacitor across V+ of a board: 100 uF per servo, rounded up to a common value."""
    return next(value for value in _CAPACITORS_UF if value >= 100 * servos)


def fuse_a(limit_a: float) -> float:
    """Return the smallest blade fuse for this current (up to 40 A)."""
    return next(value for value in _FUSES_A if value >= limit_a)


def copper_mm2(fuse: float) -> float:
    """Return the cross-section of the wires behind a fuse (up to 40 A)."""
    return next(area for most, area in _COPPER_MM2 if fuse <= most)


def logic_ma(plan: Plan) -> float:
    """Return the highest current that the box draws from the Pi's 3.3 V, in mA."""
    pull_up = output_enable_pull_up(len(plan.boards))
    chips = len(plan.boards) * _BOARD_MA + len(plan.expanders) * _EXPANDER_MA
    chips += 0.0 if plan.current_sensor is None else _CURRENT_SENSOR_MA
    halls = plan.sensors(Role.SHUT) * _HALL_MA
    # Of a tile's two sensors one pulls its line low at a time; /OE feeds the V+ switch too.
    lines = len(plan.pulled_up) - min(plan.sensors(Role.SHUT), plan.sensors(Role.OPEN))
    return chips + halls + 1000 * LOGIC_V * (lines / SENSOR_PULL_UP_OHM + 1 / pull_up.ohm + 1 / SWITCH_OHM)


def ohms(value: int) -> str:
    """Format a resistor's value as people say it: 470 ohm, 2.2 kohm."""
    return f"{value / 1000:g} kΩ" if value >= 1000 else f"{value} Ω"
