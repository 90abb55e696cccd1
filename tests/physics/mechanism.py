"""The mechanics of a box by MuJoCo, behind the world's wires: the firmware cannot tell it from `hardware/sim`.

What a servo makes of its pulses, when sensors and switches answer, and what is remembered of loads stays that of
`hardware/sim`; what moves horns and tiles is MuJoCo.
"""

import math
from collections.abc import Callable, Iterable
from pathlib import Path

from hardware.box import Box
from hardware.column import ROWS
from hardware.sim.mechanics import US_PER_DEG
from hardware.sim.mechanism import Mechanism
from hardware.sim.servo import Servo, Tolerances
from hardware.sim.tile import Tile
from hardware.tiles import Position, TileId
from tests.physics.column import Column
from tests.physics.measures import STALL_NM, ColumnMeasures

# A hand that tips a tile does not press harder than this at its edge, nor longer.
HAND_N, _HAND_S = 0.3, 1.0
_STEP_S = 0.002
# A servo that has this part of its stall torque and turns slower than this has stalled.
_STALLED, _STALLED_DEG_S = 0.6, 25.0
_SETTLES_S = 0.2


class PhysicsMechanism(Mechanism):
    """Columns of two tiles, each in a MuJoCo of its own, stepped only while something in it moves.

    measures: of each column, from 1; its rod is that of the box.
    crowded: tiles whose back tile was down while they stood.
    """

    def __init__(
        self,
        box: Box,
        seed: int,
        now_s: float,
        store: Path | None,
        senses: Callable[[TileId], None],
        tolerances: Tolerances,
        *,
        measures: Callable[[int], ColumnMeasures],
    ) -> None:
        super().__init__(box, seed, now_s, store, senses, tolerances)
        places = range(1, box.columns + 1)
        self.columns = {place: Column(measures(place)) for place in places}
        self.crowded: set[TileId] = set()
        self._tiles_of = {place: box.in_column(place) for place in places}
        self._place_of = {tile: (tile.column(box.columns), tile.row - 1) for tile in box.tile_ids}
        motion = box.motion
        # A pulse and where it leads the horn: to rest, or a rigid rod's to the middle.
        self._known_us, self._known_deg = (motion.open_us + motion.shut_us) / 2, [0.0, 0.0]
        if motion.rest_us is not None:
            self._known_us, self._known_deg = float(motion.rest_us), [row.rest_horn_deg for row in ROWS]
        # A pulse that lays the tile turns the horn to the back.
        self._deg_per_us = math.copysign(1 / US_PER_DEG, motion.open_us - motion.shut_us)
        for column in self.columns.values():
            column.step(_SETTLES_S)
        self._follow(places)

    def column_of(self, tile: TileId) -> tuple[Column, int]:
        """Return the column of the tile and its row there."""
        column, row = self._place_of[tile]
        return self.columns[column], row

    def place(self, tile: TileId, angle_deg: float) -> None:
        """Put a tile there and let it go."""
        column, row = self.column_of(tile)
        column.place(row, angle_deg)
        self._after_hand(tile)

    def lay_die_under(self, tile: TileId) -> None:
        """Lay a die of 16 mm on the ledge of a column whose tiles stand."""
        place, _ = self._place_of[tile]
        self.columns[place] = Column(self.columns[place].measures, die=True)
        self.columns[place].step(_SETTLES_S)
        self._after_hand(tile)

    def wake(self, tiles: Iterable[TileId]) -> None:
        tiles = tuple(tiles)
        super().wake(tiles)
        for tile in tiles:
            self.column_of(tile)[0].wake()

    def hand_moves(self, tile: TileId, position: Position) -> None:
        """Tip a tile by hand, while the clock stands. Raises `ValueError` if it does not give way to a light hand."""
        column, row = self.column_of(tile)
        goal = {Position.SHUT: 1, Position.OPEN: -1}[position]
        column.hands_n[row] = goal * HAND_N
        begun_s = column.data.time
        while self.tiles[tile].position is not position and column.data.time < begun_s + _HAND_S:
            column.step(_STEP_S)
            self._follow(self._place_of[tile][:1])
        column.hands_n[row] = 0.0
        column.step(_SETTLES_S)
        self._after_hand(tile)
        if self.tiles[tile].position is not position:
            raise ValueError(f"{tile} does not give way to {HAND_N} N: it stands at {self.tiles[tile].angle_deg:.0f}")

    def _after_hand(self, tile: TileId) -> None:
        self._follow(self._place_of[tile][:1])
        for each in self._columns[tile]:
            self._sense(each)
        self.wake((tile,))

    def _move(self, awake: Iterable[tuple[TileId, Tile]], dt_s: float, strength: float) -> bool:
        changing = False
        places = {self._place_of[name][0] for name, _ in awake}
        for place in places:
            column = self.columns[place]
            for row, name in enumerate(self._tiles_of[place]):
                servo = self.tiles[name].servo
                servo.receive(self._now_s)
                column.aim(row, self._horn_deg(row, servo))
                changing |= servo.is_waiting
            if not column.is_still:
                column.step(dt_s, strength)
                changing = True
        self._follow(places)
        for place in places:
            for name in self._tiles_of[place]:
                self._note_stall(name)
        return changing

    def _horn_deg(self, row: int, servo: Servo) -> float | None:
        """Return where the pulse that the servo follows leads its horn."""
        if servo._goal_us is None:
            return None
        return self._known_deg[row] + (servo.nominal_us(servo._goal_us) - self._known_us) * self._deg_per_us

    def _follow(self, places: Iterable[int]) -> None:
        """Let tiles and servos show what they are in MuJoCo."""
        for place in places:
            column = self.columns[place]
            names = self._tiles_of[place]
            for row, name in enumerate(names):
                tile = self.tiles[name]
                servo = tile.servo
                tile.angle_deg = column.tile_deg(row)
                way_us = (column.horn_deg(row) - self._known_deg[row]) / self._deg_per_us
                servo._turn_to(servo.real_us(self._known_us + way_us))
                load = abs(column.motor_nm(row)) / STALL_NM if servo.is_active else 0.0
                servo.is_stalled = load > _STALLED and abs(column.horn_deg_s(row)) < _STALLED_DEG_S
                servo.current_a = max(servo._idle_a, load * servo._stalled_a)
            front, back = (self.tiles[name] for name in names)
            if front.position is not Position.SHUT and back.angle_deg > 30.0:
                self.crowded.add(names[0])
