"""The pages that the box serves, a file for each; their templates and what these load lie beside them."""

from controller.web.pages import live, lookback, play, rulebook, statics, tile_pictures
from controller.web.pages.parts import DrawnParts
from controller.web.pages.scene import TilePictures
from controller.web.pages.selftest import answer_selftest, draw_selftest

ROUTERS = (
    play.router,
    *lookback.ROUTERS,
    *rulebook.ROUTERS,
    statics.router,
    tile_pictures.router,
    live.router,
)

__all__ = ["ROUTERS", "DrawnParts", "TilePictures", "answer_selftest", "draw_selftest"]
