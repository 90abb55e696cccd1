"""A column of two tiles in MuJoCo: tiles, tails and rods as the solids of the drawing, servos, hands, and a die.

The measures and MuJoCo's axes are those of `hardware/column.py`. Columns do not touch one another: tiles of 21 mm stand
at a pitch of 23.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager

import mujoco
import numpy as np

from hardware import hall
from hardware.column import (
    CRANK_MM,
    LEAN_DEG,
    NEODYMIUM_KG_M3,
    PLA_KG_M3,
    ROWS,
    TAIL_AHEAD_DEG,
    TAIL_MM,
    TILE_MM,
    TRAVEL_DEG,
    Row,
)
from hardware.linkage import rod_of
from tests.physics.magnets import torque_nm
from tests.physics.measures import STALL_NM, ColumnMeasures, TileMeasures

EDGE_MM = TILE_MM[2]  # from the axle to the tile's upper edge, where hands push
_STEP_S = 0.0005
_TIPPED_DEG = 25.0  # no tile comes back from there
# A column in which everything has been this slow for this long is at rest.
_STILL_RAD_S, _STILL_S = 2e-3, 0.03


_NAMES = ("front", "back")


def _m(*mm: float) -> str:
    return " ".join(f"{each / 1000:.9g}" for each in mm)


def _tile_xml(name: str, row: Row, measures: TileMeasures) -> str:
    lean, ahead = math.radians(LEAN_DEG), math.radians(TAIL_AHEAD_DEG)
    # Along the tail, from the axle.
    y, z = -math.sin(ahead), -math.cos(ahead)
    (wide, thick, high), (tail_wide, tail_thick, tail_long) = TILE_MM, TAIL_MM
    begins = high / 2, thick / 2  # the hub is the tile's own
    middle = (tail_long + begins[1]) / 2
    tail_mm = row.tail_side * (wide - tail_wide) / 2
    plastic = PLA_KG_M3 * measures.weight
    radius, height = hall.MAGNET.diameter_mm / 2, hall.MAGNET.height_mm
    return f"""
    <body name="{name}" pos="{_m(0, *row.axle_mm)}">
      <joint name="{name}" axis="1 0 0" range="{measures.stop_deg} 110" limited="true" damping="1e-5"
        frictionloss="{measures.axle_friction_nm}" solreflimit="0.004 1"/>
      <geom name="{name}" type="box" size="{_m(wide / 2, thick / 2, high / 2)}" euler="{-LEAN_DEG} 0 0"
        density="{plastic}" pos="{_m(0, begins[0] * math.sin(lean), begins[0] * math.cos(lean))}"/>
      <geom type="box" size="{_m(tail_wide / 2, tail_thick / 2, (tail_long - begins[1]) / 2)}"
        euler="{-TAIL_AHEAD_DEG} 0 0" pos="{_m(tail_mm, middle * y, middle * z)}"
        density="{plastic}" contype="0" conaffinity="0"/>
      <geom type="cylinder" size="{_m(radius, height / 2)}" euler="{90 - TAIL_AHEAD_DEG} 0 0"
        pos="{_m(tail_mm, hall.AXLE_MM * y, hall.AXLE_MM * z)}"
        density="{NEODYMIUM_KG_M3}" contype="0" conaffinity="0"/>
      <site name="{name} crank" pos="{_m(row.lane_mm, CRANK_MM * y, CRANK_MM * z)}"/>
    </body>"""


def _servo_xml(name: str, row: Row, measures: TileMeasures, horn_mm: float) -> str:
    return f"""
    <body name="{name} horn" pos="{_m(*row.shaft_mm(horn_mm))}">
      <joint name="{name} horn" axis="0 0 -1" range="-90 90" limited="true"
        frictionloss="{measures.gear_friction_nm}" armature="{measures.inertia_kg_m2}"
        solreffriction="0.002 1" solimpfriction="0.9999 0.9999 0.001"/>
      <geom type="capsule" size="0.002" fromto="0 0 0 {_m(horn_mm, 0, 0)}" mass="6e-4"
        contype="0" conaffinity="0"/>
      <site name="{name} peg" pos="{_m(horn_mm, 0, 0)}"/>
    </body>"""


# Its middle lies 30 mm from the axle.
_DIE_XML = """
    <body name="die" pos="0 -0.030 0.0051">
      <freejoint/>
      <geom name="die" type="box" size="0.008 0.008 0.008" mass="0.0048" friction="0.4"/>
    </body>"""


def _rod_xml(name: str) -> str:
    return f"""
    <spatial name="{name}" limited="true" range="0.001 1" solreflimit="0.002 1">
      <site site="{name} crank"/><site site="{name} peg"/>
    </spatial>"""


def _motor_xml(name: str, measures: TileMeasures) -> str:
    return f"""
    <position name="{name}" joint="{name} horn" kp="{measures.proportional_nm}"
      forcerange="{-STALL_NM} {STALL_NM}"/>"""


def _column_xml(measures: ColumnMeasures, *, die: bool) -> str:
    tiles = [(name, row, measures[place]) for place, (name, row) in enumerate(zip(_NAMES, ROWS, strict=True))]
    bodies = "".join(
        _tile_xml(name, row, tile) + _servo_xml(name, row, tile, rod_of(row, measures.rod).horn_mm)
        for name, row, tile in tiles
    )
    return f"""<mujoco>
  <compiler angle="degree"/>
  <option timestep="{_STEP_S}" integrator="implicitfast" cone="elliptic"/>
  <default><geom solref="0.004 0.8" friction="0.35"/></default>
  <worldbody>
    <body euler="{measures.ledge_deg} 0 0">
      <geom name="ledge" type="box" size="{_m(11, 27, 1.5)}" pos="{_m(0, -37, -4.5)}"/>
    </body>{bodies}{_DIE_XML if die else ""}
  </worldbody>
  <tendon>{"".join(map(_rod_xml, _NAMES))}</tendon>
  <actuator>{"".join(_motor_xml(name, tile) for name, _, tile in tiles)}</actuator>
</mujoco>"""


class Column:
    """One column, moved by its servos, by its magnets and by hands. Rows: 0 is the front tile's, 1 the back tile's.

    hands_n: by row, the force at the upper edge of its tile, square to it; positive presses it down.
    most_gear_nm: by row, the highest torque of its rod on the servo's gears while a hand was at the column.
    """

    def __init__(self, measures: ColumnMeasures, *, die: bool = False) -> None:
        self.measures = measures
        self._tiles = (measures[0], measures[1])
        self.model = mujoco.MjModel.from_xml_string(_column_xml(measures, die=die))
        self.data = mujoco.MjData(self.model)
        self._tile_at = [self.model.joint(name).dofadr[0] for name in _NAMES]
        self._horn_at = [self.model.joint(f"{name} horn").dofadr[0] for name in _NAMES]
        # Set here, since MuJoCo takes no negative derivative part from a description.
        self.model.actuator_biasprm[:, 2] = [-tile.derivative_nm_s() for tile in self._tiles]
        self._gains = self.model.actuator_gainprm.copy(), self.model.actuator_biasprm.copy()
        self.hands_n = [0.0, 0.0]
        self.most_gear_nm = [0.0, 0.0]
        self._goals_deg: list[float | None] = [0.0, 0.0]
        self._moved_s = 0.0
        for row, tile in enumerate(self._tiles):
            rod = rod_of(ROWS[row], measures.rod)
            least, most = rod.least_mm + tile.rod_mm, rod.most_mm + tile.rod_mm
            half = tile.loose_mm / 2
            self.model.tendon_range[row] = (least - half) / 1000, (most + half) / 1000
            self.aim(row, None)
            self.place(row, tile.stop_deg)

    # The state. Tiles and horns come first among MuJoCo's joints, so that places and speeds have the same index.

    def tile_deg(self, row: int) -> float:
        return math.degrees(self.data.qpos[self._tile_at[row]])

    def horn_deg(self, row: int) -> float:
        return math.degrees(self.data.qpos[self._horn_at[row]])

    def horn_deg_s(self, row: int) -> float:
        return math.degrees(self.data.qvel[self._horn_at[row]])

    def rod_mm(self, row: int, tile_deg: float, horn_deg: float) -> float:
        """Return the distance of crank pin and horn peg at these angles, where tile and horn then are."""
        self.data.qpos[self._tile_at[row]] = math.radians(tile_deg)
        self.data.qpos[self._horn_at[row]] = math.radians(horn_deg)
        mujoco.mj_fwdPosition(self.model, self.data)
        return 1000 * float(self.data.ten_length[row])

    def weight_nm(self, row: int, tile_deg: float) -> float:
        """Return the torque by which its weight turns a tile down at this angle."""
        with self.trial():
            self.data.qpos[self._tile_at[row]] = math.radians(tile_deg)
            self.data.qvel[:] = 0.0
            mujoco.mj_forward(self.model, self.data)
            return -float(self.data.qfrc_bias[self._tile_at[row]])

    def place(self, row: int, tile_deg: float) -> None:
        """Put the tile there, at rest, and the horn where it rests (slot) or where the rod brings it (rigid)."""
        horn_deg = ROWS[row].rest_horn_deg
        if self.measures.rod == "rigid":
            length_mm = 500 * float(self.model.tendon_range[row].sum())
            horns = np.arange(-75.0, 75.0, 0.05)
            horn_deg = float(min(horns, key=lambda each: abs(self.rod_mm(row, tile_deg, each) - length_mm)))
        self.rod_mm(row, tile_deg, horn_deg)
        self.data.qvel[[self._tile_at[row], self._horn_at[row]]] = 0.0
        self.wake()

    # The servo.

    def aim(self, row: int, horn_deg: float | None) -> None:
        """Let the servo turn its horn there, or (None) release it: its motor is off, and its gears rub."""
        if horn_deg == self._goals_deg[row]:
            return
        self._goals_deg[row] = horn_deg
        is_on = horn_deg is not None
        for values, drawn in zip((self.model.actuator_gainprm, self.model.actuator_biasprm), self._gains, strict=True):
            values[row] = drawn[row] if is_on else 0.0
        # Back-EMF brakes a motor under voltage alone: the bridge of a released one is open (A).
        self.model.dof_damping[self._horn_at[row]] = self._tiles[row].back_emf_nm_s if is_on else 0.0
        if horn_deg is not None:
            self.data.ctrl[row] = math.radians(horn_deg)
        self.wake()

    def motor_nm(self, row: int) -> float:
        """Return the torque of the motor at the horn; a motor that is held up has all of its stall."""
        drive = float(self.data.actuator_force[row])
        return drive - float(self.model.dof_damping[self._horn_at[row]] * self.data.qvel[self._horn_at[row]])

    def gear_nm(self, row: int) -> float:
        """Return the torque of the rod on the horn: that of its constraints without the friction of its gears."""
        horn, data = self._horn_at[row], self.data
        rubs = (data.efc_type == mujoco.mjtConstraint.mjCNSTR_FRICTION_DOF) & (data.efc_id == horn)
        return abs(float(data.qfrc_constraint[horn] - data.efc_force[rubs].sum()))

    # Time.

    def wake(self) -> None:
        self._moved_s = self.data.time

    @property
    def is_still(self) -> bool:
        return bool(self.data.time - self._moved_s > _STILL_S)

    def step(self, seconds: float, strength: float = 1.0) -> None:
        """Let time pass in steps of 0.5 ms. strength: the part of its voltage that the supply still has."""
        model, data = self.model, self.data
        stall_nm = STALL_NM * strength
        model.actuator_forcerange[:] = (-stall_nm, stall_nm)
        for _ in range(max(1, round(seconds / _STEP_S))):
            for row, tile in enumerate(self._tiles):
                from_stop_deg = math.degrees(data.qpos[self._tile_at[row]]) - tile.stop_deg
                data.qfrc_applied[self._tile_at[row]] = (
                    torque_nm(from_stop_deg, tile.magnet_gap_tenths_mm) + self.hands_n[row] * EDGE_MM / 1000
                )
            mujoco.mj_step(model, data)
            if any(self.hands_n):
                self.most_gear_nm = [max(most, self.gear_nm(row)) for row, most in enumerate(self.most_gear_nm)]
        if abs(data.qvel).max() > _STILL_RAD_S or any(self.hands_n):
            self._moved_s = data.time

    # Hands.

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Undo at the end whatever moves meanwhile."""
        spec = mujoco.mjtState.mjSTATE_INTEGRATION
        state = np.empty(mujoco.mj_stateSize(self.model, spec))
        mujoco.mj_getState(self.model, self.data, state, spec)
        moved_s = self._moved_s
        yield
        self.hands_n = [0.0, 0.0]
        mujoco.mj_setState(self.model, self.data, state, spec)
        mujoco.mj_forward(self.model, self.data)
        self._moved_s = moved_s

    def tips(self, row: int, newtons: float, within_s: float) -> bool:
        """Return whether a hand with this force (positive: down) tips the tile, past where it would come back."""
        with self.trial():
            begun_s, begun_deg = self.data.time, self.tile_deg(row)
            self.hands_n[row] = newtons
            while abs(self.tile_deg(row) - begun_deg) < _TIPPED_DEG and self.data.time < begun_s + within_s:
                self.step(_STEP_S)
            return abs(self.tile_deg(row) - begun_deg) >= _TIPPED_DEG

    def tipping_n(self, row: int, *, down: bool) -> float:
        """Return the least force, to 5 mN, of a slow hand that moves the tile away from where it is."""
        least, most = 0.0, 1.5
        while most - least > 0.005:
            middle = (least + most) / 2
            least, most = (least, middle) if self.tips(row, middle if down else -middle, 0.5) else (middle, most)
        return most

    def flick(self, row: int, seconds: float) -> float:
        """Let a hand lay a standing tile in this time; return the highest torque on its gears, in N m."""
        self.most_gear_nm = [0.0, 0.0]
        steps = round(seconds / _STEP_S)
        for step in range(steps):
            part = step / steps
            ahead = math.radians(TRAVEL_DEG * part * part * (3 - 2 * part) - self.tile_deg(row))
            torque_nm = 3.0 * ahead - 0.002 * float(self.data.qvel[self._tile_at[row]])
            self.hands_n[row] = max(-2.0, min(2.0, torque_nm)) / EDGE_MM * 1000
            self.step(_STEP_S)
        self.hands_n[row] = 0.0
        return self.most_gear_nm[row]
