"""Moves made by hand: whether tiles that a hand tipped are a move, part of one, or wrong. Pure functions.

What the box then does about it is decided in `controller.referee.jobs.tiles`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from controller.game.phases import Choosing
from controller.game.state import Game
from controller.rules import Move
from hardware.tiles import Position, TileId


@dataclass(frozen=True, slots=True)
class Untouched:
    """Every tile is where the game has it."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """A tile is half way, as under a hand that is still moving it, or its sensors contradict each other."""

    tile: TileId
    seen: Position


@dataclass(frozen=True, slots=True)
class Incomplete:
    """The tiles that lie are part of a move; others are missing."""

    tiles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Complete:
    """The tiles that lie make a move."""

    tiles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wrong:
    """These tiles are part of no move: they go back."""

    tiles: tuple[TileId, ...]


Meaning = Untouched | Unclear | Incomplete | Complete | Wrong


def meaning_of(game: Game, strayed: Mapping[TileId, Position]) -> Meaning:
    """The meaning of tiles that are seen elsewhere than the game has them, while its player is to choose."""
    if not strayed:
        return Untouched()
    for tile, seen in strayed.items():
        if seen in (Position.BETWEEN, Position.UNKNOWN):
            return Unclear(tile, seen)
    lying = {str(tile) for tile, seen in strayed.items() if seen is Position.SHUT}
    moves = [{tile.name for tile in move} for move in _moves(game)]
    if len(lying) == len(strayed):
        if lying in moves:
            return Complete(_in_order(strayed))
        if any(lying < move for move in moves):
            return Incomplete(_in_order(strayed))
    # What can be completed stays; only what is in its way goes back.
    wrong = [tile for tile, seen in strayed.items() if seen is Position.OPEN]
    wrong = wrong or [tile for tile in strayed if not any(str(tile) in move for move in moves)]
    return Wrong(tuple(wrong or strayed))


def _moves(game: Game) -> Sequence[Move]:
    if not isinstance(game.phase, Choosing):
        return ()
    return game.rules.legal_moves(game.board, game.phase.throw)


def _in_order(tiles: Iterable[TileId]) -> tuple[str, ...]:
    return tuple(map(str, tiles))
