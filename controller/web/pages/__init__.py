"""The pages that the box serves, a file for each; their templates and what these load lie beside them."""

from controller.web.pages import (
    front,
    join,
    lesson,
    live,
    lookback,
    operator,
    play,
    rulebook,
    screens,
    start,
    statics,
    tile_pictures,
)
from controller.web.pages.nothing import draw_refused
from controller.web.pages.scene import TilePictures
from controller.web.pages.selftest import answer_selftest, draw_selftest
from controller.web.pages.table import DrawnParts

ROUTERS = (
    front.router,
    start.router,
    join.router,
    play.router,
    lesson.router,
    *lookback.ROUTERS,
    *rulebook.ROUTERS,
    screens.router,
    operator.router,
    statics.router,
    tile_pictures.router,
    live.router,
)

__all__ = ["ROUTERS", "DrawnParts", "TilePictures", "answer_selftest", "draw_refused", "draw_selftest"]
