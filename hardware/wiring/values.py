"""Electrical values of a box: /OE pull-up, series resistor, fuse, wires, capacitors, current on 3.3 V.

Sources: PCA9685 data sheet rev. 4, table 12 (VIH = 0.7 VDD, 10 mA at most); schematic of Adafruit's board 815 (10
kohm from /OE to ground, 10 kohm from SDA and SCL to VCC, a place for a capacitor); Adafruit's guide to that board (100
uF a servo); Raspberry Pi documentation (lines 9 to 27 start pulled down by about 50 kohm; 8 mA drive; 1.8 kohm on
the I2C lines); I2C specification UM10204 (3 mA at 0.4 V); MCP23017 data sheet DS20001952 (1 mA); TI DRV5023 data sheet
SLIS151 (2.7 mA).
"""

from dataclasses import dataclass

from hardware.wiring.plan import Plan, Role

LOGIC_V = 3.3
OE_HIGH_V = 0.7 * LOGIC_V

_WANTED_V = 2.5  # 0.2 V over OE_HIGH_V, for resistors of 5 %
_BOARD_PULL_DOWN_OHM = 10_000
_PIN_PULL_DOWN_OHM = 50_000
_DRIVE_A = 0.008
_E12 = (1.0, 1.2, 1.5, 1.8, 2.2, 2.7, 3.3, 3.9, 4.7, 5.6, 6.8, 8.2)
_OHMS = [round(value * decade) for decade in (1000, 100) for value in reversed(_E12)]

_BOARD_MA, _EXPANDER_MA, _HALL_MA = 10.0, 1.0, 2.7
_SINK_A, _LOW_V, _PI_BUS_OHM, _BOARD_BUS_OHM = 0.003, 0.4, 1_800, 10_000

# Commercial blade fuses (ISO 8820-3), and the copper that each protects (usual pairing in IEC 60364-5-52).
_FUSES_A = (1, 2, 3, 4, 5, 7.5, 10, 15, 20, 25, 30, 35, 40)
_COPPER_MM2 = ((16, 1.5), (20, 2.5), (30, 4.0), (40, 6.0))
_CAPACITORS_UF = (470, 1000, 2200)


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
        if ohm and LOGIC_V / ohm <= _DRIVE_A:
            return PullUp(ohm, LOGIC_V * ground / (ground + ohm), pull_downs)
    raise ValueError("there is no servo board")


def series_ohm() -> int:
    """Return the smallest E12 resistor that limits a line of the Pi, shorted to ground, to half of its 8 mA.

    It can stay in the line: against the pull-up inside the Pi, 33 kohm or more, the low level is still under 0.1 V.
    """
    return min(ohm for ohm in _OHMS if LOGIC_V / ohm <= _DRIVE_A / 2)


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
    return chips + plan.sensors(Role.SHUT) * _HALL_MA + 1000 * LOGIC_V / pull_up.ohm


def ohms(value: int) -> str:
    """Format a resistor's value as people say it: 470 ohm, 2.2 kohm."""
    return f"{value / 1000:g} kΩ" if value >= 1000 else f"{value} Ω"
