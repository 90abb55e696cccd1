"""One tile of the simulated box, between its stops and what horn, rod, die and fault leave it; and its column.

A tile that nothing holds falls by its weight, or comes back to its stop by its magnet.
"""

import math
from collections.abc import Mapping
from typing import Self

from hardware.column import TRAVEL_DEG
from hardware.sim import mechanics
from hardware.sim.mechanics import ALONG, MEETS_DEG, STANDS_BELOW_DEG
from hardware.sim.servo import Servo
from hardware.tiles import Position, TileId, tile_in_front

LIES_ABOVE_DEG = 60.0  # past the angle at which a die keeps it
HALF_WAY_DEG = 40.0
_HARDLY_DEG = 0.05  # by which gears and weight settle in a step; a servo pushes by up to half a degree


class Tile:
    """A tile on its servo.

    angle_deg: from the stop (0) to the ledge (95).
    jams: by fault name, the directions in which it does not move.
    ledge_deg: where it lies, higher on a die.
    ahead, behind: the tiles in front of it and behind it.
    """

    def __init__(self, servo: Servo, angle_deg: float, magnet: float) -> None:
        self.servo = servo
        self.angle_deg = angle_deg
        self.jams: dict[str, frozenset[Position]] = {}
        self.ledge_deg = TRAVEL_DEG
        self.ahead: Self | None = None
        self.behind: Self | None = None
        self._magnet = magnet
        self._deg_s = 0.0
        self._was_deg = angle_deg
        self._sticks_deg: float | None = None
        self._came_from_below = False

    @property
    def position(self) -> Position:
        if self.angle_deg <= STANDS_BELOW_DEG:
            return Position.OPEN
        return Position.SHUT if self.angle_deg >= LIES_ABOVE_DEG else Position.BETWEEN

    @property
    def is_jammed(self) -> bool:
        return self.jams_towards(Position.OPEN) and self.jams_towards(Position.SHUT)

    def jams_towards(self, towards: Position) -> bool:
        return any(towards in ends for ends in self.jams.values())

    def stick_at(self, angle_deg: float | None) -> None:
        """Stop the tile at this angle from either side, or (None) let it pass again."""
        self._sticks_deg = angle_deg
        self._came_from_below = angle_deg is not None and self.angle_deg < angle_deg

    def _wood_deg(self) -> tuple[float, float]:
        """Return the angles between which stops and faults leave the tile."""
        low, high = 0.0, self.ledge_deg
        if self._sticks_deg is not None:
            if self.angle_deg != self._sticks_deg:
                self._came_from_below = self.angle_deg < self._sticks_deg
            low, high = (low, self._sticks_deg) if self._came_from_below else (self._sticks_deg, high)
        for ends in self.jams.values():  # seldom any, and this is asked of every tile in every step
            low = self.angle_deg if Position.OPEN in ends else low
            high = self.angle_deg if Position.SHUT in ends else high
        return low, high

    def lowest_deg(self) -> float:
        """Return the angle to which force can raise the tile: one behind it comes along unless its servo drives it."""
        low = self._wood_deg()[0]
        if self.behind is not None:
            behind = self.behind.lowest_deg()
            if self.behind.servo.is_active:
                behind = max(behind, self.behind.servo.low_deg)
            low = max(low, (behind - MEETS_DEG) / ALONG)
        return low

    def highest_deg(self) -> float:
        """Return the angle to which force can lay the tile: one in front goes along unless its servo drives it."""
        high = self._wood_deg()[1]
        if self.ahead is not None:
            ahead = self.ahead.highest_deg()
            if self.ahead.servo.is_active:
                ahead = min(ahead, self.ahead.servo.high_deg)
            high = min(high, MEETS_DEG + ALONG * ahead)
        return high

    def move(self, dt_s: float) -> None:
        """Fall, or follow the rod, for `dt_s`."""
        before, servo = self.angle_deg, self.servo
        self._was_deg = before
        low, high = self._wood_deg()
        torque_nm = mechanics.gravity_nm(before) + self._magnet * mechanics.magnet_nm(before)
        rubs = math.copysign(min(abs(torque_nm), mechanics.AXLE_FRICTION_NM), self._deg_s or torque_nm)
        self._deg_s += math.degrees((torque_nm - rubs) / mechanics.INERTIA_KG_M2) * dt_s
        wanted = before + self._deg_s * dt_s
        # The rod does not give way to the tile, but wood does not give way to the rod: then the servo has stalled.
        held = max(low, min(high, max(servo.low_deg, min(servo.high_deg, wanted))))
        self.angle_deg = held
        if held != wanted:
            self._deg_s = (held - before) / dt_s if low < held < high else 0.0

    def meet(self) -> bool:
        """Keep the back of the tile in front where it can be; True if one of the two took the other along.

        Of a column the front tiles come first, since one that is lifted lifts those behind it.
        """
        front = self.ahead
        if front is None or self.angle_deg <= MEETS_DEG + ALONG * front.angle_deg:
            return False
        cap, floor = MEETS_DEG + ALONG * front.angle_deg, (self.angle_deg - MEETS_DEG) / ALONG
        lifts = front._kept_below_deg() < floor
        if self._kept_above_deg() > cap:
            front.force_to(min(floor, front._wood_deg()[1]))
            # It hands the push on to the next one, even if its own rod leaves it free.
            goes_on = front.meet()
            # Else the gears of the two have held them like this before.
            return lifts or goes_on or front.angle_deg > front._was_deg + _HARDLY_DEG
        if lifts:
            self.force_to(cap)
            # Else it has come down on the one in front by its own weight.
            return cap < self._was_deg
        self.angle_deg, self._deg_s = cap, 0.0
        return False

    def _kept_above_deg(self) -> float:
        """Return the least angle that rod and faults leave the tile, its own or those of tiles behind that push it."""
        own = max(self.servo.low_deg, self._wood_deg()[0])
        return own if self.behind is None else max(own, (self.behind._kept_above_deg() - MEETS_DEG) / ALONG)

    def _kept_below_deg(self) -> float:
        """Return the greatest angle that rods leave the tile, its own or those of tiles in front that lift it."""
        own = self.servo.high_deg
        return own if self.ahead is None else min(own, MEETS_DEG + ALONG * self.ahead._kept_below_deg())

    def force_to(self, angle_deg: float) -> None:
        """Move the tile by force, its gears too where the rod does not leave it free."""
        self.angle_deg, self._deg_s = angle_deg, 0.0
        self.servo.drag_to(angle_deg)

    def obstacle(self, goal_deg: float) -> str | None:
        """Return the reason, in words, why a hand cannot tip the tile to `goal_deg`; None if it can.

        A hand turns the gears of a rigid rod, not those of a slotted one: there a tile is free, or held.
        """
        if self.servo.is_active or self.is_jammed:
            return "jammed" if self.is_jammed else "driven" if self.servo.is_driven else "held by its servo"
        if self.servo.is_slotted and not self.servo.low_deg <= goal_deg <= self.servo.high_deg:
            return "held by its servo"
        ahead, behind = self.ahead, self.behind
        reason = None
        if ahead is not None and goal_deg > MEETS_DEG + ALONG * ahead.angle_deg:
            reason = ahead.obstacle((goal_deg - MEETS_DEG) / ALONG)
        elif behind is not None and goal_deg < (behind.angle_deg - MEETS_DEG) / ALONG:
            reason = behind.obstacle(MEETS_DEG + ALONG * goal_deg)
        return reason and f"blocked by a tile that is {reason}"

    def tip_to(self, goal_deg: float) -> None:
        """Move the tile by hand, and the tiles that it takes along."""
        self.force_to(goal_deg)
        if self.ahead is not None and goal_deg > MEETS_DEG + ALONG * self.ahead.angle_deg:
            self.ahead.tip_to((goal_deg - MEETS_DEG) / ALONG)
        if self.behind is not None and goal_deg < (self.behind.angle_deg - MEETS_DEG) / ALONG:
            self.behind.tip_to(MEETS_DEG + ALONG * goal_deg)


def stack(tiles: Mapping[TileId, Tile], columns: int) -> None:
    """Tell every tile which ones stand in front of it and behind it."""
    for name, tile in tiles.items():
        front = tile_in_front(name, columns)
        if front is not None and front in tiles:
            tile.ahead, tiles[front].behind = tiles[front], tile
