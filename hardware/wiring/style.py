"""Colours and sizes of the drawing. Words repeat the meaning of every colour, for readers with colour blindness."""

from hardware.wiring.plan import Role

INK, GREY, FAINT, PAPER = "#1a1a1a", "#5f6368", "#c9cdd2", "#ffffff"
BOARD_BLUE, CHIP_BLACK, HEADER_BLACK = "#1f4e79", "#3d3d3d", "#26282c"
GOLD, TERMINAL_GREEN = "#d9a520", "#4c9a5f"

# By role: the colour of its wires, a pale background for black words on its tags, and its meaning.
_STYLES = {
    Role.SERVO: ("#8a6100", "#f8ecd0", "servo: GND, V+, signal"),
    Role.SHUT: ("#1b7837", "#d9f0dd", "shut sensor (Hall)"),
    Role.OPEN: ("#5e3c99", "#e7e1f2", "open sensor (limit switch)"),
    Role.OUTPUT_ENABLE: ("#c51b7d", "#fbdcec", "/OE: low lets pulses pass"),
    Role.INTERRUPT: ("#7a4a21", "#f0e2d6", "interrupt of the expanders"),
    Role.PANEL: ("#37597a", "#dde7f0", "panel"),
    Role.DATA: ("#2166ac", "#d6e6f5", "I2C data, SDA"),
    Role.CLOCK: ("#00838f", "#d3eef0", "I2C clock, SCL"),
    Role.LOGIC: ("#e66101", "#fde6d2", "3.3 V from the Pi"),
    Role.GROUND: ("#1a1a1a", "#e6e6e6", "ground, one for all"),
    Role.SERVO_POWER: ("#d01c1f", "#fbdada", "V+, servos only"),
    Role.FREE: ("#c9cdd2", "#ffffff", ""),
}
COLOURS = {role: colour for role, (colour, _, _) in _STYLES.items()}
TINTS = {role: tint for role, (_, tint, _) in _STYLES.items()}
MEANINGS = {role: meaning for role, (_, _, meaning) in _STYLES.items()}

TEXT_MM, SMALL_MM, NAME_MM = 2.3, 1.9, 3.0
THICK, THIN = 0.8, 0.45


def width_of(role: Role) -> float:
    """Return the thickness of a drawn wire, in mm: wires with the servos' current are thick."""
    return THICK if role in (Role.SERVO_POWER, Role.GROUND) else THIN
