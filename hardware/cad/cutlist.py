"""What to saw, to cut, to print and to buy for one box: counted from its assembly, never written down."""

from collections.abc import Iterator
from dataclasses import dataclass

from hardware.cad.assembly import Kit
from hardware.cad.parts.part import Solid
from hardware.wiring.parts import parts_of
from hardware.wiring.plan import plan_of

# A printer with a nozzle of 0.4 mm lays down about this much, travel and slow outer walls included (A): 0.2 mm layers
# of 0.45 mm lines at 45 mm/s.
_PRINTED_MM3_S = 4.0
# Besides the solids: what no drawing shows.
_USED_UP = (
    ("Wood glue", "1", "for cleats, bearers and thin sheets"),
    ("Cyanoacrylate glue", "1", "for magnets, Hall sensors and switches; a drop each"),
    ("Dark green felt, self-adhesive or with spray glue", "1", "as large as the field; not shiny"),
    ("Cable ties 2.5 mm", "30", "at the cable clips"),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a list. quantity: a number, or words such as a length. size: in mm."""

    item: str
    quantity: str
    size: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums of a box: masses in g, areas in m2, hours of printing by volume."""

    printed_g: float
    printing_h: float
    sheet_m2: dict[str, float]
    box_g: float


def _of(kit: Kit, made: str) -> Iterator[tuple[Solid, int]]:
    for name, solid in sorted(kit.solids.items()):
        if solid.made == made and kit.quantities.get(name):
            yield solid, kit.quantities[name]


def sheet_rows(kit: Kit) -> list[Row]:
    """Return every sheet with its outer size, thickest first."""
    rows = []
    for solid, quantity in _of(kit, "saw"):
        size = sorted(solid.solid.bounding_box().size, reverse=True)
        rows.append(
            (size[2], Row(solid.name, str(quantity), f"{size[0]:.1f} x {size[1]:.1f} x {size[2]:g}", solid.note))
        )
    return [row for _, row in sorted(rows, key=lambda each: (-each[0], each[1].item))]


def bar_rows(kit: Kit) -> list[Row]:
    """Return rods and tubes with their lengths."""
    return [
        Row(
            solid.name,
            str(quantity),
            f"{max(solid.solid.bounding_box().size):.1f} long",
            f"{solid.material}, {solid.note}",
        )
        for solid, quantity in _of(kit, "rod")
    ]


def printed_rows(kit: Kit) -> list[Row]:
    """Return what is printed, with its mass if it is solid."""
    return [
        Row(
            solid.name,
            str(quantity),
            " x ".join(f"{each:.0f}" for each in solid.solid.bounding_box().size),
            f"{solid.mass_g:.1f} g; {solid.note}",
        )
        for solid, quantity in _of(kit, "print")
    ]


def bought_rows(kit: Kit) -> list[Row]:
    """Return what is bought for the wood: mechanical parts, screws, and what is used up."""
    # The electrical parts have a list of their own; parts of other parts are bought with them.
    electrical = {
        "servo",
        "servo-board",
        "expander",
        "raspberry-pi",
        "camera",
        "field-lamp",
        "hall-sensor",
        "limit-switch",
        "magnet",
    }
    electrical |= {"button", "led", "speaker", "reed-switch", "v-plus-switch", "marker"}
    with_others = {"horn", "switch-lever", "crank-head", "peg-head", "hinge-leaf", "lid-magnet"}
    rows = [
        Row(solid.name, str(quantity), "", solid.note)
        for solid, quantity in _of(kit, "buy")
        if solid.name not in electrical | with_others
    ]
    rows += [Row(name, str(quantity), "") for name, quantity in sorted(kit.fixings.items())]
    return rows + [Row(name, quantity, "", note) for name, quantity, note in _USED_UP]


def electrical_rows(kit: Kit) -> list[Row]:
    """Return the electrical parts of the box's wiring."""
    return [Row(part.part, str(part.quantity), "", part.note) for part in parts_of(plan_of(kit.measures.box))]


def totals(kit: Kit) -> Totals:
    printed_g = sum(solid.mass_g * quantity for solid, quantity in _of(kit, "print"))
    printed_mm3 = sum(float(solid.solid.volume) * quantity for solid, quantity in _of(kit, "print"))
    areas: dict[str, float] = {}
    for solid, quantity in _of(kit, "saw"):
        long, wide, thick = sorted(solid.solid.bounding_box().size, reverse=True)
        key = f"{solid.material} {thick:g} mm"
        areas[key] = areas.get(key, 0.0) + long * wide * quantity / 1e6
    box_g = sum(kit.solids[name].mass_g * quantity for name, quantity in kit.quantities.items())
    return Totals(printed_g, printed_mm3 / _PRINTED_MM3_S / 3600, dict(sorted(areas.items())), box_g)


def _table(title: str, rows: list[Row]) -> list[str]:
    lines = [f"## {title}", "", "| part | number | size (mm) | note |", "|---|---|---|---|"]
    lines += [f"| {row.item} | {row.quantity} | {row.size} | {row.note} |" for row in rows]
    return [*lines, ""]


def cut_list(kit: Kit) -> str:
    """Return what is sawn, cut and printed, as Markdown."""
    sums, measures = totals(kit), kit.measures
    wide, deep, high = measures.outside_mm
    areas = ", ".join(f"{area:.2f} m² of {material}" for material, area in sums.sheet_m2.items())
    lines = [
        f"# {measures.box.name}: cut list",
        "",
        f"Shut, the box is {wide:.0f} x {deep:.0f} x {high:.0f} mm and weighs about {sums.box_g / 1000:.1f} kg. "
        f"It takes {areas}, without waste; {sums.printed_g:.0f} g of PLA, printed solid, and about "
        f"{sums.printing_h:.0f} hours of printing, estimated by volume. Nothing of this has been built yet.",
        "",
    ]
    lines += _table("Sheets", sheet_rows(kit))
    lines += _table("Rods and tubes", bar_rows(kit))
    return "\n".join(lines + _table("Printed parts", printed_rows(kit)))


def shopping_list(kit: Kit) -> str:
    """Return what is bought, as Markdown: "or alike" means what the note says must be equal."""
    lines = [
        f"# {kit.measures.box.name}: shopping list",
        "",
        "Any make with the values of the note will do. Measure one servo before you buy the others (building guide).",
        "",
    ]
    lines += _table("For wood and mechanics", bought_rows(kit))
    return "\n".join(lines + _table("Electrical parts", electrical_rows(kit)))
