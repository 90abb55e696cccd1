"""Printed gauges: what a maker holds against a part to see that it is where the drawing has it."""

import math

from build123d import Part, Pos, Rot, extrude

from hardware.cad.measures import Measures
from hardware.cad.parts.marks import sketch_of
from hardware.cad.parts.part import Solid
from hardware.cad.parts.sensors import HALL_GAP_MM, SWITCH_DEG
from hardware.cad.parts.servo import BEHIND_SHAFT_MM, CASE_MM
from hardware.cad.parts.shapes import block, post, prism
from hardware.column import LEAN_DEG, TILE_MM
from hardware.linkage import horn_angles

_RING_MM = 20.0


def horn_gauge(measures: Measures) -> Part:
    """Return a cap for a servo's case, with notches for its horn at 1500 us and at the three pulses of the profile.

    The deepest notch is that of 1500 us, the next one that of the pulse at rest. F marks those of a front servo, whose
    case points to the player, B those of a back servo.
    """
    wide, long, _ = (each + 0.4 for each in CASE_MM)
    middle = BEHIND_SHAFT_MM
    solid = post((0, 0), _RING_MM, (0, 2.4)) + block((-wide / 2 - 2, wide / 2 + 2), (-8, long - 3.5), (0, 6))
    solid -= block((-wide / 2, wide / 2), (middle - long / 2, middle + long / 2), (2.4, 7))
    solid -= post((0, 0), 6.3, (-1, 8)) + block((-3, 3), (0, 9.2), (-1, 8))
    angles = horn_angles(measures.rod(0))
    depths = ((0.0, 6.0), (angles.rest_deg or 0.0, 4.5), (angles.open_deg, 3.0), (angles.shut_deg, 3.0))
    turn = measures.rows[0].turn
    for row, name in ((0, "F"), (1, "B")):
        # A front servo stands turned by half a turn.
        ahead = 180.0 * (1 - row) + (0.0 if turn > 0 else 180.0)
        for deg, deep in depths:
            notch = block((_RING_MM - deep, _RING_MM + 2), (-0.6, 0.6), (-1, 3))
            solid -= Rot(0, 0, ahead - turn * deg) * notch
        letter = extrude(Pos(13, -8 if row else 8, 0) * sketch_of(name, 5.0), amount=0.6)
        solid -= Rot(0, 0, 180.0 * (1 - row)) * Rot(180, 0, 0) * letter
    return solid


def tile_gauge() -> Part:
    """Return a block that stands on the ledge and holds a tile where its switch must answer."""
    lean = math.radians(SWITCH_DEG - LEAN_DEG)
    # Along the face of a tile that leans forward; from 12 to 45 mm above the axle.
    face = [(-TILE_MM[1] / 2 / math.cos(lean) - z * math.tan(lean), z) for z in (12.0, 45.0)]
    return prism([face[0], face[1], (-30.0, 45.0), (-42.0, -3.0), (-12.0, -3.0), (-12.0, 12.0)], (-6, 6))


def gap_gauge() -> Part:
    """Return a strip as thick as the gap between a lying tail and its Hall sensor."""
    return block((-4, 4), (0, 60), (0, HALL_GAP_MM))


def gauges(measures: Measures) -> dict[str, Solid]:
    yellow = (0.95, 0.8, 0.2)
    return {
        "horn-gauge": Solid(
            "horn-gauge",
            horn_gauge(measures),
            "print",
            "PLA",
            "a gauge: notches at the open, rest and shut pulses",
            colour=yellow,
            printed=Rot(0, 0, 0),
        ),
        "tile-gauge": Solid(
            "tile-gauge",
            tile_gauge(),
            "print",
            "PLA",
            f"a gauge: holds a tile {SWITCH_DEG:g} degrees from its stop",
            colour=yellow,
            printed=Rot(0, 90, 0),
        ),
        "gap-gauge": Solid("gap-gauge", gap_gauge(), "print", "PLA", f"a gauge: {HALL_GAP_MM:g} mm", colour=yellow),
    }
