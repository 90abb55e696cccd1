"""Jobs that the box does by itself in each phase: their choice, their work and their outcomes."""

from controller.referee.jobs.executor import Executor, Moment
from controller.referee.jobs.outcomes import (
    Compared,
    Done,
    Meanwhile,
    Notice,
    Observations,
    Outcome,
    Unread,
    Wish,
    door_of,
)
from controller.referee.jobs.turn import ROLL_S, Throwing

__all__ = [
    "ROLL_S",
    "Compared",
    "Done",
    "Executor",
    "Meanwhile",
    "Moment",
    "Notice",
    "Observations",
    "Outcome",
    "Throwing",
    "Unread",
    "Wish",
    "door_of",
]
