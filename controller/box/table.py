"""The open table as the referee needs it, and where each tile must be to show a board."""

import random
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from controller.box.claim_dice import ClaimDice, ClaimSet
from controller.rules import Board
from controller.rules.fleet import FleetRules
from firmware.box_io import Firmware
from firmware.selftest import WearFile
from hardware.box import Box
from hardware.calibration import CameraCalibration
from hardware.errors import Fault
from hardware.tiles import Position, TileId
from vision.capture import Camera
from vision.watching import BoxReader, Watcher

if TYPE_CHECKING:
    from controller.box.hands import Hands
    from vision.taught import TaughtSet


@dataclass(frozen=True, slots=True)
class Table:
    """The open box as the referee needs it: real or simulated, so that what is tested on one is true of the other.

    `throw(count)` is called when somebody asks for a throw of so many dice, or says that it has been made. `sides`
    is how many the dice have that the camera reads. `wear` is the book of what the tiles have done, `checks` what the
    checks at the start found wrong with what was measured of this box. `hands` are those at a simulated box; None: of
    a real one, which has people's. `claims` are the dice of Fleet! and Flash!, whose claims the `watcher` reads; None
    where the box knows none. `luck` throws for those who do not throw themselves in such a race.
    """

    box: Box
    firmware: Firmware
    watcher: Watcher
    throw: Callable[[int], None]
    sides: int = 6
    wear: WearFile | None = None
    checks: tuple[Fault, ...] = ()
    hands: "Hands | None" = None
    claims: ClaimDice | None = None
    luck: random.Random = field(default_factory=random.SystemRandom)

    @property
    def simulated(self) -> bool:
        """True if no metal moves."""
        return self.hands is not None


@asynccontextmanager
async def open_table(
    box: Box,
    firmware: Firmware,
    camera: Camera,
    throw: Callable[[int], None],
    calibration: CameraCalibration | None = None,
    sets: "tuple[TaughtSet, ...]" = (),
    claims: ClaimSet | None = None,
) -> AsyncIterator[Table]:
    """Open the table of open electronics and a camera, which is closed at the end; both real, or both simulated.

    The dice are read by their pips, or by what was taught of them in `sets`; those of claims by `claims`.
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


class Diced(Protocol):
    """The rules of a game, as far as a camera has to read its dice."""

    @property
    def sides(self) -> int:
        """How many sides its dice have."""


def camera_reads(rules: Diced, table: Table, players: int = 1) -> bool:
    """True if the camera of a table knows the dice of this game; in a race each of so many has a colour of his own."""
    if isinstance(rules, FleetRules):
        return table.claims is not None and len(table.claims.colours) >= players
    return rules.sides == table.sides


def targets(board: Board, box: Box) -> Mapping[TileId, Position]:
    """The position of every tile of the box that shows `board`.

    Tiles that the game does not have lie in the front row, out of the way; behind it they stay up, where the
    front tiles can move freely.
    """
    named = board.layout.by_name
    in_play = board.layout.rows

    def target(tile: TileId) -> Position:
        of_game = named.get(str(tile))
        stands = board.stands(of_game) if of_game else tile.row > in_play
        return Position.OPEN if stands else Position.SHUT

    return {tile: target(tile) for tile in box.tile_ids}
