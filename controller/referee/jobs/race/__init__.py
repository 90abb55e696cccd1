"""What the box does by itself in a race: it counts, throws for the house, looks at claims, and keeps the time."""

from controller.referee.jobs.race.cups import Cups
from controller.referee.jobs.race.race import RaceJobs

__all__ = ["Cups", "RaceJobs"]
