"""The tray, sawn from sheets: floor, walls, field and ledge, and what keeps dice from behind and beside the rows."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

from build123d import Align, Circle, Location, Plane, Pos, Rectangle, Sketch

from hardware.cad.measures import (
    ARC_MM,
    BAIZE_Z_MM,
    FLOOR_Z_MM,
    LEDGE_FROM_MM,
    LEDGE_TO_MM,
    MAST_TUBE_MM,
    MAST_X_MM,
    MAST_Y_MM,
    WALL_TOP_MM,
    Measures,
)
from hardware.cad.parts.mast import FOOT_BOLTS_MM
from hardware.cad.parts.part import Solid
from hardware.cad.parts.sensors import back_stop_bolts, hall_comb_bolts
from hardware.cad.parts.servo import pillars
from hardware.cad.parts.shapes import polygon, sheet

FELT_MM = 1.0
CLEAT_MM = 15.0
LEDGE_TOP_MM = -3.0  # half a tile under the axle
BUTTON_MM, LED_MM = 16.0, 5.2  # diameters of their holes
PANEL_Z_MM = -38.0
PANEL_X_MM = {"button": 100.0, "led": 76.0, "speaker": 52.0}
JACKS_X_MM = (-60.0, -12.0)  # of both supplies, in the rear wall
_JACK_MM = 12.0
CABLES_X_MM = (-75.0, 0.0, 75.0)  # of the openings by which cables pass the step
_DIE_PASSES_MM = 14.0  # a gap that is narrower needs no cover


@dataclass(frozen=True)
class Placed:
    """Where a sheet is in the box: the corner of its outline's frame, its x and its normal."""

    name: str
    at: Location


def rectangle(wide: float, high: float) -> Sketch:
    """Return a rectangle from (0, 0)."""
    return Rectangle(wide, high, align=(Align.MIN, Align.MIN))


def _flat(x: float, y: float, z: float) -> Location:
    return Location(Plane(origin=(x, y, z)))


def _across(x: float, y: float, z: float) -> Location:
    """Return a frame that stands across the box: its x to the right, its y upwards, its thickness to the front."""
    return Location(Plane(origin=(x, y, z), x_dir=(1, 0, 0), z_dir=(0, -1, 0)))


def _along(x: float, y: float, z: float) -> Location:
    """Return a frame that stands along the box: its x to the back, its y upwards, its thickness to the right."""
    return Location(Plane(origin=(x, y, z), x_dir=(0, 1, 0), z_dir=(1, 0, 0)))


def beside_mm(measures: Measures) -> float:
    """Return x where the boards beside the rows begin: outside the fixing arcs."""
    return measures.arc_mm + ARC_MM + 0.5


def has_side_boards(measures: Measures) -> bool:
    return measures.inside_mm[0] / 2 - beside_mm(measures) > _DIE_PASSES_MM


def sheets(measures: Measures) -> tuple[dict[str, Solid], list[Placed]]:
    """Return the sheets of the tray by name, and where each of them is."""
    thick, thin = measures.sheet_mm, measures.thin_mm
    wide, deep = measures.inside_mm
    half, (near, step) = wide / 2, measures.field_y_mm
    rear, bottom = near + deep, FLOOR_Z_MM - thick
    high = WALL_TOP_MM - bottom
    made: dict[str, Solid] = {}
    placed: list[Placed] = []

    def saw(
        name: str,
        outline: Sketch,
        at: Iterable[Location],
        *,
        mm: float = thick,
        numeral: str = "",
        note: str = "",
        material: str = "plywood",
    ) -> None:
        colour = (0.16, 0.42, 0.27) if material == "felt" else (0.80, 0.66, 0.46)
        screws = {"Screw 3 x 16": 6} if name.startswith(("wall", "floor")) else {}
        if name in ("ledge", "cover", "deck"):
            screws = {"Screw 2.5 x 10": 4}
        made[name] = Solid(
            name, sheet(outline, mm), "saw", material, note, screws, numeral, sheet=outline, colour=colour
        )
        placed.extend(Placed(name, each) for each in at)

    floor = rectangle(wide, deep)
    for row, columns in product(range(len(measures.rows)), measures.segments):
        floor -= [Pos(x + half, y - near) * Circle(1.7) for x, y in pillars(measures, row, columns)]
    saw("floor", floor, [_flat(-half, near, bottom)], numeral="110", note="holes for the screws of the servo rails")
    front = rectangle(wide, high) - [
        Pos(half + PANEL_X_MM["button"], PANEL_Z_MM - bottom) * Circle(BUTTON_MM / 2),
        Pos(half + PANEL_X_MM["led"], PANEL_Z_MM - bottom) * Circle(LED_MM / 2),
        *(Pos(half + PANEL_X_MM["speaker"] + off, PANEL_Z_MM - bottom) * Circle(1.5) for off in (-6, 0, 6)),
    ]
    saw("wall-front", front, [_across(-half, near, bottom)], numeral="110", note="holes for button, LED and sounder")
    back = rectangle(wide, high) - [Pos(half + x, PANEL_Z_MM - bottom) * Circle(_JACK_MM / 2) for x in JACKS_X_MM]
    saw("wall-back", back, [_across(-half, rear + thick, bottom)], numeral="110", note="holes for both supplies")
    saw(
        "wall-side",
        rectangle(deep + 2 * thick, high),
        [_along(x, near - thick, bottom) for x in (-half - thick, half)],
        numeral="110",
    )

    under = BAIZE_Z_MM - FELT_MM - thin
    saw(
        "field",
        rectangle(wide, step - near),
        [_flat(-half, near, under)],
        mm=thin,
        numeral="150",
        note="the baize is glued on it",
    )
    saw(
        "baize",
        rectangle(wide, step - near),
        [_flat(-half, near, under + thin)],
        mm=FELT_MM,
        numeral="150",
        material="felt",
        note="dark green, not shiny",
    )
    if wide > measures.field_mm[0] + 1:
        # Dice must not lie beside the field, where the camera sees them outside.
        edge = measures.field_mm[0] / 2
        places = [_along(x, near, BAIZE_Z_MM) for x in (-edge - thick, edge)]
        saw("field-side", rectangle(step - near, 40), places, note="along the field's sides, on the baize")
    bearer = rectangle(step - near, under - FLOOR_Z_MM) - [Pos(y, 8) * Rectangle(40, 16) for y in (50.0, 150.0)]
    saw(
        "field-bearer",
        bearer,
        [_along(x, near, FLOOR_Z_MM) for x in (-half, -thick / 2, half - thick)],
        note="openings for cables",
    )
    openings = [Pos(half + x, 22) * Rectangle(36, 14) for x in CABLES_X_MM]
    saw(
        "step",
        rectangle(wide, LEDGE_TOP_MM - thin - FLOOR_Z_MM) - openings,
        [_across(-half, step + thick, FLOOR_Z_MM)],
        note="openings for cables",
    )
    ledge = rectangle(wide, LEDGE_FROM_MM - LEDGE_TO_MM)
    saw("ledge", ledge, [_flat(-half, LEDGE_TO_MM, LEDGE_TOP_MM - thin)], mm=thin, numeral="140")

    last = measures.rows[-1].axle_mm[0]
    notch = measures.arc_mm - 0.7
    from_y, beside_y = last + 5.2, last + 10.0
    cover = polygon(
        [
            (-notch, from_y),
            (notch, from_y),
            (notch, beside_y),
            (half, beside_y),
            (half, rear),
            (-half, rear),
            (-half, beside_y),
            (-notch, beside_y),
        ]
    )
    cover -= [Pos(x, last + 46.0) * Rectangle(24, 10) for x in (-85.0, 30.0, 85.0)]
    cover -= [Pos(*at) * Circle(1.7) for at in FOOT_BOLTS_MM]
    if len(measures.rows) == 2:
        for columns in measures.segments:
            cover -= [Pos(*at) * Circle(1.2) for at in hall_comb_bolts(measures, columns)]
            cover -= [Pos(*at) * Circle(1.2) for at in back_stop_bolts(measures, columns)]
    saw("cover", cover, [_flat(0, 0, measures.cover_z_mm)], mm=thin, note="openings for cables")
    cover_top, deck = measures.cover_z_mm + thin, WALL_TOP_MM - thin
    for name, begins, level in (
        ("cover", beside_y + 4, measures.cover_z_mm),
        ("deck", measures.screen_y_mm + thin, deck),
    ):
        places = [_along(x, begins, level - CLEAT_MM) for x in (-half, half - thick)]
        saw(f"{name}-cleat", rectangle(rear - begins, CLEAT_MM), places, note="glued to the side walls")
    saw(
        "screen",
        rectangle(wide, deck - cover_top),
        [_across(-half, measures.screen_y_mm + thin, cover_top)],
        mm=thin,
        note="behind the last row",
    )
    opening = Pos(half + MAST_X_MM, MAST_Y_MM + 3.5 - measures.screen_y_mm) * Rectangle(2 * MAST_TUBE_MM + 14, 34)
    saw(
        "deck",
        rectangle(wide, rear - measures.screen_y_mm) - opening,
        [_flat(-half, measures.screen_y_mm, deck)],
        mm=thin,
        note="opening for the foot of the mast",
    )

    if has_side_boards(measures):
        begins = beside_mm(measures)
        depth = measures.screen_y_mm - LEDGE_FROM_MM
        saw(
            "side-front",
            rectangle(half - begins, deck - LEDGE_TOP_MM),
            [_across(x, LEDGE_FROM_MM, LEDGE_TOP_MM) for x in (-half, begins)],
            mm=thin,
        )
        saw(
            "side-inner",
            rectangle(depth, deck - LEDGE_TOP_MM - 19),
            [_along(x, LEDGE_FROM_MM, LEDGE_TOP_MM + 19) for x in (-begins - thin, begins)],
            mm=thin,
        )
        saw(
            "side-top",
            rectangle(half - begins, depth + thin),
            [_flat(x, LEDGE_FROM_MM - thin, deck) for x in (-half, begins)],
            mm=thin,
        )
    return made, placed
