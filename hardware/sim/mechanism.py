"""The mechanics of a box: all tiles with servos, sensors and stack rule on one supply, stepped through time."""

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hardware.box import Box
from hardware.sim.contacts import hall_sensor, limit_switch
from hardware.sim.servo import CAREFUL, HALF_WAY_DEG, LIES_ABOVE_DEG, STANDS_BELOW_DEG, STOPS_DEG, Servo, Tolerances
from hardware.sim.store import TileStore
from hardware.tiles import Position, TileId, tile_in_front


@dataclass(slots=True)
class StressRecord:
    """The highest loads of a box.

    unmoved_s: by tile, the longest time of pulses at a stretch during which the tile did not move.
    most_a: the highest current of all servos together.
    most_kicking_a: the highest while one of them was kicked.
    pushed: tiles that were driven against another tile.
    kicks: tiles whose servos received the runt of a cut pulse, with the time on the world's clock.
    """

    unmoved_s: dict[TileId, float] = field(default_factory=dict)
    most_a: float = 0.0
    most_kicking_a: float = 0.0
    pushed: set[TileId] = field(default_factory=set)
    kicks: list[tuple[TileId, float]] = field(default_factory=list)

    def note_unmoved(self, tile: TileId, seconds: float) -> None:
        self.unmoved_s[tile] = max(seconds, self.unmoved_s.get(tile, 0.0))


LEANS_DEG = 30.0  # a back tile gets this far before it meets the standing tile in front of it


class Stack:
    """The stack rule of the tiles, as limits of angle that each tile sets for its neighbours in the column.

    A back tile tips forward over its front tile. Unless the front tile lies, the back tile comes to rest against it;
    while the back tile lies, the front tile cannot come up.
    """

    def __init__(self, servos: Mapping[TileId, Servo], columns: int) -> None:
        fronts = {tile: ahead for tile in servos if (ahead := tile_in_front(tile, columns))}
        self._front = {tile: servos.get(ahead) for tile, ahead in fronts.items()}
        self._behind = {ahead: servos[tile] for tile, ahead in fronts.items()}

    def limits_deg(self, tile: TileId, angle_deg: float) -> tuple[float, float]:
        """Return the lowest and highest angle that `tile` can reach from `angle_deg`, given its neighbours."""
        low_deg, high_deg = STOPS_DEG
        front, behind = self._front.get(tile), self._behind.get(tile)
        if front is not None and front.angle_deg < LIES_ABOVE_DEG:
            high_deg = max(LEANS_DEG, angle_deg)
        if behind is not None and behind.angle_deg > LEANS_DEG:
            low_deg = min(LIES_ABOVE_DEG, angle_deg)
        return low_deg, high_deg

    def obstacle(self, tile: TileId, goal_deg: float) -> str | None:
        """Return the reason, in words, why a hand cannot tip `tile` to `goal_deg`; None if it can."""
        front, behind = self._front.get(tile), self._behind.get(tile)
        if goal_deg > LEANS_DEG and front is not None and front.angle_deg < LIES_ABOVE_DEG:
            return f"{tile} cannot go down: the tile in front of it stands"
        if goal_deg < LIES_ABOVE_DEG and behind is not None and behind.angle_deg > LEANS_DEG:
            return f"{tile} cannot come up: the tile behind it lies on it"
        return None


_STEP_S = 0.002  # a tile moves by one degree in this time, and the calibration looks once per step (2 ms)
_HAND_DEG = {Position.OPEN: 0.0, Position.SHUT: 90.0, Position.BETWEEN: HALF_WAY_DEG}


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
        self.servos: dict[TileId, Servo] = {}
        for tile in box.tile_ids:
            rng = self.rng("servo", tile)
            self.servos[tile] = Servo(
                rng,
                self.rng("kicks", tile),
                open_us=box.pulse_us(tile, shut=False),
                shut_us=box.pulse_us(tile, shut=True),
                mounting=tolerances.mounting(rng, seed, tile),
                stalled_a=box.supply.stalled_a,
                angle_deg=angles[tile],
            )
        self.halls = {tile: hall_sensor(self.rng("hall", tile), angles[tile]) for tile in box.tile_ids}
        self.switches = {tile: limit_switch(self.rng("switch", tile), angles[tile]) for tile in box.tile_ids}
        self._stack = Stack(self.servos, box.columns)
        self._awake: set[TileId] = set(box.tile_ids)
        self._moving: set[TileId] = set()
        self._still_since_s: dict[TileId, float] = {}
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
        servo = self.servos[tile]
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
        self.wake((tile,))

    def wake(self, tiles: Iterable[TileId]) -> None:
        """Step `tiles` again after a change, and all active servos: one that stalls against them may get free."""
        self._awake |= {*tiles, *(tile for tile, servo in self.servos.items() if servo.is_active)}

    def position(self, tile: TileId) -> Position:
        angle_deg = self.servos[tile].angle_deg
        if angle_deg <= STANDS_BELOW_DEG:
            return Position.OPEN
        return Position.SHUT if angle_deg >= LIES_ABOVE_DEG else Position.BETWEEN

    def current_a(self) -> float:
        return sum(servo.current_a for servo in self.servos.values())

    def hand_moves(self, tile: TileId, position: Position) -> None:
        """Tip a released tile by hand. Raises `ValueError` if its servo holds it or another tile is in the way."""
        servo = self.servos[tile]
        if position not in _HAND_DEG:
            raise ValueError(f"a hand tips a tile to OPEN, SHUT or BETWEEN, not to {position}")
        if servo.is_active or servo.is_jammed:
            reason = "jammed" if servo.is_jammed else "driven" if servo.is_driven else "held by its servo"
            raise ValueError(f"{tile} does not give way: it is {reason}")
        obstacle = self._stack.obstacle(tile, _HAND_DEG[position])
        if obstacle is not None:
            raise ValueError(obstacle)
        servo.angle_deg = _HAND_DEG[position]
        self._sense(tile)
        self.wake((tile,))
        self._save()

    def _step(self, dt_s: float) -> None:
        self._now_s += dt_s
        total_a = self.current_a()
        if any(self.servos[tile].is_kicked for tile in self._awake):
            self.stress.most_kicking_a = max(self.stress.most_kicking_a, total_a)
        else:
            self.stress.most_a = max(self.stress.most_a, total_a)
        # The speed of all servos follows the voltage of an overloaded supply.
        strength = min(1.0, self._limit_a / total_a)
        moving: set[TileId] = set()
        changing = False
        for tile in self._awake:
            servo = self.servos[tile]
            before_deg = servo.angle_deg
            limits = self._stack.limits_deg(tile, before_deg)
            changing |= servo.step(self._now_s, dt_s, strength, *limits)
            if servo.pushes(*limits):
                self.stress.pushed.add(tile)
            if servo.angle_deg != before_deg:
                moving.add(tile)
                if tile in self._still_since_s:
                    self.stress.note_unmoved(tile, self._now_s - self._still_since_s[tile])
                    self._still_since_s[tile] = self._now_s
                self._sense(tile)
        if self._moving - moving:
            self._save()
        self._moving = moving
        # A stalled tile may get free when its neighbour moves, so all driven tiles sleep together or not at all.
        self._awake = {t for t in self._awake if t in moving or self.servos[t].is_active} if changing else set()

    def _sense(self, tile: TileId) -> None:
        angle_deg = self.servos[tile].angle_deg
        changes = [contacts[tile].follow(angle_deg, self._now_s) for contacts in (self.halls, self.switches)]
        if any(changes):
            self._senses(tile)

    def _save(self) -> None:
        if self._store is not None:
            self._store.save({tile: servo.angle_deg for tile, servo in self.servos.items()})
