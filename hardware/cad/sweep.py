"""One tile moved in every way that rod, horn and stack rule allow, beside its neighbours: does anything collide?

All of it is measured at the meshes that are exported.
"""

import itertools
import math
import random
from dataclasses import dataclass, field

from build123d import Location, Pos

from hardware.cad.assembly import Kit
from hardware.cad.bodies import TOUCH_MM3, Bodies, Body, gap_mm, near, shared_mm3
from hardware.cad.measures import Measures
from hardware.column import TRAVEL_DEG
from hardware.linkage import horn_angles
from hardware.tiles import TileId

# A horn turns so far beyond the ends of its pulses before it comes back: `OVERSHOOT_DEG` of the simulated servo.
_OVERSHOOT_DEG = 6.0
_TILE_STEPS = (0.0, 5.0, 10.0, 16.0, 25.0, 36.0, 50.0, 65.0, 80.0, 90.0, TRAVEL_DEG)
# What touches by its purpose, as pairs of kinds; `contacts` looks at these.
_MEANT = frozenset(
    frozenset(pair)
    for pair in (
        ("tile", "ledge"),
        ("tile", "front-stops"),
        ("tile", "back-stops"),
        ("tile", "switch-lever"),
        ("tile", "axle"),
        ("tile", "spacer"),
        ("tile", "crank-head"),
        ("rod", "peg"),
        ("rod", "peg-head"),
        ("rod", "crank-head"),
        ("horn", "peg"),
        ("horn", "servo"),
        ("peg", "peg-head"),
        ("peg", "peg-collar"),
        ("horn", "peg-collar"),
    )
)


@dataclass(frozen=True, slots=True)
class State:
    """One tile's angle and its horn's, in degrees."""

    tile_deg: float
    horn_deg: float


@dataclass
class Sweep:
    """What a sweep found. least: by pair of kinds, the least clearance in mm and where. poses: pairs of states."""

    least: dict[tuple[str, str], tuple[float, str]] = field(default_factory=dict)
    states: int = 0
    poses: int = 0
    pairs: int = 0

    def note(self, one: Body, other: Body, where: str) -> None:
        self.pairs += 1
        key = tuple(sorted((one.kind, other.kind)))
        clear = gap_mm(one, other)
        if clear < self.least.get((key[0], key[1]), (math.inf, ""))[0]:
            self.least[key[0], key[1]] = clear, f"{one.label}, {other.label}: {where}"

    @property
    def collisions(self) -> dict[tuple[str, str], tuple[float, str]]:
        return {pair: found for pair, found in self.least.items() if found[0] <= 0.0}


def states(measures: Measures, row: int, *, fine: bool = True) -> list[State]:
    """Return what tile and horn can do together: the tile's whole travel, and at each angle its horn's whole play."""
    rod, angles = measures.rod(row), horn_angles(measures.rod(row))
    low, high = angles.shut_deg - _OVERSHOOT_DEG, angles.open_deg + _OVERSHOOT_DEG
    found = []
    for tile_deg in _TILE_STEPS if fine else _TILE_STEPS[::2]:
        pushed, lifted = rod.pushing_horn_deg(tile_deg), rod.lifting_horn_deg(tile_deg)
        ends = max(low, pushed), min(high, lifted)
        rest = angles.rest_deg
        horns = {*ends, *((rest,) if rest is not None else ()), *([sum(ends) / 2] if fine else [])}
        found += [State(tile_deg, horn) for horn in sorted(horns) if rod.allows(tile_deg, horn)]
    return found


def _kind(label: str, part: str, name: TileId) -> str:
    if part == str(name):
        return "tile"
    return "rod" if part.startswith("push-rod") else part.rstrip("-0123456789")


def moving(bodies: Bodies, name: TileId, state: State) -> list[Body]:
    """Return the bodies of one tile and what moves with it; its magnets lie inside it."""
    placed = bodies.kit.moving(name, state.tile_deg, state.horn_deg)
    return [bodies.at(each, _kind(each.label, each.part, name)) for each in placed if each.part != "magnet"]


def _still(bodies: Bodies) -> list[Body]:
    return [bodies.at(each, each.part.rstrip("-0123456789")) for each in bodies.kit.still() if each.part != "die"]


def _meant(one: Body, other: Body) -> bool:
    return frozenset((one.kind, other.kind)) in _MEANT


def sweep(bodies: Bodies, *, fine: bool = True) -> Sweep:
    """Move tiles of three columns against everything: what stands still, their own rod, and all their neighbours."""
    found, still = Sweep(), _still(bodies)
    measures = bodies.kit.measures
    rows = range(len(measures.rows))
    names = {row: measures.box.tile_ids[row * measures.columns :][: measures.columns] for row in rows}
    posed: dict[int, list[tuple[State, list[Body]]]] = {}
    for row in rows:
        chosen = states(measures, row, fine=fine)
        posed[row] = [(state, moving(bodies, names[row][0], state)) for state in chosen]
        found.states += len(chosen)
        for column in (0, measures.columns // 2, measures.columns - 1):
            x = measures.column_x_mm(column) - measures.column_x_mm(0)
            for state, parts in posed[row]:
                for part in (each.moved(x) for each in parts):
                    for other in near(part, still, 1.0):
                        if not _meant(part, other):
                            found.note(part, other, f"column {column + 1}, {state}")
                found.poses += 1
        for state, parts in posed[row]:
            for part, own in itertools.combinations(parts, 2):
                if not _meant(part, own) and near(part, [own], 1.0):
                    found.note(part, own, str(state))
    coarse = {row: [each for each in posed[row] if each[0] in states(measures, row, fine=False)] for row in rows}
    for one_row, other_row in itertools.combinations_with_replacement(rows, 2):
        for (ours, parts), (theirs, others) in itertools.product(coarse[one_row], coarse[other_row]):
            for columns in (-1, 0, 1) if one_row != other_row else (1,):
                neighbours = [each.moved(columns * measures.pitch_mm) for each in others]
                if columns == 0 and shared_mm3(parts[0], neighbours[0]) > TOUCH_MM3:
                    continue  # the stack rule: wood does not go through wood
                found.poses += 1
                for part in parts:
                    for each in near(part, neighbours, 1.0):
                        if columns == 0 and part.kind == each.kind == "tile":
                            continue
                        found.note(part, each, f"{ours} beside {theirs}, {columns} columns off")
    return found


# Boxes as parts are.


def inexact(kit: Kit, rng: random.Random) -> dict[str, Location]:
    """Draw how far the parts of one box are off: printed 0.2 mm, sawn 0.5, rails and combs as they are screwed 0.3."""

    def off(mm: float) -> float:
        return rng.uniform(-mm, mm)

    moved: dict[str, Location] = {}
    for name in kit.solids:
        kind = name.rstrip("-0123456789")
        if kind in ("comb", "front-stops", "back-stops", "hall-comb"):
            moved[name] = Pos(off(0.1), off(0.2), off(0.2))
        elif kind.startswith("servo-rail"):
            moved[name] = Pos(off(0.3), off(0.3), off(0.3))
    moved["ledge"] = Pos(0, off(0.5), off(0.5))
    moved["cover"] = Pos(0, off(0.5), off(0.5))
    return moved


def toleranced(bodies: Bodies, seed: int, poses: int = 10) -> list[str]:
    """Return the collisions of one box whose parts are as inexact as parts are, in poses drawn from its seed."""
    kit, measures, rng = bodies.kit, bodies.kit.measures, random.Random(f"wood/{seed}")
    other = bodies.wrong(moved=inexact(kit, rng))
    still = _still(other)
    column = rng.randrange(measures.columns - 1)
    found: list[str] = []
    # Each tile's stop, axle, rod and spline.
    spare = {
        name: (
            rng.uniform(-1, 1),
            Pos(rng.uniform(-0.1, 0.1), rng.uniform(-0.2, 0.2), rng.uniform(-0.2, 0.2)),
            rng.uniform(-3, 3),
        )
        for name in measures.box.tile_ids
    }
    for _ in range(poses):
        chosen: dict[TileId, list[Body]] = {}
        for row, place in itertools.product(range(len(measures.rows)), (column, column + 1)):
            name = measures.box.tile_ids[row * measures.columns + place]
            state = rng.choice(states(measures, row))
            stop, shift, spline = spare[name]
            tile_deg = min(TRAVEL_DEG, max(0.0, state.tile_deg + stop))
            parts = moving(other, name, State(tile_deg, state.horn_deg + spline))
            chosen[name] = [Body(each.label, each.kind, each.solid.translate(tuple(shift.position))) for each in parts]
        for (one_name, one), (two_name, two) in itertools.combinations(chosen.items(), 2):
            same = measures.tile_at(one_name)[0] == measures.tile_at(two_name)[0]
            if same and shared_mm3(one[0], two[0]) > TOUCH_MM3:
                chosen[two_name] = []
                continue
            for part in one:
                found += [
                    f"{part.label}, {each.label}"
                    for each in near(part, two, 0.0)
                    if not (same and part.kind == each.kind == "tile") and shared_mm3(part, each) > TOUCH_MM3
                ]
        for parts in chosen.values():
            for part in parts:
                found += [
                    f"{part.label}, {each.label}"
                    for each in near(part, still, 0.0)
                    if not _meant(part, each) and shared_mm3(part, each) > TOUCH_MM3
                ]
    return sorted(set(found))
