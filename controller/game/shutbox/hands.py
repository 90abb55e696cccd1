"""Tiles that are elsewhere than the game has them: moves by hand, and what it comes to if such tiles are right.

What the box then does about it is decided in `controller.referee.jobs.tiles`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from controller.game.core.phases import TileMismatch
from controller.game.shutbox.state import Choosing, Game, is_shared
from controller.rules.board import Board
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
    legal = game.rules.legal_moves(game.board, game.phase.throw) if isinstance(game.phase, Choosing) else ()
    moves = [{tile.name for tile in move} for move in legal]
    if len(lying) == len(strayed):
        if lying in moves:
            return Complete(_in_order(strayed))
        if any(lying < move for move in moves):
            return Incomplete(_in_order(strayed))
    # What can be completed stays; only what is in its way goes back.
    wrong = [tile for tile, seen in strayed.items() if seen is Position.OPEN]
    wrong = wrong or [tile for tile in strayed if not any(str(tile) in move for move in moves)]
    return Wrong(tuple(wrong or strayed))


def _in_order(tiles: Iterable[TileId]) -> tuple[str, ...]:
    return tuple(map(str, tiles))


_PLACES = (Position.OPEN, Position.SHUT)


def can_correct_game(game: Game) -> bool:
    """True if the tiles that were found make another board, in a game that has begun."""
    if not isinstance(game.phase, TileMismatch) or game.match.rolling or corrected_board(game) == game.board:
        return False
    # The other box of a match cannot follow but by a move.
    return not is_shared(game) or bool(move_found(game))


def move_found(game: Game) -> tuple[str, ...]:
    """The tiles that were found, if they make a move for the throw that lies and nothing else differs; else none.

    Nobody chooses for the house, or for a player at another box.
    """
    if not isinstance(game.phase, TileMismatch) or game.player.house or game.player.remote:
        return ()
    strayed = {TileId.parse(tile.name): tile.seen for tile in game.phase.found}
    meant = meaning_of(replace(game, phase=game.phase.then), strayed)
    return meant.tiles if isinstance(meant, Complete) else ()


def corrected_board(game: Game) -> Board:
    """The board as the sensors see it.

    A tile that is half way or doubtful is where the game has it, one behind a standing tile stands, and a column that
    the game is played without lies: the box brings them there.
    """
    if not isinstance(game.phase, TileMismatch):
        return game.board
    layout = game.board.layout
    lies = {name: not game.board.stands(tile) for name, tile in layout.by_name.items()}
    lies |= {tile.name: tile.seen is Position.SHUT for tile in game.phase.found if tile.seen in _PLACES}
    shut = []
    for number, column in enumerate(layout.by_column, 1):
        lying = len(column)
        if number not in layout.absent:
            lying = next((place for place, tile in enumerate(column) if not lies[tile.name]), lying)
        shut.append(lying)
    return Board(layout, tuple(shut))
