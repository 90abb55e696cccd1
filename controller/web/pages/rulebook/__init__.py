"""Pages of the rules of every game, in sentences and drawings made from its options."""

from controller.web.pages.rulebook.pages import router

__all__ = ["router"]
