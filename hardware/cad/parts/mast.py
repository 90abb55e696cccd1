"""The mast: post, boom, camera and field lamp, folding into the lid; and how stiff it is."""

import math
from dataclasses import dataclass

from build123d import Part

from hardware.cad.measures import (
    BAIZE_Z_MM,
    MAST_PIVOT_MM,
    MAST_TOP_MM,
    MAST_TUBE_MM,
    MAST_TUBE_WALL_MM,
    MAST_X_MM,
    MAST_Y_MM,
    Measures,
)
from hardware.cad.parts.part import DENSITIES, Solid
from hardware.cad.parts.shapes import block, post, rod_x

BOOM_X_MM = MAST_TUBE_MM + 1.0  # the boom runs beside the post, so that both fold into one layer
LAMP_MM = (240.0, 12.0, 8.0)
LAMP_Y_MM = 45.0  # behind the lens
_LENS_MM = 8.0  # from the camera's board to its front
_BOARD_MM = (25.0, 24.0, 1.2)
_ARM_MM = 15.0  # the boom ends behind the camera, which hangs from an arm at its side
_OVER_MM = 16.0  # of the post below its pivot
_LOCK_MM = 9.0  # from the pivot down to the bolt that locks the post
_PIN_MM = 4.5  # from the elbow's bolt, down and to the front, to the bolt that locks the boom
_YOUNG_PA = 70e9  # aluminium EN AW-6060
_CAMERA_KG, _LAMP_KG = 0.010, 0.040


# Of the foot on the cover, as x and y; of the camera's arm at the boom, from the lens to the back.
FOOT_BOLTS_MM = tuple((MAST_X_MM + side * 17.3, MAST_Y_MM + off) for side in (-1, 1) for off in (-7.5, 7.5))
ARM_BOLTS_MM = (22.0, 38.0)


def post_tube(measures: Measures) -> Part:
    """Return the post along z, with its pivot in the origin."""
    long, half = measures.mast_mm[0], MAST_TUBE_MM / 2
    inner = half - MAST_TUBE_WALL_MM
    top = long + half
    solid = block((-half, half), (-half, half), (-_OVER_MM, top)) - block(
        (-inner, inner), (-inner, inner), (-50, top + 1)
    )
    for z in (-_LOCK_MM, 0.0, long):
        solid -= rod_x((0, z), 2.6, (-half - 1, half + 1))
    return solid - rod_x((-_PIN_MM, long - _PIN_MM), 1.6, (-half - 1, half + 1))


def boom_tube(measures: Measures) -> Part:
    """Return the boom, pointing to the front, with its pivot in the origin and its lane beside the post."""
    reach, half = measures.mast_mm[1], MAST_TUBE_MM / 2
    inner = half - MAST_TUBE_WALL_MM
    x = BOOM_X_MM
    end = _ARM_MM - reach
    solid = block((x - half, x + half), (end, half), (-half, half))
    solid -= block((x - inner, x + inner), (end - 1, half + 1), (-inner, inner))
    for y in ARM_BOLTS_MM:
        solid -= rod_x((y - reach, 0), 1.6, (x - half - 1, x + half + 1))
    solid -= rod_x((-_PIN_MM, -_PIN_MM), 1.6, (x - half - 1, x + half + 1))
    return solid - rod_x((0, 0), 2.6, (x - half - 1, x + half + 1))


def foot(measures: Measures) -> Part:
    """Return the foot on the cover: two cheeks, with the pivot of the post and a hole of the screw that locks it."""
    floor = measures.cover_z_mm + measures.thin_mm
    gap, cheek, x, y = MAST_TUBE_MM / 2 + 0.3, 5.0, MAST_X_MM, MAST_Y_MM
    outer = gap + cheek
    solid = block((x - outer - 8, x + outer + 8), (y - 12, y + 12), (floor, floor + 5))
    for side in (-1, 1):
        solid += block((x + side * gap, x + side * outer), (y - 9, y + 9), (floor, MAST_PIVOT_MM + 8))
    # The post leans on this in front, below its pivot: it cannot fall back, and folds forward.
    solid += block((x - outer, x + outer), (y - 12, y - 7.6), (floor, MAST_PIVOT_MM - 8))
    for z in (MAST_PIVOT_MM, MAST_PIVOT_MM - _LOCK_MM):
        solid -= rod_x((y, z), 2.6, (x - outer - 1, x + outer + 1))
    for at in FOOT_BOLTS_MM:
        solid -= post(at, 1.7, (floor - 1, floor + 6))
    return solid


def camera_arm() -> Part:
    """Return the arm that carries the camera in front of the boom's end; the lens looks down from z = 0."""
    half = MAST_TUBE_MM / 2
    plate, end = _LENS_MM + _BOARD_MM[2] + 0.2, 45.0
    x = MAST_X_MM + BOOM_X_MM + half + 0.3
    solid = block((-14, 14), (-14, _ARM_MM - 0.4), (plate, plate + 3))
    solid += block((x, x + 3), (_ARM_MM, end), (MAST_TOP_MM - half, MAST_TOP_MM + half))
    solid += block((x, x + 3), (-14, _ARM_MM), (plate, MAST_TOP_MM + half))
    for y in ARM_BOLTS_MM:
        solid -= rod_x((y, MAST_TOP_MM), 1.7, (x - 1, x + 4))
    for dx in (-10.5, 10.5):
        for y in (-2.0, 10.5):
            solid -= post((dx, y), 1.1, (plate - 1, plate + 4))
    return solid


def camera() -> Part:
    """Return a Camera Module 3: its lens ends in z = 0, looking down."""
    wide, deep, thick = _BOARD_MM
    board = block((-wide / 2, wide / 2), (-9.5, deep - 9.5), (_LENS_MM, _LENS_MM + thick))
    return board + block((-5.75, 5.75), (-5.75, 5.75), (2.5, _LENS_MM)) + post((0, 0), 4.0, (0, 3))


def lens_at(measures: Measures) -> tuple[float, float, float]:
    """Return where the lens is: over the middle of the field."""
    near, far = measures.field_y_mm
    return 0.0, (near + far) / 2, BAIZE_Z_MM + measures.camera_mm


def lamp() -> Part:
    wide, deep, high = LAMP_MM
    return block((-wide / 2, wide / 2), (-deep / 2, deep / 2), (0, high))


def parts(measures: Measures) -> dict[str, Solid]:
    silver = (0.78, 0.8, 0.82)
    size = f"square tube {MAST_TUBE_MM:g} x {MAST_TUBE_MM:g} x {MAST_TUBE_WALL_MM:g} mm"
    bolts = {"Bolt M5 x 35 with wing nut": 2}
    elbow = {"Bolt M5 x 40 with wing nut": 1, "Bolt M3 x 40 with wing nut": 1}
    return {
        "mast-post": Solid(
            "mast-post",
            post_tube(measures),
            "rod",
            "aluminium",
            size,
            bolts,
            colour=silver,
        ),
        "mast-boom": Solid(
            "mast-boom",
            boom_tube(measures),
            "rod",
            "aluminium",
            size,
            elbow,
            colour=silver,
        ),
        "mast-foot": Solid(
            "mast-foot",
            foot(measures),
            "print",
            "PLA",
            "standing; the walls of six lines",
            {"Bolt M3 x 16 with nut": 4},
            colour=(0.3, 0.3, 0.33),
        ),
        "camera-arm": Solid(
            "camera-arm",
            camera_arm(),
            "print",
            "PLA",
            "plate down",
            {"Screw M2 x 6": 4, "Screw M3 x 25 with nut": 2},
            colour=(0.3, 0.3, 0.33),
        ),
        "camera": Solid(
            "camera", camera(), "buy", "PVC", measures.box.camera.module, grams=4.0, colour=(0.1, 0.4, 0.2)
        ),
        "field-lamp": Solid(
            "field-lamp",
            lamp(),
            "buy",
            "aluminium",
            "LED bar of 24 cm, 4000 K or more, steady on direct current: no dimmer",
            grams=40.0,
            colour=(0.95, 0.95, 0.8),
        ),
    }


@dataclass(frozen=True, slots=True)
class Stiffness:
    """How the mast answers: its first bending mode in Hz, and the movement of the camera in mm.

    moved_mm: while six servos start and stop together. seen_px: the same in pixels of the picture at the baize.
    """

    mode_hz: float
    moved_mm: float
    seen_px: float


def stiffness(measures: Measures) -> Stiffness:
    """Estimate the mast as a cantilever on a cover that gives: Euler-Bernoulli beams, Rayleigh's quotient for the mode.

    The foot on 3 mm plywood turns by 1 rad for 120 N m (A). A starting servo turns 1.2e-4 kg m2
    at its horn up to its speed of 9.5 rad/s in 10 ms; floor and walls take most of that.
    """
    post_m, boom_m = (each / 1000 for each in measures.mast_mm)
    outer, inner = MAST_TUBE_MM / 1000, (MAST_TUBE_MM - 2 * MAST_TUBE_WALL_MM) / 1000
    stiff = _YOUNG_PA * (outer**4 - inner**4) / 12
    line = DENSITIES["aluminium"] * (outer**2 - inner**2)
    foot_nm = 120.0
    # Movement of the boom's end in the plane of the mast for 1 N on it: boom, post and foot.
    gives = boom_m**3 / (3 * stiff) + post_m * boom_m**2 / stiff + (boom_m**2 + post_m**2) / foot_nm
    mass = _CAMERA_KG + _LAMP_KG + 0.33 * line * boom_m + 0.25 * line * post_m
    mode_hz = math.sqrt(1 / (gives * mass)) / (2 * math.pi)
    torque_nm = 6 * 1.2e-4 * 9.5 / 0.010
    turn = torque_nm * 0.05 / foot_nm  # the tray's floor and walls take the rest: 5 % reach the cover (A)
    moved_mm = 1000 * turn * math.hypot(post_m, boom_m)
    seen_mm = 519.0 * measures.camera_mm / 400.0  # width of the picture on the baize, Camera Module 3
    return Stiffness(mode_hz, moved_mm, moved_mm * measures.box.camera.width_px / seen_mm)
