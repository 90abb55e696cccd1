"""Small drawings of boards for the pages of rules and options: column by column and row behind row. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from controller.messages.words import Words
from controller.rules.board import Board
from controller.rules.fleet.cards import FleetTerms
from controller.rules.tiles import Tile
from controller.web.pages.phrases import say_board

# can: part of a legal move of the shown throw. hidden: another tile stands in front of it.
TileLook = Literal["can", "open", "hidden", "shut", "absent"]


@dataclass(frozen=True, slots=True)
class SmallTile:
    """One tile of a small drawing."""

    mark: str
    look: TileLook


@dataclass(frozen=True, slots=True)
class SmallBoard:
    """A small drawing of a board: its rows, the back row first, and its description in words."""

    rows: tuple[tuple[SmallTile, ...], ...]
    columns: int
    spoken: str


def draw_board(board: Board, words: Words, can: Iterable[Tile] = ()) -> SmallBoard:
    """Return the small drawing of a board. can: the tiles to mark as ones that may be shut."""
    showing, marked = set(board.showing), set(can)

    def look_of(tile: Tile) -> TileLook:
        if tile.column in board.layout.absent:
            return "absent"
        if not board.stands(tile):
            return "shut"
        if tile not in showing:
            return "hidden"
        return "can" if tile in marked else "open"

    rows = tuple(
        tuple(SmallTile(tile.mark, look_of(tile)) for tile in board.layout.row(row))
        for row in reversed(range(board.layout.rows))
    )
    return SmallBoard(rows, board.layout.columns, say_board(board, words))


def draw_chips(terms: FleetTerms, players: int, words: Words) -> SmallBoard:
    """Return a drawing of the chips of a race with this number of players, each with its value."""
    worths = [str(worth) for worth in terms.worths(players)]
    spoken = words.gettext("Chips: {chips}.").format(chips=words.all_of(worths))
    return SmallBoard((tuple(SmallTile(worth, "open") for worth in worths),), len(worths), spoken)
