"""The mechanics of a box: all tiles with servos, sensors and stack rule on one supply, stepped through time."""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from hardware.box import Box
from hardware.column import TRAVEL_DEG, row_of
from hardware.sim import linkage
from hardware.sim.contacts import hall_sensor, limit_switch
from hardware.sim.mechanics import MAGNET_SPREAD
from hardware.sim.servo import CAREFUL, Servo, Tolerances
from hardware.sim.store import TileStore
from hardware.sim.tile import HALF_WAY_DEG, Tile, stack
from hardware.tiles import Position, TileId


@dataclass(slots=True)
class StressRecord:
    """The highest loads of a box.

    unmoved_s: by tile, the longest time of pulses at a stretch during which neither horn nor tile moved.
    stalled_s: by tile, the longest stall of its servo at a stretch.
    most_a: the highest current of all servos together.
    most_kicking_a: the highest while one of them was kicked.
    pushed: tiles that were driven against another tile.
    kicks: tiles whose servos received the runt of a cut pulse, with the time on the world's clock.
    """

    unmoved_s: dict[TileId, float] = field(default_factory=dict)
    stalled_s: dict[TileId, float] = field(default_factory=dict)
    most_a: float = 0.0
    most_kicking_a: float = 0.0
    pushed: set[TileId] = field(default_factory=set)
    kicks: list[tuple[TileId, float]] = field(default_factory=list)

    def note_unmoved(self, tile: TileId, seconds: float) -> None:
        self.unmoved_s[tile] = max(seconds, self.unmoved_s.get(tile, 0.0))

    def note_stalled(self, tile: TileId, seconds: float) -> None:
        self.stalled_s[tile] = max(seconds, self.stalled_s.get(tile, 0.0))


_STEP_S = 0.002  # a horn turns by one degree in this time, and the calibration looks once per step
_HAND_DEG = {Position.OPEN: 0.0, Position.SHUT: TRAVEL_DEG, Position.BETWEEN: HALF_WAY_DEG}


class Mechanism:
    """Tiles, servos, magnets and switches, stepped by 2 ms while something moves and not at all otherwise.

    `senses` is called when a sensor changes. A sagging supply only slows the servos, because the computer's 3.3 V feed
    the boards' logic.

    Raises `BoxError` for a damaged store. `senses` must not ask for the time.
    """

    def __init__(
        self,
        box: Box,
        seed: int,
        now_s: float,
        store: Path | None,
        senses: Callable[[TileId], None],
        tolerances: Tolerances = CAREFUL,
    ) -> None:
        self._seed = seed
        self._now_s = now_s
        self._senses = senses
        self._limit_a = box.supply.limit_a
        self._store = TileStore(store, box.name, box.tile_ids) if store is not None else None
        angles = self._store.load() if self._store is not None else dict.fromkeys(box.tile_ids, 0.0)
        self.tiles: dict[TileId, Tile] = {}
        for tile in box.tile_ids:
            open_us, shut_us = box.pulse_us(tile, shut=False), box.pulse_us(tile, shut=True)
            rest_us, row = box.rest_us(tile), row_of(tile.row)
            if rest_us is not None:
                rod, horn_us = linkage.slotted(row, open_us, rest_us, shut_us), float(rest_us)
            else:
                rod, horn_us = linkage.rigid(row, open_us, shut_us), (open_us + shut_us) / 2
            rng = self.rng("servo", tile)
            servo = Servo(
                rng,
                self.rng("kicks", tile),
                linkage=rod,
                nominal_us=(open_us, shut_us),
                mounting=tolerances.mounting(seed, tile),
                stalled_a=box.supply.stalling_a,
                horn_us=horn_us,
            )
            servo.reversed = box.tiles[tile].reversed
            if rest_us is None:
                servo.drag_to(angles[tile])
            self.tiles[tile] = Tile(servo, angles[tile], self.rng("magnet", tile).uniform(*MAGNET_SPREAD))
        stack(self.tiles, box.columns)
        self.halls = {t: hall_sensor(self.rng("hall", t), angles[t], tolerances.halls) for t in box.tile_ids}
        self.switches = {tile: limit_switch(self.rng("switch", tile), angles[tile]) for tile in box.tile_ids}
        self._columns = {tile: box.in_column(tile.column(box.columns)) for tile in box.tile_ids}
        self._awake: set[TileId] = set(box.tile_ids)
        self._moving: set[TileId] = set()
        self._still_since_s: dict[TileId, float] = {}
        self._stalled_since_s: dict[TileId, float] = {}
        self.stress = StressRecord()

    def rng(self, part: str, tile: TileId) -> random.Random:
        """Return the random generator for the tolerances of one part of one tile."""
        return random.Random(f"{self._seed}/{part}/{tile}")

    def advance(self, to_s: float) -> None:
        while self._awake and self._now_s < to_s:
            self._step(min(_STEP_S, to_s - self._now_s))
        self._now_s = to_s

    def command(self, tile: TileId, pulse_us: float | None, runt_us: float | None = None) -> None:
        """Send pulses of this width to the tile's servo, or none, the last one cut short to `runt_us`."""
        servo = self.tiles[tile].servo
        if tile in self._still_since_s:
            self.stress.note_unmoved(tile, self._now_s - self._still_since_s[tile])
        kicks = servo.kicks
        servo.command(pulse_us, self._now_s, runt_us)
        if servo.kicks > kicks:
            self.stress.kicks.append((tile, self._now_s))
        if servo.is_driven:
            self._still_since_s.setdefault(tile, self._now_s)
        else:
            self._still_since_s.pop(tile, None)
        self._note_stall(tile)
        self.wake((tile,))

    def wake(self, tiles: Iterable[TileId]) -> None:
        """Step `tiles` again after a change, and all active servos: one that stalls against them may get free."""
        for tile in tiles:
            self._awake.update(self._columns[tile])
        self._awake.update(name for name, tile in self.tiles.items() if tile.servo.is_active)

    def current_a(self) -> float:
        return sum(tile.servo.current_a for tile in self.tiles.values())

    def hand_moves(self, tile: TileId, position: Position) -> None:
        """Tip a released tile by hand, and those that it takes along. Raises `ValueError` if it does not give way."""
        if position not in _HAND_DEG:
            raise ValueError(f"a hand tips a tile to OPEN, SHUT or BETWEEN, not to {position}")
        if reason := self.tiles[tile].obstacle(_HAND_DEG[position]):
            raise ValueError(f"{tile} does not give way: it is {reason}")
        self.tiles[tile].tip_to(_HAND_DEG[position])
        for each in self._columns[tile]:
            self._sense(each)
        self.wake((tile,))
        self._save()

    def _step(self, dt_s: float) -> None:
        self._now_s += dt_s
        total_a = self.current_a()
        if any(self.tiles[tile].servo.is_kicked for tile in self._awake):
            self.stress.most_kicking_a = max(self.stress.most_kicking_a, total_a)
        else:
            self.stress.most_a = max(self.stress.most_a, total_a)
        # The speed of all servos follows the voltage of an overloaded supply.
        strength = min(1.0, self._limit_a / total_a)
        moving: set[TileId] = set()
        awake = [(name, self.tiles[name]) for name in self._awake]
        before = {name: (tile.angle_deg, tile.servo.horn_us) for name, tile in awake}
        changing = self._move(awake, dt_s, strength)
        for name, tile in awake:
            angle_deg, horn_us = before[name]
            if tile.angle_deg != angle_deg:
                moving.add(name)
                self._sense(name)
            if name in self._still_since_s and (tile.angle_deg != angle_deg or tile.servo.horn_us != horn_us):
                self.stress.note_unmoved(name, self._now_s - self._still_since_s[name])
                self._still_since_s[name] = self._now_s
        if self._moving - moving:
            self._save()
        self._moving = moving
        # A stalled tile may get free when its neighbour moves, so all driven tiles sleep together or not at all.
        if changing or moving:
            at_work = moving | {name for name, tile in awake if tile.servo.is_active or tile.servo.coasts}
            self._awake = {each for name in at_work for each in self._columns[name]}
        else:
            self._awake = set()

    def _move(self, awake: Iterable[tuple[TileId, Tile]], dt_s: float, strength: float) -> bool:
        """Move servos and tiles for `dt_s`; return True while anything is changing."""
        changing = False
        for name, tile in awake:
            changing |= tile.servo.step(self._now_s, dt_s, strength, tile.lowest_deg(), tile.highest_deg())
            self._note_stall(name)
            tile.move(dt_s)
        for name, tile in sorted(awake, key=lambda each: each[0].row):
            if tile.meet() and any(each in self._still_since_s for each in self._columns[name]):
                self.stress.pushed.add(name)
        return changing

    def _note_stall(self, tile: TileId) -> None:
        since_s = self._stalled_since_s.get(tile)
        if since_s is not None:
            self.stress.note_stalled(tile, self._now_s - since_s)
        if not self.tiles[tile].servo.is_stalled:
            self._stalled_since_s.pop(tile, None)
        elif since_s is None:
            self._stalled_since_s[tile] = self._now_s

    def _sense(self, tile: TileId) -> None:
        angle_deg = self.tiles[tile].angle_deg
        changes = [contacts[tile].follow(angle_deg, self._now_s) for contacts in (self.halls, self.switches)]
        if any(changes):
            self._senses(tile)

    def _save(self) -> None:
        if self._store is not None:
            self._store.save({name: tile.angle_deg for name, tile in self.tiles.items()})
