"""The open table as the referee needs it; which games a box can show; where each tile must be to show a board."""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from controller.errors import BoxTooSmall
from controller.rules import Board, Ruleset
from firmware.box_io import Firmware
from firmware.selftest import WearFile
from hardware.box import Box, box_names, load_box
from hardware.calibration import CameraCalibration
from hardware.errors import Fault
from hardware.tiles import Position, TileId
from vision.capture import Camera
from vision.taught import TaughtSet
from vision.watching import BoxReader, Watcher


@dataclass(frozen=True, slots=True)
class Table:
    """The open box as the referee needs it: real or simulated, so that what is tested on one is true of the other.

    `throw(count)` is called when somebody asks for a throw of so many dice, or says that it has been made. `sides`
    is how many the dice have that the camera reads. `wear` is the book of what the tiles have done, `checks` what the
    checks at the start found wrong with what was measured of this box. `simulated`: no metal moves.
    """

    box: Box
    firmware: Firmware
    watcher: Watcher
    throw: Callable[[int], None]
    sides: int = 6
    wear: WearFile | None = None
    checks: tuple[Fault, ...] = ()
    simulated: bool = False


@asynccontextmanager
async def open_table(
    box: Box,
    firmware: Firmware,
    camera: Camera,
    throw: Callable[[int], None],
    calibration: CameraCalibration | None = None,
    sets: tuple[TaughtSet, ...] = (),
) -> AsyncIterator[Table]:
    """Open the table of open electronics and a camera, which is closed at the end; both real, or both simulated.

    The dice are read by their pips, or by what was taught of them in `sets`.
    """
    reader = BoxReader(box.field, box.die_mm, calibration, sets)
    async with Watcher(camera, box.field, box.die_mm, reader=reader) as watcher:
        yield Table(box, firmware, watcher, throw, sets[0].sides if sets else 6)


def default_box_for(rules: Ruleset) -> Box:
    """The smallest known box that can show a game; the reference build where it can."""
    boxes = [load_box("two-level-9"), *known_boxes()]
    return next((box for box in boxes if can_show(rules, box)), boxes[0])


def known_boxes() -> list[Box]:
    """The boxes whose profiles come with the program."""
    return [load_box(name) for name in box_names()]


def check_box(rules: Ruleset, box: Box, others: Iterable[Box]) -> None:
    """Raise `BoxTooSmall`, naming the boxes of `others` that can, if `box` cannot show this game."""
    if can_show(rules, box):
        return
    able = ", ".join(other.name for other in others if can_show(rules, other)) or "none that is known"
    layout = rules.layout
    kind = " dominoes" if layout.dominoes else ""
    raise BoxTooSmall(
        f"{rules.preset.name} needs {layout.rows} row(s) of {layout.columns}{kind}, the box {box.name} has "
        f"{box.rows} of {box.columns}{' dominoes' if box.kind == 'dominoes' else ''}; boxes that can show it: {able}"
    )


def can_show(rules: Ruleset, box: Box) -> bool:
    """True if every tile of the game has its tile on the box.

    A game of one row is shown by the front row of a longer box, whose further tiles lie. With more rows the
    numbers behind one another must be the box's own, so the width must be the same. Dominoes need dominoes.
    """
    layout = rules.layout
    if layout.dominoes != (box.kind == "dominoes"):
        return False
    if layout.rows == 1:
        return layout.columns <= box.columns
    return layout.rows <= box.rows and layout.columns == box.columns


def camera_reads(rules: Ruleset, sides: int) -> bool:
    """True if the camera, which knows dice of so many `sides`, reads the dice of this game."""
    return rules.sides == sides


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
