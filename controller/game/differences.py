"""The difference between tiles and game after a power cut: what it comes to if the tiles are right. Pure functions."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from controller.game.hands import Complete, meaning_of
from controller.game.phases import Differing
from controller.game.state import Game
from controller.rules import Board, Tile
from hardware.tiles import Position, TileId

_PLACES = (Position.OPEN, Position.SHUT)


def can_correct_game(game: Game) -> bool:
    """True if the tiles that were found make another board, in a game that has begun."""
    return isinstance(game.phase, Differing) and not game.match.rolling and corrected_board(game) != game.board


def move_found(game: Game) -> tuple[str, ...]:
    """The tiles that were found, if they make a move for the throw that lies and nothing else differs; else none.

    Nobody chooses for the house.
    """
    if not isinstance(game.phase, Differing) or game.player.house:
        return ()
    strayed = {TileId.parse(tile.name): tile.seen for tile in game.phase.found}
    meant = meaning_of(replace(game, phase=game.phase.then), strayed)
    return meant.tiles if isinstance(meant, Complete) else ()


def corrected_board(game: Game) -> Board:
    """The board as the sensors see it.

    A tile that is half way or doubtful is where the game has it, one behind a standing tile stands, and a column that
    the game is played without lies: the box brings them there.
    """
    if not isinstance(game.phase, Differing):
        return game.board
    layout = game.board.layout
    lies = {name: not game.board.stands(tile) for name, tile in layout.by_name.items()}
    lies |= {tile.name: tile.seen is Position.SHUT for tile in game.phase.found if tile.seen in _PLACES}
    shut = (
        len(column) if number in layout.absent else _count_shut(column, lies)
        for number, column in enumerate(layout.by_column, 1)
    )
    return Board(layout, tuple(shut))


def _count_shut(column: Sequence[Tile], lies: Mapping[str, bool]) -> int:
    """The tiles of a column that lie, up to the first that stands."""
    return next((number for number, tile in enumerate(column) if not lies[tile.name]), len(column))
