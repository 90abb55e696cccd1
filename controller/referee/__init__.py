"""Brings rules, metal and players together: the only writer of the game."""

from controller.referee.panel import serve_panel
from controller.referee.referee import Referee
from controller.referee.run import run_referee
from controller.referee.subscribers import subscribers

__all__ = ["Referee", "run_referee", "serve_panel", "subscribers"]
