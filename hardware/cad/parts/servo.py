"""The servo as it is sold, its horn, and the rails that carry the servos of a row by their tabs."""

from build123d import Part, Pos, extrude

from hardware.cad.measures import FLOOR_Z_MM, SERVO_MM, TABS_MM, Measures, servo_bottom_mm
from hardware.cad.parts.part import Solid
from hardware.cad.parts.shapes import block, post, slot, union
from hardware.column import HORN_MM

# An SG90 or MG90S, by sellers' drawings; a batch is measured before eighteen are bought (A).
CASE_MM = (12.2, 22.4, 22.7)
TABS_LONG_MM, TABS_THICK_MM = 32.2, 2.5
BEHIND_SHAFT_MM = 5.3  # from the shaft to the middle of the case
_TAB_HOLES_MM = 13.9  # from the middle of the case
_ARM_MM = 1.5
PLATE_MM = 3.2
_PLATE_Y_MM = (-13.0, 23.6)  # of a rail, from the shaft away from the tiles
_PILLAR_MM = 4.0
_BESIDE_MM = 1.5  # of the outer servos


def servo() -> Part:
    """Return a servo whose shaft is the z axis, standing on z = 0, its long side along y and ahead of the shaft."""
    wide, long, high = CASE_MM
    middle = BEHIND_SHAFT_MM
    case = block((-wide / 2, wide / 2), (middle - long / 2, middle + long / 2), (0, high))
    half = TABS_LONG_MM / 2
    tabs = block((-wide / 2, wide / 2), (middle - half, middle + half), (TABS_MM, TABS_MM + TABS_THICK_MM))
    solid = case + tabs + post((0, 0), 5.9, (high, high + 4)) + post((0, 5.9), 2.6, (high, high + 4))
    solid += post((0, 0), 2.2, (high + 4, SERVO_MM - 2.6))
    for y in (middle - _TAB_HOLES_MM, middle + _TAB_HOLES_MM):
        solid -= post((0, y), 1.0, (TABS_MM - 1, TABS_MM + 4))
    return solid


def horn(measures: Measures) -> Part:
    """Return the horn with the upper side of its arm on z = 0, pointing along x, and the peg's hole."""
    long = measures.horn_mm
    arm = Pos(long / 2, 0, -_ARM_MM) * extrude(slot(long, 5.0), amount=_ARM_MM)
    hub = post((0, 0), 3.4, (-3.6, 0.0)) - post((0, 0), 2.3, (-4.1, -2.5))
    return arm + hub - post((long, 0), 1.05, (-3, 1))


def rail(measures: Measures, row: int, columns: tuple[int, ...]) -> Part:
    """Return the rail of these columns, where it is in the box."""
    drive = measures.rows[row]
    shaft_x, shaft_y, _ = drive.shaft_mm(measures.horn_mm)
    away, top = drive.towards, servo_bottom_mm(drive) + TABS_MM
    half = CASE_MM[0] / 2 + _BESIDE_MM
    xs = [measures.column_x_mm(column) + shaft_x for column in columns]
    near, far = (shaft_y + away * end for end in _PLATE_Y_MM)
    solid = block((xs[0] - half, xs[-1] + half), (near, far), (top - PLATE_MM, top))
    wide, long, _ = CASE_MM
    hole, middle = 0.2, BEHIND_SHAFT_MM
    for x in xs:
        ends = (shaft_y + away * (middle - long / 2 - hole), shaft_y + away * (middle + long / 2 + hole))
        solid -= block((x - wide / 2 - hole, x + wide / 2 + hole), ends, (top - 10, top + 1))
        for y in (middle - _TAB_HOLES_MM, middle + _TAB_HOLES_MM):
            solid -= post((x, shaft_y + away * y), 0.8, (top - 10, top + 1))
    stands = pillars(measures, row, columns)
    solid += union(post(at, _PILLAR_MM, (FLOOR_Z_MM, top)) for at in stands)
    for at in stands:
        solid -= post(at, 1.25, (FLOOR_Z_MM - 1, FLOOR_Z_MM + 11))
    return solid


def pillars(measures: Measures, row: int, columns: tuple[int, ...]) -> list[tuple[float, float]]:
    """Return x and y where a rail stands on the floor: between its servos, near both ends and in the middle."""
    drive = measures.rows[row]
    shaft_x, shaft_y, _ = drive.shaft_mm(measures.horn_mm)
    gaps = [measures.column_x_mm(column) + shaft_x + measures.pitch_mm / 2 for column in columns[:-1]]
    xs = [gaps[0], *([gaps[len(gaps) // 2]] if len(gaps) > 2 else []), gaps[-1]]
    near, far = _PLATE_Y_MM
    return [(x, shaft_y + drive.towards * y) for x in xs for y in (near + 5, far - 5)]


def servos(measures: Measures) -> dict[str, Solid]:
    made = {
        "servo": Solid(
            "servo",
            servo(),
            "buy",
            "PVC",
            "analog, 9 g; measure one first",
            {"Servo screw (comes with it)": 3},
            grams=9.0,
            colour=(0.25, 0.36, 0.6),
        ),
        "horn": Solid(
            "horn",
            horn(measures),
            "buy",
            "PVC",
            f"comes with the servo; its outmost hole {HORN_MM:g} mm from the shaft",
            grams=0.6,
            colour=(0.95, 0.95, 0.95),
        ),
    }
    for row in range(len(measures.rows)):
        for place, columns in enumerate(measures.segments, 1):
            name = f"servo-rail-{('front', 'back')[row]}" + (f"-{place}" if len(measures.segments) > 1 else "")
            screws = len(pillars(measures, row, columns))
            made[name] = Solid(
                name,
                rail(measures, row, columns),
                "print",
                "PLA",
                "upside down",
                {"Screw 3 x 16, from below": screws},
                printed=Pos(0, 0, 0),
                colour=(0.35, 0.35, 0.4),
            )
    return made
