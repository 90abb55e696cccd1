"""The open table as the referee needs it, and the positions of tiles that show a board."""

import random
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from controller.box.dice import ClaimDice, ClaimSet
from controller.box.simulated_actions import Hands
from controller.box.stored_calibration import NOT_CALIBRATED, find_spoiled
from controller.errors import NotCalibrated
from controller.rules.board import Board
from controller.rules.fleet.ruleset import FleetRules
from controller.runtime.home import Home
from controller.settings import Settings
from firmware.box_io import Firmware
from firmware.selftest.wear import WearFile
from hardware.box import Box
from hardware.calibration import CameraCalibration
from hardware.errors import Fault
from hardware.tiles import Position, TileId
from vision.capture.frame import Camera
from vision.watching.box_reader import BoxReader
from vision.watching.evidence import EvidenceFolder, Limits
from vision.watching.throw_watcher import Watcher

if TYPE_CHECKING:
    from vision.custom_dice.faces import DiceSet


@dataclass(frozen=True, slots=True)
class Table:
    """The open box as the referee needs it; real and simulated boxes look the same, so tests of one hold for the other.

    throw: called with the number of dice when a player asks for a throw, or reports that it was made.
    sides: of the dice that the camera reads.
    wear: counts the movements of the tiles.
    found: problems with the calibration and other files that were found at the start.
    anyway: play even if servos were never calibrated.
    hands: act on a simulated box; None for a real one.
    claims: the dice of Fleet! and Flash! whose claims `watcher` reads; None if the box has none.
    luck: throws in such a race for players who do not throw themselves.
    """

    box: Box
    firmware: Firmware
    watcher: Watcher
    throw: Callable[[int], None]
    sides: int = 6
    wear: WearFile | None = None
    found: tuple[Fault, ...] = ()
    anyway: bool = False
    hands: Hands | None = None
    claims: ClaimDice | None = None
    luck: random.Random = field(default_factory=random.SystemRandom)

    @property
    def simulated(self) -> bool:
        """True if no metal moves."""
        return self.hands is not None

    @property
    def checks(self) -> tuple[Fault, ...]:
        """The problems with profile and calibration now, which hands can make and mend at a simulated box."""
        of_the_box = (each for each in self.found if each.kind == "description")
        return (*of_the_box, *(find_spoiled(self.box, self.hands.broken) if self.hands is not None else ()))

    @property
    def undriven(self) -> Fault | None:
        """The problem for which no tile is driven in play; tests and calibrations drive tiles in small strokes."""
        return next((each for each in self.checks if each.code != NOT_CALIBRATED or not self.anyway), None)

    @property
    def unusable(self) -> tuple[Fault, ...]:
        """The files that could not be used at the start, and without which the box plays."""
        return tuple(each for each in self.found if each.kind != "description")

    async def check_driven(self) -> None:
        """Raise `NotCalibrated` if no tile may be driven in play."""
        if self.undriven is not None and self.hands is not None:
            await self.hands.look()  # it may have been mended from another process
        if self.undriven is not None:
            raise NotCalibrated(self.undriven)


@asynccontextmanager
async def open_table(
    box: Box,
    firmware: Firmware,
    camera: Camera,
    throw: Callable[[int], None],
    calibration: CameraCalibration | None = None,
    sets: "tuple[DiceSet, ...]" = (),
    claims: ClaimSet | None = None,
) -> AsyncIterator[Table]:
    """Open a table from open electronics and a camera, both real or both simulated; the camera is closed at the end.

    sets: taught dice to read; without them the camera reads pips. claims: the dice for claims.
    """
    reader = BoxReader(box.field, box.die_mm, calibration, sets)
    claim_reader = BoxReader(box.field, box.die_mm, calibration, claims=claims.load) if claims is not None else None
    async with Watcher(camera, box.field, box.die_mm, reader=reader, claims=claim_reader) as watcher:
        yield Table(
            box,
            firmware,
            watcher,
            throw,
            sets[0].sides if sets else 6,
            claims=claims.dice if claims is not None else None,
        )


class DiceRules(Protocol):
    """The part of a game's rules that concerns reading its dice."""

    @property
    def sides(self) -> int: ...


def camera_reads(rules: DiceRules, table: Table, players: int = 1) -> bool:
    """Return True if the camera can read the dice of this game; in a race, with a colour for each of the players."""
    if isinstance(rules, FleetRules):
        return table.claims is not None and len(table.claims.colours) >= players
    return rules.sides == table.sides


def targets(board: Board, box: Box) -> Mapping[TileId, Position]:
    """Return the position of every tile of the box that shows `board`.

    Tiles that the game does not have lie down in its rows, out of the way; in rows behind those they stay up, so that
    the front tiles can move freely.
    """
    named = board.layout.by_name
    in_play = board.layout.rows  # rows that the game uses, counted from the front

    def target(tile: TileId) -> Position:
        of_game = named.get(str(tile))
        stands = board.stands(of_game) if of_game else tile.row > in_play
        return Position.OPEN if stands else Position.SHUT

    return {tile: target(tile) for tile in box.tile_ids}


_MEGABYTE = 1_000_000


@asynccontextmanager
async def with_evidence(
    opening: AbstractAsyncContextManager[Table], settings: Settings, home: Home
) -> AsyncIterator[Table]:
    """Open the table; with `[evidence] keep` in the settings, keep the frame of each counted or refused throw."""
    async with opening as table:
        if not settings.evidence.keep:
            yield table
            return
        limits = Limits(settings.evidence.keep, settings.evidence.megabytes * _MEGABYTE)
        with EvidenceFolder(home.evidence, limits) as evidence:
            table.watcher.keep_evidence(evidence.keep)
            yield table
