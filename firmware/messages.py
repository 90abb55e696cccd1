"""Messages of the bank of tiles: the command for a tile, and the report of its sensors."""

from dataclasses import dataclass

from hardware.tiles import Position, TileId


@dataclass(frozen=True, slots=True)
class TileCommand:
    """The target position of a tile: a state, not a change, so that repeating it is safe.

    Raises `ValueError` for a target other than OPEN and SHUT.
    """

    tile: TileId
    position: Position

    def __post_init__(self) -> None:
        if self.position not in (Position.OPEN, Position.SHUT):
            raise ValueError(f"{self.tile} can be sent to OPEN or SHUT, not to {self.position}")


@dataclass(frozen=True, slots=True)
class SensorReport:
    """The position of a tile by its sensors, at `at_s` on the loop's clock.

    assumed: this build has no open sensor for the tile; OPEN means not shut, after the time of a move.
    took_s: how long its servo was driven until the sensors showed the position; None if it was already there.
    tries: the number of drives.
    healed: how often it left its place by itself after its release and was driven back.
    """

    tile: TileId
    position: Position
    at_s: float
    assumed: bool = False
    took_s: float | None = None
    tries: int = 0
    healed: int = 0
