"""The box put together: every part at its place, for any angles of its tiles and horns."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from build123d import Location, Pos, Rot
from trimesh import Trimesh

from hardware.cad.measures import (
    MAST_PIVOT_MM,
    MAST_TOP_MM,
    MAST_TUBE_MM,
    MAST_X_MM,
    MAST_Y_MM,
    PEG_MM,
    Measures,
    servo_bottom_mm,
)
from hardware.cad.meshes import mesh_of
from hardware.cad.parts import axle, boards, gauges, lid, mast, rod, sensors, servo, tile, tray
from hardware.cad.parts.part import Solid
from hardware.linkage import crank_mm, peg_mm
from hardware.tiles import TileId

_ROW_NAMES = ("front", "back")


@dataclass(frozen=True, slots=True)
class Placement:
    """One part in the box. label: its name there; what has a wire in the profile is called as it is there."""

    label: str
    part: str
    at: Location


@dataclass(frozen=True)
class Pose:
    """The angles of what moves: by tile, its own and its horn's; a tile stands and its horn rests unless they say so.

    lid_deg: 0 is shut. mast_deg: how far the post is folded forward, 90 where it lies. boom_deg: the boom, likewise.
    dice: whether some lie on the baize.
    """

    tiles: Mapping[TileId, float] = field(default_factory=dict)
    horns: Mapping[TileId, float] = field(default_factory=dict)
    lid_deg: float = lid.OPEN_DEG
    mast_deg: float = 0.0
    boom_deg: float = 0.0
    dice: bool = True


SHUT = Pose(lid_deg=0.0, mast_deg=90.0, boom_deg=90.0)


class Kit:
    """All parts of one box, each made once. Making them takes about ten seconds."""

    def __init__(self, measures: Measures) -> None:
        self.measures = measures
        self.solids: dict[str, Solid] = {}
        self._meshes: dict[str, Trimesh] = {}
        self._sheets: list[tuple[str, Location]] = []
        for add in (
            tile.tiles,
            rod.rods,
            servo.servos,
            axle.axles,
            sensors.sensors,
            lid.fittings,
            mast.parts,
            gauges.gauges,
        ):
            self.solids |= add(measures)
        made, placed = tray.sheets(measures)
        self.solids |= made
        self._sheets = [(sheet.name, sheet.at) for sheet in placed]
        made, self._lid = lid.sheets(measures)
        self.solids |= made
        self.solids |= boards.solids(measures)
        self._places = boards.places_of(measures)

    def mesh(self, part: str) -> Trimesh:
        """Return a part's mesh, which is made once."""
        if part not in self._meshes:
            self._meshes[part] = mesh_of(self.solids[part].solid)
        return self._meshes[part]

    @cached_property
    def quantities(self) -> Counter[str]:
        """How many of each part the box has, counted from its assembly; gauges are printed once."""
        counted = Counter(placement.part for placement in self.placements(Pose()))
        counted.update(dict.fromkeys(gauges.gauges(self.measures), 1))
        return counted

    @cached_property
    def fixings(self) -> Counter[str]:
        """How many screws and nuts of each kind the box needs."""
        counted: Counter[str] = Counter()
        for name, quantity in self.quantities.items():
            for fixing, each in self.solids[name].fixings.items():
                counted[fixing] += each * quantity
        return counted

    def placements(self, pose: Pose) -> list[Placement]:
        """Return every part of the box in this pose."""
        found = self.still()
        for name in self.measures.box.tile_ids:
            found += self.moving(name, pose.tiles.get(name, 0.0), pose.horns.get(name))
        found += self._lid_at(pose.lid_deg)
        found += self._mast(pose.mast_deg, pose.boom_deg)
        return [each for each in found if pose.dice or each.part != "die"]

    def still(self) -> list[Placement]:
        """Return the parts that do not move."""
        measures = self.measures
        found = [Placement(name, name, at) for name, at in self._sheets]
        for place, _ in enumerate(measures.segments, 1):
            end = f"-{place}" if len(measures.segments) > 1 else ""
            kinds = ["servo-rail-front", "comb", "front-stops"]
            kinds += ["servo-rail-back", "back-stops", "hall-comb"] if len(measures.rows) == 2 else []
            found += [Placement(kind + end, kind + end, Location()) for kind in kinds]
        found += [Placement(name, name, Location()) for name in ("fixing-arc-left", "fixing-arc-right")]
        for row, drive in enumerate(measures.rows):
            axis = Pos(0, *drive.axle_mm)
            found.append(Placement(f"axle-{_ROW_NAMES[row]}", "axle", axis))
            found += [
                Placement(
                    f"spacer-{_ROW_NAMES[row]}-{place}",
                    "spacer",
                    axis * Pos(measures.column_x_mm(place) - measures.pitch_mm / 2, 0, 0),
                )
                for place in range(measures.columns + 1)
            ]
        for name, wires in measures.box.tiles.items():
            column, row = measures.tile_at(name)
            drive = measures.rows[row]
            axis, side = Pos(measures.column_x_mm(column), *drive.axle_mm), drive.tail_side
            found.append(Placement(f"{name} stop magnet", "magnet", axis * sensors.stop_magnet_at(row, side)))
            found.append(Placement(f"{name} shut", "hall-sensor", axis * sensors.hall_at(row, side)))
            if wires.open is not None:
                found.append(Placement(f"{name} open", "limit-switch", axis * sensors.switch_at(measures, side)))
                found.append(Placement(f"{name} lever", "switch-lever", axis * sensors.switch_at(measures, side)))
            x, y, _ = drive.shaft_mm(measures.horn_mm)
            stands = Pos(measures.column_x_mm(column) + x, y, servo_bottom_mm(drive))
            found.append(Placement(f"{name} servo", "servo", stands * Rot(0, 0, 180 if drive.towards < 0 else 0)))
        found += [Placement(name, part, Pos(*at)) for name, (part, at) in self._places.items()]
        return found + self._fittings()

    def moving(self, name: TileId, tile_deg: float, horn_deg: float | None = None) -> list[Placement]:
        """Return a tile with its magnets, its rod, its horn and its peg. horn_deg: None where it rests."""
        measures = self.measures
        column, row = measures.tile_at(name)
        drive, x = measures.rows[row], measures.column_x_mm(column)
        if horn_deg is None:
            horn_deg = measures.rest_horn_deg(row)
        axis = Pos(x, *drive.axle_mm) * Rot(tile_deg, 0, 0)
        found = [
            Placement(str(name), str(name), axis),
            Placement(f"{name} magnet", "magnet", axis * sensors.tail_magnet_at(row, drive.tail_side)),
        ]
        if row == 1:
            found.append(Placement(f"{name} back magnet", "magnet", axis * sensors.back_magnet_at()))
        crank_y, crank_z = crank_mm(tile_deg)
        start = (x + drive.lane_mm, drive.axle_mm[0] + crank_y, drive.axle_mm[1] + crank_z)
        peg_x, *peg = peg_mm(drive, horn_deg, measures.horn_mm)
        ends = (x + peg_x, *peg)
        way = [end - begin for begin, end in zip(start, ends, strict=True)]
        yaw = math.degrees(math.atan2(-way[0], way[1]))
        pitch = math.degrees(math.atan2(way[2], math.hypot(way[0], way[1])))
        found.append(
            Placement(f"{name} rod", f"push-rod-{_ROW_NAMES[row]}", Pos(*start) * Rot(0, 0, yaw) * Rot(pitch, 0, 0))
        )
        # Its head is on the side away from the tail.
        found.append(
            Placement(f"{name} crank", "crank-head", Pos(*start) * Rot(0, 0, 0 if drive.tail_side > 0 else 180))
        )
        shaft_x, shaft_y, level = drive.shaft_mm(measures.horn_mm)
        turn = -horn_deg if drive.turn > 0 else 180 + horn_deg
        arm = Pos(x + shaft_x, shaft_y, level - PEG_MM) * Rot(0, 0, turn)
        found.append(Placement(f"{name} horn", "horn", arm))
        found += [Placement(f"{name} {part}", part, Pos(*ends)) for part in ("peg", "peg-collar", "peg-head")]
        return found

    def _lid_at(self, open_deg: float) -> list[Placement]:
        at = lid.lid_at(self.measures, open_deg)
        found = [Placement(sheet.name, sheet.name, at * sheet.at) for sheet in self._lid]
        wide, _, _ = self.measures.outside_mm
        found.append(Placement("lid magnet", "lid-magnet", at * Pos(wide / 2 - self.measures.sheet_mm - 2.1, -38, 2.2)))
        found += [
            Placement(f"hinge-leaf-{place}", "hinge-leaf", at * Pos(x, 0, 0))
            for place, x in enumerate((-wide / 3, wide / 3), 1)
        ]
        if open_deg == lid.OPEN_DEG:
            (y0, z0), (y1, z1) = lid.stay_ends(self.measures, open_deg)
            tilt = math.degrees(math.atan2(z1 - z0, y1 - y0))
            found.append(
                Placement(
                    "support-rod", "support-rod", Pos(-wide / 2 + self.measures.sheet_mm + 8, y0, z0) * Rot(tilt, 0, 0)
                )
            )
        return found

    def _fittings(self) -> list[Placement]:
        wide, _, _ = self.measures.outside_mm
        axis = lid.lid_at(self.measures, 0.0)
        found = [
            Placement(f"hinge-{place}", "hinge", axis * Pos(x, 0, 0))
            for place, x in enumerate((-wide / 3, wide / 3), 1)
        ]
        found.append(
            Placement("lid", "reed-switch", axis * Pos(wide / 2 - 2 * self.measures.sheet_mm - 2.6, -38, -5.0))
        )
        return found

    def _mast(self, post_deg: float, boom_deg: float) -> list[Placement]:
        measures = self.measures
        long, reach = measures.mast_mm
        pivot = Pos(MAST_X_MM, MAST_Y_MM, MAST_PIVOT_MM)
        found = [Placement("mast-foot", "mast-foot", Location())]
        post_at = pivot * Rot(post_deg, 0, 0)
        boom_at = post_at * Pos(0, 0, long) * Rot(boom_deg, 0, 0)
        found.append(Placement("mast-post", "mast-post", post_at))
        found.append(Placement("mast-boom", "mast-boom", boom_at))
        lens = boom_at * Pos(-MAST_X_MM, -reach, -MAST_TOP_MM)
        found += [Placement("camera-arm", "camera-arm", lens), Placement("camera", "camera", lens)]
        lamp = boom_at * Pos(-MAST_X_MM, -reach + mast.LAMP_Y_MM, -MAST_TUBE_MM / 2 - mast.LAMP_MM[2])
        found.append(Placement("field lamp", "field-lamp", lamp))
        return found
