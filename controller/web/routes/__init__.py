"""The addresses of the API, a file for each noun."""

from controller.web.routes import access, commands, seats, state

ROUTERS = (state.router, commands.router, seats.router, access.router)

__all__ = ["ROUTERS"]
