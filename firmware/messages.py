"""What goes into the bank of tiles and what comes out of it."""

from dataclasses import dataclass

from hardware.tiles import Position, TileId


@dataclass(frozen=True, slots=True)
class TileCommand:
    """Where a tile shall be: a state, not a change, so that saying it twice is safe.

    Raises `ValueError` for a position a tile cannot be sent to: only OPEN and SHUT are.
    """

    tile: TileId
    position: Position

    def __post_init__(self) -> None:
        if self.position not in (Position.OPEN, Position.SHUT):
            raise ValueError(f"{self.tile} can be sent to OPEN or SHUT, not to {self.position}")


@dataclass(frozen=True, slots=True)
class SensorReport:
    """Where the sensors say a tile is, at `at_s` on the loop's clock.

    `assumed`: this build has no open sensor for the tile; OPEN means not shut, after the time a move takes. `took_s` is
    how long its servo was driven until they said so, None if it was there already; `tries` how often.
    """

    tile: TileId
    position: Position
    at_s: float
    assumed: bool = False
    took_s: float | None = None
    tries: int = 0
