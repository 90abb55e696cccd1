"""Boards as small drawings: tile beside tile and row behind row, as a page of rules shows them. Pure."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from controller.rules import Board, Tile
from controller.rules.fleet import FleetTerms
from controller.web.pages.phrases import say_board, say_list
from controller.words import Words

# can: part of a legal move of the throw that is shown. hidden: another stands before it.
TileLook = Literal["can", "open", "hidden", "shut", "absent"]


@dataclass(frozen=True, slots=True)
class SmallTile:
    """One tile of a small drawing."""

    mark: str
    look: TileLook


@dataclass(frozen=True, slots=True)
class SmallBoard:
    """A board as it is drawn small: its rows, the hindmost first; and in words."""

    rows: tuple[tuple[SmallTile, ...], ...]
    columns: int
    spoken: str


def draw_board(board: Board, words: Words, can: Iterable[Tile] = ()) -> SmallBoard:
    """A board as a small drawing. can: the tiles that are marked as those that may be shut."""
    showing, marked = set(board.showing), set(can)
    rows = tuple(
        tuple(SmallTile(tile.mark, _look_of(tile, board, showing, marked)) for tile in board.layout.row(row))
        for row in reversed(range(board.layout.rows))
    )
    return SmallBoard(rows, board.layout.columns, say_board(board, words))


def draw_chips(terms: FleetTerms, players: int, words: Words) -> SmallBoard:
    """The chips of a race of so many players, each by what it is worth."""
    worths = [str(worth) for worth in terms.worths(players)]
    spoken = words.gettext("Chips: {chips}.").format(chips=say_list(worths, words))
    return SmallBoard((tuple(SmallTile(worth, "open") for worth in worths),), len(worths), spoken)


def _look_of(tile: Tile, board: Board, showing: Collection[Tile], can: Collection[Tile]) -> TileLook:
    if tile.column in board.layout.absent:
        return "absent"
    if not board.stands(tile):
        return "shut"
    if tile not in showing:
        return "hidden"
    return "can" if tile in can else "open"
