"""The stack rule of the simulated tiles."""

from collections.abc import Mapping

from hardware.sim.servo import LIES_ABOVE_DEG, STOPS_DEG, Servo
from hardware.tiles import TileId, tile_in_front

LEANS_DEG = 30.0  # a back tile gets this far before it meets the standing tile in front of it


class Stack:
    """The stack rule of the tiles, as limits of angle that each tile sets for its neighbours in the column.

    A back tile tips forward over its front tile. Unless the front tile lies, the back tile comes to rest against it;
    while the back tile lies, the front tile cannot come up.
    """

    def __init__(self, servos: Mapping[TileId, Servo], columns: int) -> None:
        self._front = {tile: servos.get(ahead) for tile in servos if (ahead := tile_in_front(tile, columns))}
        self._behind: dict[TileId, Servo] = {}
        self._servos = servos
        for tile, servo in servos.items():
            ahead = tile_in_front(tile, columns)
            if ahead is not None:
                self._behind[ahead] = servo

    def limits_deg(self, tile: TileId, angle_deg: float) -> tuple[float, float]:
        """Return the lowest and highest angle that `tile` can reach from `angle_deg`, given its neighbours."""
        low_deg, high_deg = STOPS_DEG
        front, behind = self._front.get(tile), self._behind.get(tile)
        if front is not None and front.angle_deg < LIES_ABOVE_DEG:
            high_deg = max(LEANS_DEG, angle_deg)
        if behind is not None and behind.angle_deg > LEANS_DEG:
            low_deg = min(LIES_ABOVE_DEG, angle_deg)
        return low_deg, high_deg

    def is_broken(self) -> bool:
        return any(
            behind.angle_deg >= LIES_ABOVE_DEG and self._servos[front].angle_deg <= LEANS_DEG
            for front, behind in self._behind.items()
        )

    def obstacle(self, tile: TileId, goal_deg: float) -> str | None:
        """Return the reason, in words, why a hand cannot tip `tile` to `goal_deg`; None if it can."""
        front, behind = self._front.get(tile), self._behind.get(tile)
        if goal_deg > LEANS_DEG and front is not None and front.angle_deg < LIES_ABOVE_DEG:
            return f"{tile} cannot go down: the tile in front of it stands"
        if goal_deg < LIES_ABOVE_DEG and behind is not None and behind.angle_deg > LEANS_DEG:
            return f"{tile} cannot come up: the tile behind it lies on it"
        return None
