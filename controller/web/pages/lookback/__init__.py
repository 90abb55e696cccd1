"""Pages that look back: the games that were played, one of them throw by throw, its players, and the dice."""

from controller.web.pages.lookback import dice, games, players, replay

ROUTERS = (games.router, replay.router, players.router, dice.router)

__all__ = ["ROUTERS"]
