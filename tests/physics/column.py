"""A column of two tiles in MuJoCo: tiles, tails and rods as the solids of the drawing, servos, hands, and a die.

MuJoCo's axes: x to the right, y to the player, z up, the origin in the axle of the front tile. Columns do not touch one
another: tiles of 21 mm stand at a pitch of 23.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

import mujoco
import numpy as np

from tests.physics.magnets import torque_nm
from tests.physics.measures import CRANK_MM, STALL_NM, ColumnMeasures, Rod, TileMeasures

TRAVEL_DEG, _LEAN_DEG = 95.0, 5.0
EDGE_MM = 54.0  # from the axle to the tile's upper edge, where hands push
_STEP_S = 0.0005
_HORN_MM = {"slot": 14.0, "rigid": 10.5}
_BESIDE = 0.85  # the rod's lane lies this part of the horn beside the shaft
_LANE_MM = 1.5  # of each rod, beside the middle
_PLA, _NEODYMIUM = 1240, 7500  # kg/m3
_SPARE_MM = 1.5  # of the slot, at each end, while the horn rests
REST_HORN_DEG = -14.0
_TIPPED_DEG = 25.0  # no tile comes back from there
# A column in which everything has been this slow for this long is at rest.
_STILL_RAD_S, _STILL_S = 2e-3, 0.03


@dataclass(frozen=True, slots=True)
class _Row:
    """Where a row's axle and its servos' shafts are (y, z), and on which side of the middle its rod runs."""

    name: str
    axle_mm: tuple[float, float]
    shaft_mm: tuple[float, float]
    side: int
    colour: str


# The axle of the back row lies behind and above that of the front row; its servos stand behind the rows.
_ROWS = (
    _Row("front", (0.0, 0.0), (36.0, -14.0), 1, ".87 .72 .48 1"),
    _Row("back", (-20.0, 6.3), (-58.0, 0.3), -1, ".7 .45 .28 1"),
)


def _m(*mm: float) -> str:
    return " ".join(f"{each / 1000:.9g}" for each in mm)


def _tile_xml(row: _Row, measures: TileMeasures) -> str:
    lean, ahead = math.radians(_LEAN_DEG), math.radians(30.0)
    along, down = math.sin(ahead), -math.cos(ahead)
    half, plastic = EDGE_MM / 2, _PLA * measures.weight
    tail_mm = -6.75 * row.side
    return f"""
    <body name="{row.name}" pos="{_m(0, *row.axle_mm)}">
      <joint name="{row.name}" axis="-1 0 0" range="{measures.stop_deg} 110" limited="true" damping="1e-5"
        frictionloss="{measures.axle_friction_nm}" solreflimit="0.004 1"/>
      <geom name="{row.name}" type="box" size="{_m(10.5, 3, half)}" euler="{_LEAN_DEG} 0 0" density="{plastic}"
        pos="{_m(0, -half * math.sin(lean), half * math.cos(lean))}" rgba="{row.colour}"/>
      <geom type="box" size="{_m(3.75, 2.5, 9.5)}" euler="30 0 0" pos="{_m(tail_mm, 12.5 * along, 12.5 * down)}"
        density="{plastic}" contype="0" conaffinity="0"/>
      <geom type="cylinder" size="{_m(2.5, 1)}" euler="120 0 0" pos="{_m(tail_mm, 18 * along, 18 * down)}"
        density="{_NEODYMIUM}" contype="0" conaffinity="0"/>
      <site name="{row.name} crank" pos="{_m(-_LANE_MM * row.side, CRANK_MM * along, CRANK_MM * down)}"/>
    </body>"""


def _servo_xml(row: _Row, measures: TileMeasures, horn_mm: float) -> str:
    shaft_mm = row.side * (_BESIDE * horn_mm - _LANE_MM)
    return f"""
    <body name="{row.name} horn" pos="{_m(shaft_mm, *row.shaft_mm)}">
      <joint name="{row.name} horn" axis="0 0 {-row.side}" range="-90 90" limited="true"
        frictionloss="{measures.gear_friction_nm}" armature="{measures.inertia_kg_m2}"
        solreffriction="0.002 1" solimpfriction="0.9999 0.9999 0.001"/>
      <geom type="capsule" size="0.002" fromto="0 0 0 {_m(-row.side * horn_mm, 0, 0)}" mass="6e-4"
        contype="0" conaffinity="0"/>
      <site name="{row.name} peg" pos="{_m(-row.side * horn_mm, 0, 0)}"/>
    </body>"""


# Its middle lies 30 mm from the axle.
_DIE_XML = """
    <body name="die" pos="0 0.030 0.0051">
      <freejoint/>
      <geom name="die" type="box" size="0.008 0.008 0.008" mass="0.0048" friction="0.4"/>
    </body>"""


def _rod_xml(row: _Row) -> str:
    return f"""
    <spatial name="{row.name}" limited="true" range="0.001 1" solreflimit="0.002 1">
      <site site="{row.name} crank"/><site site="{row.name} peg"/>
    </spatial>"""


def _motor_xml(row: _Row, measures: TileMeasures) -> str:
    return f"""
    <position name="{row.name}" joint="{row.name} horn" kp="{measures.proportional_nm}"
      forcerange="{-STALL_NM} {STALL_NM}"/>"""


def _column_xml(measures: ColumnMeasures, *, die: bool) -> str:
    horn_mm = _HORN_MM[measures.rod]
    pairs = tuple((row, measures[place]) for place, row in enumerate(_ROWS))
    bodies = "".join(_tile_xml(row, each) + _servo_xml(row, each, horn_mm) for row, each in pairs)
    return f"""<mujoco>
  <compiler angle="degree"/>
  <option timestep="{_STEP_S}" integrator="implicitfast" cone="elliptic"/>
  <default><geom solref="0.004 0.8" friction="0.35"/></default>
  <worldbody>
    <body euler="{-measures.ledge_deg} 0 0">
      <geom name="ledge" type="box" size="{_m(11, 27, 1.5)}" pos="{_m(0, 37, -4.5)}" rgba=".35 .55 .35 1"/>
    </body>{bodies}{_DIE_XML if die else ""}
  </worldbody>
  <tendon>{"".join(_rod_xml(row) for row in _ROWS)}</tendon>
  <actuator>{"".join(_motor_xml(*pair) for pair in pairs)}</actuator>
</mujoco>"""


@lru_cache
def _rods_mm(rod: Rod) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the least and the greatest distance of crank pin and horn peg, by row, as the drawing has them.

    A slot leaves the tile free over its whole travel while the horn rests, with some spare. A rigid rod is as long as
    brings both ends of the travel equally far from the middle of the horn.
    """
    drawing = Column(ColumnMeasures(rod=rod), is_drawing=True)
    ranges = []
    for row in (0, 1):
        if rod == "slot":
            ends = [drawing.rod_mm(row, tile_deg, REST_HORN_DEG) for tile_deg in (0.0, TRAVEL_DEG)]
            ranges.append((min(ends) - _SPARE_MM, max(ends) + _SPARE_MM))
        else:
            horns = np.arange(-75.0, 75.0, 0.05)
            stands, lies = ([drawing.rod_mm(row, tile, horn) for horn in horns] for tile in (0.0, TRAVEL_DEG))
            # The horn's angle at both ends, for each length; the longer the rod, the farther the front's horn.
            order = 1 if stands[0] < stands[-1] else -1
            lengths = np.arange(max(min(stands), min(lies)), min(max(stands), max(lies)), 0.02)
            ends_deg = [np.interp(lengths, each[::order], horns[::order]) for each in (stands, lies)]
            length = float(lengths[np.argmin(np.abs(ends_deg[0] + ends_deg[1]))])
            ranges.append((length, length))
    return ranges[0], ranges[1]


class Column:
    """One column, moved by its servos, by its magnets and by hands. Rows: 0 is the front tile's, 1 the back tile's.

    hands_n: by row, the force at the upper edge of its tile, square to it; positive presses it down.
    most_gear_nm: by row, the highest torque of its rod on the servo's gears while a hand was at the column.
    """

    def __init__(self, measures: ColumnMeasures, *, die: bool = False, is_drawing: bool = False) -> None:
        self.measures = measures
        self._tiles = (measures[0], measures[1])
        self.model = mujoco.MjModel.from_xml_string(_column_xml(measures, die=die))
        self.data = mujoco.MjData(self.model)
        names = [row.name for row in _ROWS]
        self._tile_at = [self.model.joint(name).dofadr[0] for name in names]
        self._horn_at = [self.model.joint(f"{name} horn").dofadr[0] for name in names]
        # Set here, since MuJoCo takes no negative derivative part from a description.
        self.model.actuator_biasprm[:, 2] = [-tile.derivative_nm_s() for tile in self._tiles]
        self._gains = self.model.actuator_gainprm.copy(), self.model.actuator_biasprm.copy()
        self.hands_n = [0.0, 0.0]
        self.most_gear_nm = [0.0, 0.0]
        self._goals_deg: list[float | None] = [0.0, 0.0]
        self._moved_s = 0.0
        if is_drawing:
            return
        for row, (least, most) in enumerate(_rods_mm(measures.rod)):
            tile = self._tiles[row]
            half = tile.loose_mm / 2
            self.model.tendon_range[row] = (least + tile.rod_mm - half) / 1000, (most + tile.rod_mm + half) / 1000
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
        horn_deg = REST_HORN_DEG
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
