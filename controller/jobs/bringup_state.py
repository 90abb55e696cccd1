"""The state of a bring-up as a page draws it: a wall of tiles, each with its sensors now, and what was found so far."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal

from firmware.calibration.bringup.chips import Chips, tiles_on
from firmware.calibration.bringup.findings import Finding
from firmware.calibration.bringup.responses import Lines
from firmware.tiles.sensors import SensorLine
from hardware.box import Box
from hardware.tiles import Position, TileId
from hardware.wiring.changes import Change

# chips: the bus is scanned. hands: a person tips tiles. servos: channels are driven. camera: it is looked at. changes:
# the difference is shown, and it is asked whether it is written. done: that was answered.
Stage = Literal["chips", "hands", "servos", "camera", "changes", "done"]
# silent: nothing answers to its channel. wrong: something about it was found wrong.
TileState = Literal["unknown", "answers", "wrong", "silent"]


class BringUpState:
    """The state, changed as the work goes on.

    Lifetime: one bring-up. Concurrency: one event loop.
    """

    def __init__(self, box: Box) -> None:
        self.box = box
        self.stage: Stage = "chips"
        self.findings: tuple[Finding, ...] = ()
        self.changes: tuple[Change, ...] = ()
        self.untested: Mapping[TileId, str] = {}
        self._chips: Sequence[dict[str, Any]] = ()
        self._seen: Lines | None = None
        self._driven: tuple[TileId, float] | None = None
        self._states: dict[TileId, TileState] = {}
        self._moved: Sequence[TileId] = ()
        self._eyes: TileId | None = None

    def take_chips(self, chips: Chips) -> None:
        """Take what the scan has found."""
        self._chips = [
            {
                "address": f"0x{chip:02x}",
                "kind": kind,
                "seen_at": None if chip in chips.missing else f"0x{chips.moved.get(chip, chip):02x}",
                "tiles": [str(tile) for tile in tiles_on(self.box, chip)],
            }
            for chip, kind in chips.kinds.items()
        ]

    def see(self, seen: Lines) -> None:
        """Take the sensors that say yes now."""
        self._seen = seen

    def drive(self, tile: TileId, pulse_us: float | None) -> None:
        """Note the pulses that the channel of `tile` is sent; None: none any more."""
        self._driven = None if pulse_us is None else (tile, pulse_us)

    def wonder(self, moved: Sequence[TileId], seen: TileId | None = None) -> None:
        """Note which tiles may have moved while a person is asked; seen: the one that is seen at a simulated box."""
        self._moved, self._eyes = moved, seen

    def judge(self, tiles: Iterable[TileId], state: TileState) -> None:
        self._states |= dict.fromkeys(tiles, state)

    def state_of(self, tile: TileId) -> TileState:
        return self._states.get(tile, "unknown")

    def draft(self) -> Mapping[str, Any]:
        """Return the state in the form for programs."""
        return {
            "stage": self.stage,
            "chips": list(self._chips),
            "tiles": [self._tile(tile) for tile in self.box.tile_ids],
            "moved": [str(tile) for tile in self._moved],
            "seen": None if self._eyes is None else str(self._eyes),
            **found_json(self.findings, self.changes, self.untested),
        }

    def _tile(self, tile: TileId) -> dict[str, Any]:
        shut, opened = (self._says(tile, end) for end in (Position.SHUT, Position.OPEN))
        driven = self._driven
        return {
            "tile": str(tile),
            "shut": shut,
            "open": opened,
            "position": str(position_of(shut, opened)),
            "pulse_us": round(driven[1]) if driven is not None and driven[0] == tile else None,
            "state": self.state_of(tile),
        }

    def _says(self, tile: TileId, end: Position) -> bool | None:
        """Return what a sensor says; None for one that the box lacks, or before the first look."""
        has_it = end is Position.SHUT or self.box.tiles[tile].open is not None
        return SensorLine(tile, end) in self._seen if self._seen is not None and has_it else None


def position_of(shut: bool | None, opened: bool | None) -> Position:
    """Return where both sensors together say that their tile is."""
    if shut is None or (shut and opened):
        return Position.UNKNOWN
    if shut:
        return Position.SHUT
    return Position.BETWEEN if opened is False else Position.OPEN


def found_json(
    findings: Iterable[Finding], changes: Iterable[Change], untested: Mapping[TileId, str]
) -> dict[str, Any]:
    """Return what was found, and how the profile is to change, in the form for programs."""
    return {
        "findings": [asdict(finding) for finding in findings],
        "changes": [
            {"key": change.name, "before": change.before, "after": change.after, "why": change.why}
            for change in changes
        ],
        "untested": {str(tile): reason for tile, reason in untested.items()},
    }
