"""The addresses of the API, a file for each noun."""

from typing import TYPE_CHECKING

from controller.web.routes import (
    access,
    box,
    commands,
    games,
    history,
    job,
    metrics,
    odds,
    pictures,
    seats,
    settings,
    simulated,
    state,
    statistics,
)
from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from controller.web.routes.examples import EXAMPLES, REFUSAL_EXAMPLES
else:
    __getattr__ = load_on_demand(__name__, __file__)

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
    simulated.router,
    job.router,
    metrics.router,
)

__all__ = ["EXAMPLES", "REFUSAL_EXAMPLES", "ROUTERS"]
