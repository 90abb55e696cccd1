"""The pages that the box serves, a file for each; their templates and what these load lie beside them."""

from controller.web.pages import live, play, statics
from controller.web.pages.parts import DrawnParts

ROUTERS = (play.router, statics.router, live.router)

__all__ = ["ROUTERS", "DrawnParts"]
