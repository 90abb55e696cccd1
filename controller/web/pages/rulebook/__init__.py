"""Pages of the rules of every game, in sentences and drawings that are made of its options."""

from controller.web.pages.rulebook.pages import router

ROUTERS = (router,)

__all__ = ["ROUTERS"]
