"""What a box must keep before anybody saws: what must touch touches, nothing floats, and it can be printed.

All of it is measured at the meshes that are exported. `contacts` lists what must touch, with what the drawing says and
what the bodies do; `faults` is everything that is wrong with a box.
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from build123d import Location, Pos
from shapely import LinearRing, MultiLineString, build_area
from shapely import box as shapely_box
from shapely.affinity import translate

from hardware import hall
from hardware.cad import sweep
from hardware.cad.assembly import SHUT, Placement, Pose
from hardware.cad.bodies import TOUCH_MM3, Bodies, Body, gap_mm, near, shared_mm3
from hardware.cad.fields import MOST_REMANENCE_T, Disc
from hardware.cad.measures import BED_MM, WALL_MM, Measures
from hardware.cad.meshes import Floats, matrix_of
from hardware.cad.parts import marks, sensors, tile
from hardware.column import STOP_MAGNET_GAP_MM, TILE_MM, TRAVEL_DEG
from hardware.tiles import TileId
from hardware.wiring.parts import parts_of
from hardware.wiring.plan import plan_of

LENGTH_MM, ANGLE_DEG = 0.2, 1.0  # how exact a contact must be
_LEAST_PICTURE_MM2 = 5.0  # what is cut of a picture


@dataclass(frozen=True, slots=True)
class Contact:
    """One thing that must be as drawn. `expected` and `measured` in `unit`, within `within`."""

    what: str
    expected: float
    measured: float
    within: float
    unit: str

    @property
    def holds(self) -> bool:
        return abs(self.expected - self.measured) <= self.within

    def __str__(self) -> str:
        return f"{self.what}: {self.measured:.2f} {self.unit}, must be {self.expected:.2f} within {self.within:g}"


def _meets_deg(bodies: Bodies, name: TileId, others: Sequence[Body], free_deg: float, blocked_deg: float) -> float:
    """Return the angle at which a tile meets one of the others, coming from where it is free."""
    for _ in range(14):
        middle = (free_deg + blocked_deg) / 2
        tile = bodies.at(bodies.kit.moving(name, middle)[0])
        if any(shared_mm3(tile, other) > TOUCH_MM3 for other in near(tile, others, 0.0)):
            blocked_deg = middle
        else:
            free_deg = middle
    return (free_deg + blocked_deg) / 2


def contacts(bodies: Bodies) -> Iterator[Contact]:
    """Yield what must touch, tile by tile: expected and measured."""
    measures = bodies.kit.measures
    still = {each.label: bodies.at(each) for each in bodies.kit.still()}
    kinds = {each.label: each.part.rstrip("-0123456789") for each in bodies.kit.still()}

    def of_kind(kind: str) -> list[Body]:
        return [still[label] for label in still if kinds[label] == kind]

    for column, row in itertools.product(range(measures.columns), range(len(measures.rows))):
        name = measures.box.tile_ids[row * measures.columns + column]
        stops = of_kind(("front-stops", "back-stops")[row])
        yield Contact(
            f"{name} stands at its stop", 0.0, _meets_deg(bodies, name, stops, 30.0, -15.0), ANGLE_DEG, "degrees"
        )
        if row == 0:
            below = of_kind("ledge")
        else:
            below = [bodies.at(bodies.kit.moving(measures.box.tile_ids[column], TRAVEL_DEG)[0])]
        yield Contact(f"{name} lies", TRAVEL_DEG, _meets_deg(bodies, name, below, 60.0, 115.0), ANGLE_DEG, "degrees")
        lever = still.get(f"{name} lever")
        if lever is not None:
            yield Contact(
                f"{name} presses its switch",
                sensors.SWITCH_DEG,
                _meets_deg(bodies, name, [lever], 40.0, 0.0),
                2.0,
                "degrees",
            )
        yield from _magnet_contacts(bodies, name, still)
        yield from _rod_contacts(bodies, name, row)


def _magnet_contacts(bodies: Bodies, name: TileId, still: Mapping[str, Body]) -> Iterator[Contact]:
    """Yield gaps and poles of a tile's magnets."""
    kit = bodies.kit
    standing = {each.label: each for each in kit.moving(name, 0.0)}
    lying = {each.label: each for each in kit.moving(name, TRAVEL_DEG)}
    sensor = still[f"{name} shut"]
    magnet = bodies.at(lying[f"{name} magnet"])
    gap = gap_mm(magnet, sensor, 8.0)
    yield Contact(f"{name} lies opposite its Hall sensor", sensors.HALL_GAP_MM, gap, LENGTH_MM, "mm")
    pull = f"{name} back magnet" if f"{name} back magnet" in standing else f"{name} magnet"
    gap = gap_mm(bodies.at(standing[pull]), still[f"{name} stop magnet"], 8.0)
    # The stop's magnet of a front tile is 0.35 mm aside.
    yield Contact(f"{name} stands before its stop's magnet", STOP_MAGNET_GAP_MM, gap, LENGTH_MM, "mm")
    field_mt = sensed_mt(bodies, name)
    typical = hall.field_mt(hall.MAGNET, sensors.HALL_GAP_MM + 0.8, 0.0)
    yield Contact(f"{name}: field at its Hall sensor, south pole ahead", typical, field_mt, 0.25 * typical, "mT")
    torque = stop_torque_nm(bodies, name)
    yield Contact(f"{name}: pull of its stop's magnet", 6.6, -1000 * torque, 1.3, "mN m")


def disc_of(bodies: Bodies, placement: Placement) -> Disc:
    """Return a magnet's disc: its north pole points against y of its placement."""
    matrix = bodies.matrix(placement)
    return Disc(matrix[:3, 3], -matrix[:3, 1])


def sensed_mt(bodies: Bodies, name: TileId) -> float:
    """Return the field of its own magnet at a lying tile's sensor, positive for a south pole before the marked face."""
    lying = {each.label: each for each in bodies.kit.moving(name, TRAVEL_DEG)}
    at, axis = _element(bodies, name)
    return float(disc_of(bodies, lying[f"{name} magnet"]).field_mt(at, hall.MAGNET.remanence_t) @ -axis)


def _element(bodies: Bodies, name: TileId) -> tuple[Floats, Floats]:
    """Return where the element of a tile's Hall sensor is, 0.8 mm behind its marked face, and the way it looks away."""
    matrix = bodies.matrix(next(each for each in bodies.kit.still() if each.label == f"{name} shut"))
    return matrix[:3, 3] + 0.8 * matrix[:3, 1], matrix[:3, 1]


def stop_torque_nm(bodies: Bodies, name: TileId, tile_deg: float = 0.0) -> float:
    """Return the torque of the stop's magnet on the tile, in N m; negative: towards the stop."""
    measures = bodies.kit.measures
    tile = {each.label: each for each in bodies.kit.moving(name, tile_deg)}
    pull = f"{name} back magnet" if f"{name} back magnet" in tile else f"{name} magnet"
    fixed = next(each for each in bodies.kit.still() if each.label == f"{name} stop magnet")
    column, row = measures.tile_at(name)
    about = np.array([measures.column_x_mm(column), *measures.rows[row].axle_mm])
    # A positive turn about x lays the tile.
    return disc_of(bodies, tile[pull]).torque_nm(disc_of(bodies, fixed), about, 1.2)


def _rod_contacts(bodies: Bodies, name: TileId, row: int) -> Iterator[Contact]:
    """Yield the lengths at which the peg meets the ends of the slot, measured at the bodies of rod and peg."""
    rod = bodies.kit.measures.rod(row)
    placed = Placement("rod", f"push-rod-{('front', 'back')[row]}", Location())
    body = bodies.at(placed)
    middle = (rod.least_mm + rod.most_mm) / 2
    for what, expected, way in (("pushes", rod.least_mm, -1.0), ("lifts", rod.most_mm, 1.0)):
        free, blocked = 0.0, (rod.most_mm - rod.least_mm) / 2 + 3.0
        for _ in range(14):
            off = (free + blocked) / 2
            peg = bodies.at(Placement("peg", "peg", Pos(0, middle + way * off, 0)))
            free, blocked = (free, off) if shared_mm3(body, peg) > TOUCH_MM3 else (off, blocked)
        yield Contact(
            f"{name}: length of the rod that {what}", expected, middle + way * (free + blocked) / 2, 0.35, "mm"
        )


def floating(bodies: Bodies) -> list[str]:
    """Return the still parts that nothing holds: each must touch another one, and all of them the floor."""
    placed = [bodies.at(each) for each in bodies.kit.still() if each.part not in ("die", "switch-lever")]
    held = [body for body in placed if body.label == "floor"]
    waiting = [body for body in placed if body.label != "floor"]
    while True:
        found = [body for body in waiting if any(_touches(body, each) for each in near(body, held, LENGTH_MM))]
        if not found:
            return sorted(body.label for body in waiting)
        held += found
        waiting = [body for body in waiting if body not in found]


def _touches(one: Body, other: Body) -> bool:
    return float(one.solid.min_gap(other.solid, LENGTH_MM * 2)) <= LENGTH_MM


def crowded(bodies: Bodies, pose: Pose) -> list[str]:
    """Return the pairs of parts that share room in one pose of the whole box, besides a tile on its switch's lever."""
    placed = [bodies.at(each) for each in bodies.kit.placements(pose)]
    names = {str(name) for name in bodies.kit.measures.box.tile_ids}
    found = []
    for place, one in enumerate(placed):
        for other in near(one, placed[place + 1 :], 0.0):
            if {one.kind, other.kind} & names and "switch-lever" in (one.kind, other.kind):
                continue
            if shared_mm3(one, other) > TOUCH_MM3:
                found.append(f"{one.label}, {other.label}")
    return found


def faults(bodies: Bodies) -> Iterator[str]:
    """Yield everything that is wrong with a box, in words. Takes some seconds."""
    yield from miscounted(bodies.kit.measures, bodies.kit.quantities)
    yield from mismarked(bodies)
    yield from (f"nothing holds {held}" for held in floating(bodies))
    for pose in (Pose(), SHUT, *(Pose(mast_deg=deg, boom_deg=90.0) for deg in (0.0, 20.0, 45.0, 70.0))):
        yield from (f"share room: {pair}" for pair in crowded(bodies, pose))
    yield from (str(contact) for contact in contacts(bodies) if not contact.holds)
    found = sweep.sweep(bodies, fine=False).collisions
    yield from (f"collide while they move: {', '.join(pair)} ({where})" for pair, (_, where) in found.items())


def miscounted(measures: Measures, quantities: Mapping[str, int]) -> list[str]:
    """Return what the model has in another number than the wiring needs, in words."""
    listed = {part.part: part.quantity for part in parts_of(plan_of(measures.box))}
    listed["magnet"] = sum(quantity for part, quantity in listed.items() if part.startswith("Disc magnet"))
    listed["Hall sensor"] = listed[f"Hall sensor {hall.SENSOR.kind}"]
    pairs = [(part, quantities.get(part, 0), listed.get(line, 0)) for part, line in _WIRED.items()]
    return [f"{part}: {there} in the model, {needed} by the wiring" for part, there, needed in pairs if there != needed]


# By part, the line of the wiring's list.
_WIRED = {
    "magnet": "magnet",
    "servo": "Micro servo, analog",
    "hall-sensor": "Hall sensor",
    "limit-switch": "Limit switch",
    "servo-board": "Servo board, PCA9685",
    "expander": "Port expander, MCP23017",
    "marker": "Printed marker",
    "raspberry-pi": "Raspberry Pi 4 or 5",
    "button": "Push button",
    "led": "LED, 3 or 5 mm",
    "speaker": "Piezo sounder",
    "reed-switch": "Reed switch with magnet",
    "field-lamp": "Field lamp",
}


def mismarked(bodies: Bodies) -> Iterator[str]:
    """Yield the tiles whose mark is not there, not upright or another one, measured in a cut through half its depth."""
    thick = TILE_MM[1]
    for name in bodies.kit.measures.box.tile_ids:
        flat = matrix_of(bodies.kit.solids[str(name)].printed)
        lying = bodies.solids[str(name)].transform(flat[:3])
        middle = tile.MARK_Z_MM[name.row - 1]
        window = shapely_box(-TILE_MM[0] / 2 + 1, middle - 9, TILE_MM[0] / 2 - 1, middle + 9)
        rings = lying.slice(thick / 2 - tile.MARK_DEPTH_MM / 2).to_polygons()
        cut = window.difference(build_area(MultiLineString([LinearRing(ring) for ring in rings])))
        mark = bodies.kit.measures.mark_of(name)
        if mark.endswith(".svg"):
            if cut.area < _LEAST_PICTURE_MM2:
                yield f"{name}: its picture {mark} is not there"
            continue
        drawn = translate(marks.outline_of(mark, TILE_MM[0] - 4), 0, middle)
        alike = cut.intersection(drawn).area / max(cut.union(drawn).area, 1e-9)
        if alike < 0.9:
            yield f"{name}: its mark is {100 * alike:.0f} % like the drawn one"


# What makes a part printable.


def thinnest_mm(bodies: Bodies, part: str, rays: int = 3000) -> float:
    """Return the thinnest wall of a part, by rays from its faces to the opposite ones."""
    mesh = bodies.kit.mesh(part)
    points, faces = mesh.sample(rays, return_index=True, seed=1)
    normals = mesh.face_normals[faces]
    starts = points - normals * 1e-3
    ends, rays_at, hit = mesh.ray.intersects_location(starts, -normals, multiple_hits=False)
    opposite = np.einsum("ij,ij->i", mesh.face_normals[hit], normals[rays_at]) < -0.9
    depths = np.linalg.norm(ends - starts[rays_at], axis=1)[opposite]
    return float(depths.min()) if len(depths) else math.inf


def unprintable(bodies: Bodies) -> Iterator[str]:
    """Yield what is wrong with the printed parts: open meshes, too large for the bed, walls that are too thin."""
    for name, solid in bodies.kit.solids.items():
        mesh = bodies.kit.mesh(name)
        if not (mesh.is_watertight and mesh.is_winding_consistent and mesh.volume > 0):
            yield f"{name}: its mesh is not closed"
        if solid.made != "print":
            continue
        size = sorted(mesh.extents)
        if size[2] > BED_MM or size[1] > BED_MM:
            yield f"{name}: {size[2]:.0f} x {size[1]:.0f} mm, more than the bed of {BED_MM:g}"
        thin = thinnest_mm(bodies, name)
        if thin < WALL_MM - 0.02:
            yield f"{name}: a wall of {thin:.2f} mm, less than {WALL_MM:g}"


# Fields of all magnets.


def stray_mt(bodies: Bodies, name: TileId) -> float:
    """Return the most that all other magnets hold the sensor of a standing tile closed with, in mT, at rest.

    Each other tile stands or lies as it is worst; the one behind a standing front tile stands.
    """
    kit, measures = bodies.kit, bodies.kit.measures
    at, axis = _element(bodies, name)
    column, row = measures.tile_at(name)

    def along_mt(placements: Sequence[Placement]) -> float:
        discs = [disc_of(bodies, each) for each in placements if each.part == "magnet"]
        return sum(float(disc.field_mt(at, MOST_REMANENCE_T) @ -axis) for disc in discs)

    total = along_mt(kit.still())
    for other in measures.box.tile_ids:
        other_column, other_row = measures.tile_at(other)
        if abs(other_column - column) > 2:
            continue
        angles = (
            (0.0,) if other == name or (row == 0 and other_row == 1 and other_column == column) else (0.0, TRAVEL_DEG)
        )
        moved = [[each for each in kit.moving(other, deg) if each.label != f"{name} magnet"] for deg in angles]
        total += max(along_mt(each) for each in moved)
    return total
