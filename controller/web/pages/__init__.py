"""The pages that the box serves, a file for each; their templates and what these load lie beside them."""

from controller.web.pages import live, play, statics, tile_pictures
from controller.web.pages.parts import DrawnParts
from controller.web.pages.scene import TilePictures

ROUTERS = (play.router, statics.router, tile_pictures.router, live.router)

__all__ = ["ROUTERS", "DrawnParts", "TilePictures"]
