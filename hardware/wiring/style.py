"""Colours and sizes of the drawing. Words repeat the meaning of every colour, for readers with colour blindness."""

from hardware.wiring.plan import Role

INK, GREY, FAINT, PAPER = "#1a1a1a", "#5f6368", "#c9cdd2", "#ffffff"
BOARD_BLUE, CHIP_BLACK, HEADER_BLACK = "#1f4e79", "#3d3d3d", "#26282c"
GOLD, TERMINAL_GREEN = "#d9a520", "#4c9a5f"

COLOURS = {
    Role.SERVO: "#8a6100",
    Role.SHUT: "#1b7837",
    Role.OPEN: "#5e3c99",
    Role.OUTPUT_ENABLE: "#c51b7d",
    Role.INTERRUPT: "#7a4a21",
    Role.PANEL: "#37597a",
    Role.DATA: "#2166ac",
    Role.CLOCK: "#00838f",
    Role.LOGIC: "#e66101",
    Role.GROUND: "#1a1a1a",
    Role.SERVO_POWER: "#d01c1f",
    Role.FREE: "#c9cdd2",
}

# Pale backgrounds of the tags, for black words.
TINTS = {
    Role.SERVO: "#f8ecd0",
    Role.SHUT: "#d9f0dd",
    Role.OPEN: "#e7e1f2",
    Role.OUTPUT_ENABLE: "#fbdcec",
    Role.INTERRUPT: "#f0e2d6",
    Role.PANEL: "#dde7f0",
    Role.DATA: "#d6e6f5",
    Role.CLOCK: "#d3eef0",
    Role.LOGIC: "#fde6d2",
    Role.GROUND: "#e6e6e6",
    Role.SERVO_POWER: "#fbdada",
    Role.FREE: "#ffffff",
}

MEANINGS = {
    Role.SERVO_POWER: "V+, servos only",
    Role.GROUND: "ground, one for all",
    Role.LOGIC: "3.3 V from the Pi",
    Role.DATA: "I2C data, SDA",
    Role.CLOCK: "I2C clock, SCL",
    Role.OUTPUT_ENABLE: "/OE: low lets pulses pass",
    Role.INTERRUPT: "interrupt of the expanders",
    Role.SERVO: "servo: GND, V+, signal",
    Role.SHUT: "shut sensor (Hall)",
    Role.OPEN: "open sensor (limit switch)",
    Role.PANEL: "panel",
}

TEXT_MM, SMALL_MM, NAME_MM = 2.3, 1.9, 3.0
THICK, THIN = 0.8, 0.45


def width_of(role: Role) -> float:
    """Return the thickness of a drawn wire, in mm: wires with the servos' current are thick."""
    return THICK if role in (Role.SERVO_POWER, Role.GROUND) else THIN
