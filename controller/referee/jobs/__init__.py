"""Jobs that the box does by itself in each phase: which are started, and what each of them does and yields."""

from controller.referee.jobs.executor import Executor, Moment
from controller.referee.jobs.lookout import Lookout
from controller.referee.jobs.outcomes import Compared, Done, Meanwhile, Notice, Outcome, Unread, Wish

__all__ = ["Compared", "Done", "Executor", "Lookout", "Meanwhile", "Moment", "Notice", "Outcome", "Unread", "Wish"]
