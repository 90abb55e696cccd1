"""The legal moves as a page lists them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.web.pages.phrases import say_list
from controller.web.pages.scene.tiles import DrawnTile
from controller.words.words import Words


@dataclass(frozen=True, slots=True)
class DrawnMove:
    """One legal move: the names of its tiles, the drawn tiles, and its text for a screen reader."""

    names: tuple[str, ...]
    tiles: tuple[DrawnTile, ...]
    name_spoken: str

    @property
    def is_behind(self) -> bool:
        """True if one of the tiles stands behind the front row."""
        return any(tile.row > 1 for tile in self.tiles)


def draw_moves(moves: Sequence[tuple[str, ...]], tiles: Mapping[str, DrawnTile], words: Words) -> tuple[DrawnMove, ...]:
    """Return every one of the moves, in their order."""
    drawn = []
    for names in moves:
        shut = tuple(tiles[name] for name in names)
        called = say_list([tile.called for tile in shut], words)
        drawn.append(DrawnMove(names, shut, words.gettext("Choose {tiles}").format(tiles=called)))
    return tuple(drawn)
