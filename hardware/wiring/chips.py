"""The two kinds of chips on the bus: their address jumpers and their legs."""

from hardware.wires import EXPANDER_ADDRESSES, SERVO_BOARD_ADDRESSES

# Sources for both chips: PCA9685 data sheet rev. 4, 7.1 (address 1 A5 A4 A3 A2 A1 A0) and the schematic of Adafruit's
# board 815 (a bridged jumper is a 1, order of its side header); MCP23017 data sheet DS20001952, 3.3.1 (address 0 1 0 0
# A2 A1 A0) and table 1-1 (legs of the 28-pin DIP).
CHANNELS = 16
SERVO_BOARD, EXPANDER = "PCA9685", "MCP23017"

# Legs of an MCP23017 in a DIP that are not sensors; INTB follows INTA, because the program mirrors them.
EXPANDER_LEGS = {"VDD": 9, "VSS": 10, "SCL": 12, "SDA": 13, "A0": 15, "A1": 16, "A2": 17, "RESET": 18, "INTA": 20}
_FIRST_LEG = {"A": 21, "B": 1}


def servo_board_jumpers(address: int) -> tuple[bool, ...]:
    """Return which of A0..A5 of a PCA9685 board are bridged for `address` (0x40..0x7f)."""
    offset = address - SERVO_BOARD_ADDRESSES.start
    return tuple(bool(offset >> bit & 1) for bit in range(6))


def expander_jumpers(address: int) -> tuple[bool, ...]:
    """Return which of A0..A2 of an MCP23017 go to 3.3 V for `address` (0x20..0x27); the others go to ground."""
    offset = address - EXPANDER_ADDRESSES.start
    return tuple(bool(offset >> bit & 1) for bit in range(3))


def expander_pin_name(pin: int) -> str:
    """Return the name of an expander's pin 0..15: A0..A7, B0..B7."""
    return f"{'AB'[pin // 8]}{pin % 8}"


def expander_leg(pin: int) -> int:
    return _FIRST_LEG["AB"[pin // 8]] + pin % 8
