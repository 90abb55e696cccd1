"""The parts of the table that a page draws, as plain values: tiles and marks, dice and their luck, moves, seats."""

from controller.web.pages.scene.dice import DrawnDie, draw_dice
from controller.web.pages.scene.luck import one_in
from controller.web.pages.scene.marks import COLOURS, TYPES, DrawnMark, TilePictures, draw_sign
from controller.web.pages.scene.moves import DrawnMove, draw_moves
from controller.web.pages.scene.seats import DrawnSeat, describe_counting, draw_seats
from controller.web.pages.scene.tiles import DrawnTile, TileLook, draw_tiles, rows_of

__all__ = [
    "COLOURS",
    "TYPES",
    "DrawnDie",
    "DrawnMark",
    "DrawnMove",
    "DrawnSeat",
    "DrawnTile",
    "TileLook",
    "TilePictures",
    "describe_counting",
    "draw_dice",
    "draw_moves",
    "draw_seats",
    "draw_sign",
    "draw_tiles",
    "one_in",
    "rows_of",
]
