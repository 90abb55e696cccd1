"""The order of moves, as pure functions: the stack rule (a front tile hides the one behind) and the current budget.

A tile goes down only when the one in front of it lies; a tile comes up only when the one behind it stands.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from firmware.errors import SensorDoubtful, TileInTheWay
from firmware.messages import TileCommand
from hardware.tiles import Position, TileId, tile_at, tile_in_front


@dataclass(frozen=True, slots=True)
class PlannedMove:
    """Move `tile` to `target` once all tiles in `after` have arrived."""

    tile: TileId
    target: Position
    after: frozenset[TileId]


def merge_commands(commands: Iterable[TileCommand]) -> Mapping[TileId, Position]:
    """Merge commands into one target per tile. Raises `ValueError` if a tile is sent to two places."""
    wanted: dict[TileId, Position] = {}
    for command in commands:
        if wanted.setdefault(command.tile, command.position) != command.position:
            raise ValueError(f"{command.tile} is sent to OPEN and to SHUT at once")
    return wanted


def neighbours(tile: TileId, rows: int, columns: int) -> tuple[TileId, ...]:
    """Return the tile in front of `tile` and the one behind it, if they exist."""
    ahead = tile_in_front(tile, columns)
    behind = tile_behind(tile, rows, columns)
    return tuple(each for each in (ahead, behind) if each is not None)


def tile_behind(tile: TileId, rows: int, columns: int) -> TileId | None:
    """Return the tile that `tile` hides while standing, or None for the last row."""
    return None if tile.row == rows else tile_at(tile.row + 1, tile.column(columns), columns)


def blocking_tile(tile: TileId, target: Position, rows: int, columns: int) -> TileId | None:
    """Return the tile that must be at `target` before `tile`: in front on the way down, behind on the way up."""
    return tile_in_front(tile, columns) if target is Position.SHUT else tile_behind(tile, rows, columns)


def opposite(position: Position) -> Position:
    return Position.OPEN if position is Position.SHUT else Position.SHUT


def plan_moves(
    wanted: Mapping[TileId, Position], seen: Mapping[TileId, Position], *, rows: int, columns: int
) -> tuple[PlannedMove, ...]:
    """Plan the moves that bring every wanted tile to its place, each after those it depends on.

    `seen` has all wanted tiles and their neighbours; a wanted tile that is already there is not moved. Raises
    `TileInTheWay` (or `SensorDoubtful`, if its sensors do not tell) if a neighbour that is not moved out of the way
    breaks the stack rule.
    """
    moves = []
    for tile, target in wanted.items():
        if seen[tile] is target:
            continue
        other = blocking_tile(tile, target, rows, columns)
        after = frozenset[TileId]()
        if other is not None:
            after = _tiles_to_await(tile, other, target, wanted, seen)
        moves.append(PlannedMove(tile, target, after))

    # Shutting goes front to back and opening back to front, so every move comes after those it waits for.
    def depth(move: PlannedMove) -> int:
        return move.tile.row if move.target is Position.SHUT else rows - move.tile.row

    return tuple(sorted(moves, key=depth))


def select_startable(
    waiting: Sequence[PlannedMove], arrived: Set[TileId], *, running: int, at_once: int
) -> tuple[PlannedMove, ...]:
    """Select the waiting moves that may start now: their predecessors have arrived and the supply carries them."""
    free = max(0, at_once - running)
    return tuple(move for move in waiting if move.after <= arrived)[:free]


def select_again(
    moves: Iterable[PlannedMove],
    strayed: Mapping[TileId, Position],
    failed: Set[TileId],
    arrived: Set[TileId],
    rows: int,
    columns: int,
) -> Mapping[TileId, Position]:
    """Select the tiles to be moved again, with their targets, after some have `strayed` from their places.

    These are the strayed tiles, except those that `failed` on their way back, and the tiles that did not arrive because
    a strayed one came into their way. `moves` are in the order of their plan.
    """
    again = {tile: target for tile, target in strayed.items() if tile not in failed}
    for move in moves:
        if move.tile not in arrived and blocking_tile(move.tile, move.target, rows, columns) in again:
            again[move.tile] = move.target
    return again


def _tiles_to_await(
    tile: TileId, other: TileId, needed: Position, wanted: Mapping[TileId, Position], seen: Mapping[TileId, Position]
) -> frozenset[TileId]:
    """Return the tiles that `tile` waits for until `other` is at `needed`. Raises `MotionFault` if it will not be."""
    if wanted.get(other, seen[other]) is not needed:
        if other not in wanted and seen[other] is Position.UNKNOWN:
            raise SensorDoubtful(str(other), expected=f"{needed}", seen="no clear answer of its sensors")
        sent = wanted.get(other, seen[other])
        raise TileInTheWay(str(other), expected=f"{needed} before {tile} moves to {needed}", seen=f"{sent}")
    return frozenset() if seen[other] is needed else frozenset((other,))
