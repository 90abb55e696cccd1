"""The push-rod between the crank of a tile and the peg on its servo's horn, and the peg."""

from build123d import Part, Pos, extrude

from hardware.cad.measures import PEG_MM, Measures
from hardware.cad.parts.part import Solid
from hardware.cad.parts.shapes import block, post, rod_x, slot

ROD_MM = (1.8, 3.0)  # wide and high
EYE_MM, EYE_BORE_MM = 3.0, 2.5  # radius, and the hole in which it also yaws on an M2 screw
PEG_RADIUS_MM = 1.5
_SLOT_MM, _BESIDE_SLOT_MM = 3.6, 2.2
_YAWS_MM = 0.45  # between the rod's eye and the head of its screw
# The end of an M2 x 14 screw whose head is under the horn's arm of 1.5 mm.
_SCREW_TOP_MM = 14.0 - PEG_MM - 1.5
COLLAR_MM = 1.0  # by which the rod may ride up and down on the peg: it tilts as the crank rises and falls


def push_rod(measures: Measures, row: int) -> Part:
    """Return the rod along y: the eye in the origin on an axis along x, the peg's slot on an axis along z."""
    rod = measures.rod(row)
    wide, high = ROD_MM
    middle, long = (rod.least_mm + rod.most_mm) / 2, rod.most_mm - rod.least_mm
    begins = rod.least_mm - _SLOT_MM / 2 - _BESIDE_SLOT_MM
    solid = rod_x((0, 0), EYE_MM, (-wide / 2, wide / 2)) + block(
        (-wide / 2, wide / 2), (0, begins + 1), (-high / 2, high / 2)
    )
    outer, inner = slot(long, _SLOT_MM + 2 * _BESIDE_SLOT_MM, 90), slot(long, _SLOT_MM, 90)
    solid += Pos(0, middle, 0) * extrude(outer, amount=high / 2, both=True)
    solid -= Pos(0, middle, 0) * extrude(inner, amount=high, both=True)
    return solid - rod_x((0, 0), EYE_BORE_MM / 2, (-wide, wide))


def peg() -> Part:
    """Return the tube on the horn, with the rod's middle in z = 0: an M2 screw holds it, a washer and a nut end it."""
    return post((0, 0), PEG_RADIUS_MM, (-PEG_MM, _rides())) - post((0, 0), 1.05, (-PEG_MM - 1, _rides() + 1))


def collar() -> Part:
    """Return the ring on the tube on which the rod rests."""
    return post((0, 0), 3.0, (-PEG_MM, -_rides())) - post((0, 0), PEG_RADIUS_MM + 0.1, (-PEG_MM - 1, 0))


def _rides() -> float:
    return ROD_MM[1] / 2 + COLLAR_MM


def peg_head() -> Part:
    rides = _rides()
    return (
        post((0, 0), 2.5, (rides, rides + 0.3))
        + post((0, 0), 2.3, (rides + 0.3, rides + 1.9))
        + post((0, 0), 1.0, (rides + 1.9, _SCREW_TOP_MM))
    )


def crank_head() -> Part:
    """Return the head of the screw on which the rod turns, in the frame of the rod's eye, on the far side of x."""
    wide = ROD_MM[0]
    return rod_x((0, 0), 1.9, (-wide / 2 - _YAWS_MM - 1.2, -wide / 2 - _YAWS_MM))


def rods(measures: Measures) -> dict[str, Solid]:
    names = ("push-rod-front", "push-rod-back")[: len(measures.rows)]
    made = {
        name: Solid(
            name,
            push_rod(measures, row),
            "print",
            "PLA",
            "lying flat, without support",
            colour=((0.85, 0.2, 0.2), (0.2, 0.35, 0.85))[row],
        )
        for row, name in enumerate(names)
    }
    made["peg"] = Solid(
        "peg",
        peg(),
        "rod",
        "brass",
        "tube 3 x 0.45 mm; the horn's outmost hole is drilled to 2 mm",
        {"Screw M2 x 14": 1, "Nut M2": 1, "Washer M2": 1},
        colour=(0.9, 0.75, 0.3),
    )
    made["peg-collar"] = Solid(
        "peg-collar", collar(), "print", "PLA", "standing", printed=Pos(0, 0, PEG_MM), colour=(0.95, 0.9, 0.3)
    )
    made["peg-head"] = Solid(
        "peg-head", peg_head(), "buy", "steel", "counted as nut and washer of the peg", colour=(0.6, 0.6, 0.65)
    )
    made["crank-head"] = Solid(
        "crank-head", crank_head(), "buy", "steel", "the head of the crank's screw", colour=(0.6, 0.6, 0.65)
    )
    return made
