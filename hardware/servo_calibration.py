"""The measured servos of one box: the section `servos` of its calibration."""

from collections.abc import Mapping
from typing import Self

from pydantic import Field, model_validator

from hardware.box import LEAST_TRAVEL_US, LEAST_US, MOST_US, BoardKey, Box, ClockFactor, TileKey
from hardware.measured import Measured, Verdict
from hardware.tiles import TileId


class ServoTile(Measured):
    """The end points of one tile: the pulse widths in microseconds at which it stands and lies.

    shut_s, open_s: seconds from the first pulse to the sensor's answer, down and up; None where no sensor sees it.
    repeat_s: how much its moves differed, in seconds.
    """

    open_us: int = Field(ge=LEAST_US, le=MOST_US)
    shut_us: int = Field(ge=LEAST_US, le=MOST_US)
    shut_s: float | None = Field(default=None, ge=0, le=10)
    open_s: float | None = Field(default=None, ge=0, le=10)
    repeat_s: float = Field(default=0.0, ge=0, le=10)
    verdict: Verdict
    reason: str

    @model_validator(mode="after")
    def _travels(self) -> Self:
        if abs(self.shut_us - self.open_us) < LEAST_TRAVEL_US:
            raise ValueError(f"open_us and shut_us lie less than {LEAST_TRAVEL_US} us apart, which is no travel")
        return self


class ServoCalibration(Measured):
    """All calibrated tiles of a box, each with its own date and author; here are those of the last calibration.

    clocks: the boards' clocks for which the pulses hold, see `Box.clocks`.
    simulated_seed: seed of the simulated box it was made on; None for a real box. One is worthless for the other.
    """

    simulated_seed: int | None = Field(default=None, ge=0)
    clocks: Mapping[BoardKey, ClockFactor] = {}
    tiles: Mapping[TileKey, ServoTile] = {}

    def apply_to(self, box: Box) -> Box:
        """Return the box with the measured pulses in place of the profile's; other tiles keep theirs.

        A clock added to the profile since then changes the requested pulse, not the one that the tile really gets.
        """
        since = {board: factor for board, factor in box.clocks.items() if board not in self.clocks}
        held = self.with_clocks(since, box).tiles if since else self.tiles
        measured = {
            tile: wiring.model_copy(update={"open_us": found.open_us, "shut_us": found.shut_us})
            if (found := held.get(tile))
            else wiring
            for tile, wiring in box.tiles.items()
        }
        return box.model_copy(update={"tiles": measured, "clocks": {**box.clocks, **self.clocks}})

    def with_clocks(self, clocks: Mapping[str, float], box: Box) -> "ServoCalibration":
        """Return a copy with these boards' clocks, in which each tile keeps the pulse that it really gets.

        A board whose clock factor grows shortens its pulses, so the requested pulses grow by the same factor.
        """
        tiles = {}
        for tile, found in self.tiles.items():
            board = f"0x{box.tiles[tile].servo.board:02x}"
            before = self.clocks.get(board, 1.0)
            factor = clocks.get(board, before) / before
            pulses = {"open_us": _clamp(found.open_us * factor), "shut_us": _clamp(found.shut_us * factor)}
            tiles[tile] = found.model_copy(update=pulses)
        return self.model_copy(update={"clocks": {**self.clocks, **clocks}, "tiles": tiles})

    def unknown_tiles(self, box: Box) -> tuple[TileId, ...]:
        return tuple(tile for tile in self.tiles if tile not in box.tiles)


def without_end_points(box: Box, known: ServoCalibration | None, clocks: Mapping[str, float]) -> Box:
    """Return the box for a new calibration: known clocks of the boards, no end points of single tiles."""
    tiles = {tile: wiring.model_copy(update={"open_us": None, "shut_us": None}) for tile, wiring in box.tiles.items()}
    measured = {**box.clocks, **(known.clocks if known is not None else {}), **clocks}
    return box.model_copy(update={"tiles": tiles, "clocks": measured})


def _clamp(pulse_us: float) -> int:
    return max(LEAST_US, min(MOST_US, round(pulse_us)))
