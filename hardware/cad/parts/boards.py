"""Boards, supplies and the panel: whatever has a wire in the profile, under the name that it has there."""

from build123d import Part

from hardware.cad.measures import BAIZE_Z_MM, FLOOR_Z_MM, REAR_MM, Measures
from hardware.cad.parts.part import Solid
from hardware.cad.parts.shapes import block, post, rod_y
from hardware.cad.parts.tray import BUTTON_MM, CABLES_X_MM, JACKS_X_MM, LED_MM, PANEL_X_MM, PANEL_Z_MM

_STANDS_MM = 5.0  # over the floor, on spacers
_SERVO_BOARD_MM, _EXPANDER_MM = (62.5, 25.4, 16.0), (45.0, 25.0, 13.0)
_PI_MM, _SWITCH_MM, _LINES_MM = (85.0, 56.0, 17.0), (50.0, 30.0, 15.0), (100.0, 50.0, 15.0)


def board(size: tuple[float, float, float]) -> Part:
    """Return a board on its spacers, standing on z = 0: the board, what is on it, and the room of its plugs."""
    wide, deep, high = size
    solid = block((-wide / 2, wide / 2), (-deep / 2, deep / 2), (_STANDS_MM, _STANDS_MM + 1.6))
    solid += block((-wide / 2 + 4, wide / 2 - 4), (-deep / 2 + 3, deep / 2 - 3), (_STANDS_MM, _STANDS_MM + high))
    for x in (-wide / 2 + 3, wide / 2 - 3):
        for y in (-deep / 2 + 3, deep / 2 - 3):
            solid += post((x, y), 2.5, (0, _STANDS_MM))
    return solid


def cable_clip() -> Part:
    """Return a strain relief: cables go under its bridge and are tied to it; it lies on z = 0."""
    solid = block((-15, 15), (-5, 5), (0, 2.4)) + block((-15, -9), (-5, 5), (0, 8)) + block((9, 15), (-5, 5), (0, 8))
    solid += block((-15, 15), (-3.6, 3.6), (6.5, 9.5))
    for x in (-12.0, 12.0):
        solid -= post((x, 0), 1.6, (-1, 12))
    return solid


def _upright(half: float, high: float) -> Part:
    return block((-half, half), (-half, half), (0, high))


def solids(measures: Measures) -> dict[str, Solid]:
    """Return boards and panel by name."""
    green, black = (0.1, 0.35, 0.25), (0.15, 0.15, 0.16)
    made: dict[str, Solid] = {}

    def buy(
        name: str, solid: Part, note: str, grams: float, colour: tuple[float, float, float], numeral: str = ""
    ) -> None:
        spacers = {"Spacer M2.5 x 5 with screws": 4} if colour == green else {}
        made[name] = Solid(name, solid, "buy", "PVC", note, spacers, numeral, grams=grams, colour=colour)

    buy("raspberry-pi", board(_PI_MM), "Raspberry Pi 4 or 5", 46.0, green)
    buy("servo-board", board(_SERVO_BOARD_MM), "PCA9685, such as Adafruit 815", 12.0, green)
    buy("expander", board(_EXPANDER_MM), "MCP23017 on a board", 8.0, green)
    buy("v-plus-switch", board(_SWITCH_MM), "fuse and V+ switch on stripboard", 20.0, green)
    buy("line-board", board(_LINES_MM), "stripboard: header terminals, 1 kΩ and 4.7 kΩ of each line", 25.0, green)
    # Two different ones, so that neither supply fits into the other's.
    buy(
        "supply-jack",
        rod_y((0, 0), 5.8, (-10, 2)),
        "barrel jack 5.5 x 2.5 mm for 5 A, for a wall of 6 mm: the servos' supply",
        6.0,
        black,
    )
    buy(
        "usb-c-coupler",
        rod_y((0, 0), 5.8, (-10, 2)),
        "USB-C for a wall of 6 mm, with 20 cm to the Raspberry Pi's own plug",
        12.0,
        black,
    )
    rim, radius = rod_y((0, 0), BUTTON_MM / 2 + 1, (-2.5, 0)), BUTTON_MM / 2 - 0.2
    buy("button", rod_y((0, 0), radius, (0, 24)) + rim, "16 mm, closes while pressed", 9.0, (0.8, 0.1, 0.1))
    buy("led", rod_y((0, 0), LED_MM / 2 - 0.1, (-2, 8)), "5 mm", 0.4, (0.9, 0.8, 0.1))
    buy("speaker", rod_y((0, 0), 10.0, (0, 4)), "passive piezo", 3.0, black)
    # A rim of one of its six modules is printed with it.
    sheets = "printed by `shutbox calibrate camera --sheets`, on card of 0.5 mm"
    buy("marker", _upright(measures.marker_mm * 2 / 3, 0.5), sheets, 0.2, (0.95, 0.95, 0.95))
    edge = measures.die_mm
    buy("die", _upright(edge / 2, edge), f"{edge:g} mm", 5.0, (0.96, 0.95, 0.9), "160")
    screws = {"Screw 3 x 8": 2}
    made["cable-clip"] = Solid(
        "cable-clip", cable_clip(), "print", "PLA", "on its side", screws, colour=(0.4, 0.4, 0.42)
    )
    return made


def places_of(measures: Measures) -> dict[str, tuple[str, tuple[float, float, float]]]:
    """Return the part and the place of each of them, by its name in the profile."""
    box = measures.box
    near, far = measures.field_y_mm
    thick = measures.sheet_mm
    places: dict[str, tuple[str, tuple[float, float, float]]] = {
        "raspberry-pi": ("raspberry-pi", (-85.0, near + 45, FLOOR_Z_MM))
    }
    for place, address in enumerate(box.servo_boards):
        places[f"0x{address:02x}"] = ("servo-board", (45.0, far - 30 - 40 * place, FLOOR_Z_MM))
    for place, address in enumerate(box.expanders):
        places[f"0x{address:02x}"] = ("expander", (-45.0, far - 30 - 40 * place, FLOOR_Z_MM))
    places["v-plus-switch"] = ("v-plus-switch", (105.0, far - 60, FLOOR_Z_MM))
    places["line-board"] = ("line-board", (70.0, near + 45, FLOOR_Z_MM))
    for name, part, x in zip(("pi-supply", "servo-supply"), ("usb-c-coupler", "supply-jack"), JACKS_X_MM, strict=True):
        places[name] = (part, (x, REAR_MM + thick, PANEL_Z_MM))
    for place, x in enumerate(CABLES_X_MM, 1):
        places[f"strain-relief-{place}"] = ("cable-clip", (x - 25, far - 9, FLOOR_Z_MM))
    for name, x in PANEL_X_MM.items():
        if getattr(box.panel, name) is not None:
            y = near - (thick if name != "speaker" else 0)
            places[name] = (name, (x, y, PANEL_Z_MM))
    edge = measures.marker_margin_mm + measures.marker_mm / 2
    fields = measures.field_mm[0]
    corners = [
        (-fields / 2 + edge, far - edge),
        (fields / 2 - edge, far - edge),
        (fields / 2 - edge, near + edge),
        (-fields / 2 + edge, near + edge),
    ]
    for number, (x, y) in enumerate(corners):
        places[f"marker-{number}"] = ("marker", (x, y, BAIZE_Z_MM))
    for number, (x, y) in enumerate([(-30.0, (near + far) / 2 - 20), (25.0, (near + far) / 2 + 15)], 1):
        places[f"die-{number}"] = ("die", (x, y, BAIZE_Z_MM))
    return places
