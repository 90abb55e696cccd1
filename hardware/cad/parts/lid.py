"""The lid with its rim, hinges, support rod and reed switch."""

import math

from build123d import Align, Location, Part, Plane, Pos, Rectangle, Rot, Sketch

from hardware.cad.measures import LID_ROOM_MM, REAR_MM, WALL_TOP_MM, Measures
from hardware.cad.parts.part import Solid
from hardware.cad.parts.shapes import block, post, rod_x, sheet
from hardware.cad.parts.tray import Placed

OPEN_DEG = 105.0
_HINGE_MM = 40.0
_STAY_MM = 3.0  # diameter of the support rod
_BENT_MM = 7.0  # of both its ends, into screw eyes
_KNUCKLE_MM = 2.0  # radius: the axis lies so far behind the rear wall
_STAY_AT_MM = 64.0  # from the hinges to both its ends


def sheets(measures: Measures) -> tuple[dict[str, Solid], list[Placed]]:
    """Return the sheets of the lid, and where they are while it is shut, in the frame of the hinges' axis."""
    thick = measures.sheet_mm
    wide, deep, _ = measures.outside_mm

    def solid(name: str, outline: Sketch, note: str = "") -> Solid:
        screws = {"Screw 3 x 16": 4} if name != "lid" else {}
        return Solid(
            name, sheet(outline, thick), "saw", "plywood", note, screws, "120", sheet=outline, colour=(0.76, 0.60, 0.40)
        )

    def rectangle(across: float, high: float) -> Sketch:
        return Rectangle(across, high, align=(Align.MIN, Align.MIN))

    made = {
        "lid": solid("lid", rectangle(wide, deep)),
        "lid-rim-front": solid("lid-rim-front", rectangle(wide, LID_ROOM_MM), "also the rim at the hinges"),
        "lid-rim-side": solid("lid-rim-side", rectangle(deep - 2 * thick, LID_ROOM_MM)),
    }
    placed = [
        Placed("lid", Pos(-wide / 2, -deep - _KNUCKLE_MM, LID_ROOM_MM)),
        *(
            Placed("lid-rim-front", Location(Plane(origin=(-wide / 2, y, 0), x_dir=(1, 0, 0), z_dir=(0, -1, 0))))
            for y in (-_KNUCKLE_MM, thick - deep - _KNUCKLE_MM)
        ),
        *(
            Placed(
                "lid-rim-side",
                Location(Plane(origin=(x, thick - deep - _KNUCKLE_MM, 0), x_dir=(0, 1, 0), z_dir=(1, 0, 0))),
            )
            for x in (-wide / 2, wide / 2 - thick)
        ),
    ]
    return made, placed


def axis_y_mm(measures: Measures) -> float:
    return REAR_MM + measures.sheet_mm + _KNUCKLE_MM


def lid_at(measures: Measures, open_deg: float) -> Location:
    """Return the frame of the lid, opened by so many degrees about its hinges at the rear wall."""
    return Pos(0, axis_y_mm(measures), WALL_TOP_MM) * Rot(-open_deg, 0, 0)


def stay_ends(measures: Measures, open_deg: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return (y, z) of the support rod's ends: at the side wall, and at the rim of the lid."""
    hinge_y = axis_y_mm(measures)
    turn = math.radians(open_deg)
    y, z = -_STAY_AT_MM * 2, LID_ROOM_MM / 2
    moved = hinge_y + y * math.cos(turn) + z * math.sin(turn), WALL_TOP_MM - y * math.sin(turn) + z * math.cos(turn)
    return (hinge_y - _STAY_AT_MM * 2, WALL_TOP_MM - 8), moved


def stay(measures: Measures) -> Part:
    """Return the support rod along y from the origin, with an eye at its end."""
    (y0, z0), (y1, z1) = stay_ends(measures, OPEN_DEG)
    long = math.hypot(y1 - y0, z1 - z0)
    bar = Rot(-90, 0, 0) * post((0, 0), _STAY_MM / 2, (0, long))
    return bar + rod_x((0, 0), _STAY_MM / 2, (-_BENT_MM, 0)) + rod_x((long, 0), _STAY_MM / 2, (-_BENT_MM, 0))


def hinge() -> Part:
    """Return the half of a butt hinge that is screwed to the wall, its axis along x in the origin."""
    half = _HINGE_MM / 2
    return rod_x((0, 0), _KNUCKLE_MM, (-half, half)) + block(
        (-half, half), (-_KNUCKLE_MM, -_KNUCKLE_MM + 0.9), (-14, 0)
    )


def hinge_leaf() -> Part:
    """Return the other leaf, on the rim of a shut lid."""
    half = _HINGE_MM / 2
    return block((-half, half), (-_KNUCKLE_MM, -_KNUCKLE_MM + 0.9), (_KNUCKLE_MM, 14))


def reed_switch() -> Part:
    return block((-2, 2), (-7, 7), (-2, 2))


def fittings(measures: Measures) -> dict[str, Solid]:
    (y0, z0), (y1, z1) = stay_ends(measures, OPEN_DEG)
    long = math.hypot(y1 - y0, z1 - z0)
    return {
        "support-rod": Solid(
            "support-rod",
            stay(measures),
            "rod",
            "steel",
            f"round bar {_STAY_MM:g} mm; cut {long + 2 * _BENT_MM:.0f} mm, bend {_BENT_MM:g} mm at both ends one way",
            {"Screw eye 3 mm": 2},
            "125",
            colour=(0.8, 0.8, 0.82),
        ),
        "hinge": Solid(
            "hinge",
            hinge(),
            "buy",
            "steel",
            "butt hinge 40 x 28 mm, brass or steel",
            {"Screw 2.5 x 6": 4},
            grams=12.0,
            colour=(0.8, 0.7, 0.35),
        ),
        "hinge-leaf": Solid("hinge-leaf", hinge_leaf(), "buy", "steel", "part of the hinge", colour=(0.8, 0.7, 0.35)),
        "reed-switch": Solid(
            "reed-switch",
            reed_switch(),
            "buy",
            "PVC",
            "closes while the lid is down: beside the hinges, under the right wall's upper edge",
            grams=2.0,
            colour=(0.9, 0.9, 0.9),
        ),
        "lid-magnet": Solid(
            "lid-magnet",
            block((-2, 2), (-7, 7), (-2, 2)),
            "buy",
            "neodymium",
            "comes with the reed switch",
            colour=(0.5, 0.5, 0.55),
        ),
    }
