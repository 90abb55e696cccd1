"""The legal moves as a page lists them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.web.pages.phrases import say_list
from controller.web.pages.scene.tiles import DrawnTile
from controller.words import Words


@dataclass(frozen=True, slots=True)
class DrawnMove:
    """One legal move: the names of its tiles, these as they are drawn, and what a screen reader says of it."""

    names: tuple[str, ...]
    tiles: tuple[DrawnTile, ...]
    name_spoken: str

    @property
    def is_behind(self) -> bool:
        """True where one of the tiles stands behind the front row."""
        return any(tile.row > 1 for tile in self.tiles)


def draw_moves(moves: Sequence[tuple[str, ...]], tiles: Mapping[str, DrawnTile], words: Words) -> tuple[DrawnMove, ...]:
    """Every one of the moves, in their order."""
    return tuple(_draw(move, tuple(tiles[name] for name in move), words) for move in moves)


def _draw(names: tuple[str, ...], tiles: tuple[DrawnTile, ...], words: Words) -> DrawnMove:
    called = say_list([tile.called for tile in tiles], words)
    return DrawnMove(names, tiles, words.gettext("Choose {tiles}").format(tiles=called))
