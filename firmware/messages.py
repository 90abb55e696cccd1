"""Messages of the bank of tiles: the command for a tile, and the report of its sensors."""

from dataclasses import dataclass

from hardware.tiles import Position, TileId


@dataclass(frozen=True, slots=True)
class TileCommand:
    """The position a tile is sent to: a state, not a change, so that saying it twice is safe.

    Raises `ValueError` for a position a tile cannot be sent to: only OPEN and SHUT are.
    """

    tile: TileId
    position: Position

    def __post_init__(self) -> None:
        if self.position not in (Position.OPEN, Position.SHUT):
            raise ValueError(f"{self.tile} can be sent to OPEN or SHUT, not to {self.position}")


@dataclass(frozen=True, slots=True)
class SensorReport:
    """The position of a tile by its sensors, at `at_s` on the loop's clock.

    `assumed`: this build has no open sensor for the tile; OPEN means not shut, after the time a move takes. `took_s` is
    how long its servo was driven until they said so, None if it was there already; `tries` how often. `healed` is how
    often it left its place by itself after it was let go, and was driven there again.
    """

    tile: TileId
    position: Position
    at_s: float
    assumed: bool = False
    took_s: float | None = None
    tries: int = 0
    healed: int = 0
