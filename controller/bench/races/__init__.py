"""Campaign of races over the API, and a second bookkeeper of a race that hears its events alone."""

from controller.bench.races.race_books import RaceBooks

__all__ = ["RaceBooks"]
