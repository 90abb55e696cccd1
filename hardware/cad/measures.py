"""The measures of a box in wood, from its profile. Plain numbers: nothing here needs the extra `cad`.

Lengths in mm. x points to the right as the player sees it, y to the back, z up; the origin lies in the axle of the
front row, in the middle of the box. `hardware/column.py` has the measures of one column.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from hardware.box import Box
from hardware.column import BACK, FRONT, HORN_MM, TILE_MM, Row
from hardware.linkage import Link, Rod, horn_angles, rod_of
from hardware.tiles import TileId

# A printer of 220 mm prints the combs of nine columns in one piece.
BED_MM = 220.0
WALL_MM = 1.2  # the thinnest wall of a printed part: three lines of a 0.4 mm nozzle
LEDGE_FROM_MM, LEDGE_TO_MM = -10.0, -76.0  # y of the ledge: the gap behind it is narrower than a die
BAIZE_Z_MM = -20.0
FLOOR_Z_MM = -53.0  # the top of the floor: 1 mm under the front servos
WALL_TOP_MM = 66.0
REAR_MM = 88.0  # y of the rear wall's inside: behind the back servos, and room for the folded mast
LID_ROOM_MM = 28.0  # the folded mast lies over the tiles, inside the lid
ARC_MM = 4.0  # thickness of the fixing arcs
BESIDE_ROW_MM = 10.5  # at least, from the outer column to the wall: fixing arc and servo
PEG_MM = 6.5  # from the horn's arm up to the middle of the rod
SERVO_MM = 30.5  # from the servo's bottom to the top of its horn's arm (A)
TABS_MM = 15.9  # from the servo's bottom to the lower side of its tabs (A)
MAST_Y_MM, MAST_PIVOT_MM = 69.0, 76.0
MAST_X_MM = -23.0  # the folded camera lies beside the post
MAST_TUBE_MM, MAST_TUBE_WALL_MM = 15.0, 1.5
MAST_TOP_MM = 10.0  # from the lens up to the middle of the boom


class NotInWood(ValueError):
    """The profile describes a box that cannot be built in this way."""


@dataclass(frozen=True)
class Measures:
    """One box in wood. Immutable; made by `measures_of`.

    rows: how each row is driven, front first. link: the kind of its push-rods. columns, pitch_mm: of the rows.
    sheet_mm, thin_mm: thick and thin sheets. kerf_mm: of the laser or saw.
    field_mm: width and depth of the baize. marker_mm, marker_margin_mm: of its markers. die_mm: edge of a die.
    camera_mm: the lens over the baize.
    """

    box: Box
    rows: tuple[Row, ...]
    link: Link
    columns: int
    pitch_mm: float
    sheet_mm: float
    thin_mm: float
    kerf_mm: float
    field_mm: tuple[float, float]
    marker_mm: float
    marker_margin_mm: float
    die_mm: float
    camera_mm: float

    @property
    def tile_width_mm(self) -> float:
        return TILE_MM[0]

    @property
    def spacer_mm(self) -> float:
        return self.pitch_mm - self.tile_width_mm

    @property
    def row_mm(self) -> float:
        return self.columns * self.pitch_mm

    @property
    def inside_mm(self) -> tuple[float, float]:
        """Width and depth of the tray inside."""
        width = max(self.field_mm[0], self.row_mm + 2 * BESIDE_ROW_MM)
        return width, REAR_MM - self.field_y_mm[0]

    @property
    def field_y_mm(self) -> tuple[float, float]:
        """Near and far edge of the baize."""
        return LEDGE_TO_MM - self.field_mm[1], LEDGE_TO_MM

    @property
    def outside_mm(self) -> tuple[float, float, float]:
        """Width, depth and height of the shut box."""
        width, depth = self.inside_mm
        height = WALL_TOP_MM - FLOOR_Z_MM + LID_ROOM_MM + 2 * self.sheet_mm
        return width + 2 * self.sheet_mm, depth + 2 * self.sheet_mm, height

    @property
    def arc_mm(self) -> float:
        """x of the inner faces of the fixing arcs."""
        return (self.row_mm + self.spacer_mm) / 2 + 0.2

    @property
    def screen_y_mm(self) -> float:
        """y of the screen behind the rows: a die does not fit between it and the last tile's upper edge."""
        return self.rows[-1].axle_mm[0] + 18.0

    @property
    def cover_z_mm(self) -> float:
        """The lower side of the cover behind the rows: a back rod that lifts its tile rises behind its peg."""
        return self.rows[-1].axle_mm[1] + (6.2 if len(self.rows) == 2 else 3.2)

    @property
    def segments(self) -> tuple[tuple[int, ...], ...]:
        """The columns (from 0) of each printed comb, from the left."""
        count = -(-int(self.row_mm + 2 * 6.0 + 1) // int(BED_MM))
        each, rest = divmod(self.columns, count)
        ends = [sum(each + (place < rest) for place in range(upto)) for upto in range(count + 1)]
        return tuple(tuple(range(one, other)) for one, other in pairwise(ends))

    def column_x_mm(self, column: int) -> float:
        """Return x of the middle of a column, from 0."""
        return (column - (self.columns - 1) / 2) * self.pitch_mm

    def tile_at(self, tile: TileId) -> tuple[int, int]:
        """Return a tile's column and row, both from 0."""
        return tile.column(self.columns) - 1, tile.row - 1

    def mark_of(self, tile: TileId) -> str:
        """Return what a tile bears: its number, or what the profile says instead."""
        return self.box.wood.marks.get(tile, str(tile.number))

    def rod(self, row: int) -> Rod:
        """Return the push-rod of a row, from 0."""
        return rod_of(self.rows[row], self.link)

    @property
    def horn_mm(self) -> float:
        """From a shaft to its peg."""
        return self.rod(0).horn_mm

    def rest_horn_deg(self, row: int) -> float:
        """Return the horn's angle in the drawing: at rest, or of a rigid rod whose tile stands."""
        angles = horn_angles(self.rod(row))
        return angles.open_deg if angles.rest_deg is None else angles.rest_deg

    @cached_property
    def mast_mm(self) -> tuple[float, float]:
        """Length of the post from its pivot to the boom's middle, and of the boom to the middle of the field."""
        near, far = self.field_y_mm
        return BAIZE_Z_MM + self.camera_mm + MAST_TOP_MM - MAST_PIVOT_MM, MAST_Y_MM - (near + far) / 2


def measures_of(box: Box) -> Measures:
    """Return the measures of a profile's box. Raises `NotInWood` with what it lacks."""
    if box.kind != "numbers" or box.rows > 2:
        what = "one row of dominoes" if box.kind == "dominoes" else f"{box.rows} rows"
        raise NotInWood(
            f"{box.name}: {what} cannot be built yet: servos stand in front of the first row and behind the second, "
            "and no side is left for others; one or two rows of up to 12 numbers can"
        )
    if box.columns > 12:
        raise NotInWood(f"{box.name}: a row of {box.columns} is too wide for a tray; up to 12 columns can be built")
    wood, field = box.wood, box.field
    back = replace(BACK, axle_mm=(wood.row_distance_mm, BACK.axle_mm[1]))
    rows = (FRONT, back)[: box.rows]
    measures = Measures(
        box=box,
        rows=rows if wood.servo_turn == "left" else tuple(row.mirrored for row in rows),
        link=box.motion.link,
        columns=box.columns,
        pitch_mm=wood.pitch_mm,
        sheet_mm=wood.sheet_mm,
        thin_mm=wood.thin_mm,
        kerf_mm=wood.kerf_mm,
        field_mm=(field.width_mm, field.depth_mm),
        marker_mm=field.marker_mm,
        marker_margin_mm=field.marker_margin_mm,
        die_mm=box.die_mm,
        camera_mm=box.camera.height_mm,
    )
    post_mm, boom_mm = measures.mast_mm
    room_mm = MAST_Y_MM - measures.field_y_mm[0] - MAST_TUBE_MM
    if not 150.0 <= post_mm <= room_mm or boom_mm > post_mm:
        least, most = (each - BAIZE_Z_MM - MAST_TOP_MM + MAST_PIVOT_MM for each in (max(150.0, boom_mm), room_mm))
        raise NotInWood(
            f"{box.name}: camera.height_mm is {box.camera.height_mm:g}: the mast folds into the lid from {least:.0f} "
            f"to {most:.0f} mm"
        )
    return measures


def servo_bottom_mm(row: Row) -> float:
    """Return z of the bottom of a row's servos."""
    return row.shaft_mm(HORN_MM)[2] - PEG_MM - SERVO_MM
