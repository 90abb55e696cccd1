"""The addresses of the API, a file for each noun."""

from controller.web.routes import (
    access,
    box,
    commands,
    games,
    history,
    metrics,
    odds,
    pictures,
    seats,
    settings,
    state,
    statistics,
)

ROUTERS = (
    state.router,
    commands.router,
    seats.router,
    access.router,
    games.router,
    odds.router,
    history.router,
    statistics.router,
    settings.router,
    pictures.router,
    box.router,
    metrics.router,
)

__all__ = ["ROUTERS"]
