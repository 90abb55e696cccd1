"""Fleet! and Flash! as they are asked about: questions from a command line or a file."""

from controller.game.fleet.question import AIM, FleetQuestion

__all__ = ["AIM", "FleetQuestion"]
