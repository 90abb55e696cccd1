"""How much of its time a thread was awake: a worker that waits for a processor is no bus that hangs."""

from dataclasses import dataclass
from pathlib import Path

# Linux, Documentation/scheduler/sched-stats.rst and Documentation/filesystems/proc.rst.
_TASKS = Path("/proc/self/task")
_RUNNABLE = "R"
_NS = 1e-9


@dataclass(frozen=True, slots=True)
class WorkerTimes:
    """The times of a thread since its start.

    awake_s: seconds in which it ran or was done waiting for a processor.
    is_awake: it runs, or waits for a processor, now; otherwise it sleeps, in a transfer or for a lock.
    """

    awake_s: float
    is_awake: bool


def read_times(thread: int, tasks: Path = _TASKS) -> WorkerTimes | None:
    """Read the times of this process's thread with that number; None where Linux does not tell."""
    try:
        ran_ns, waited_ns, _ = (tasks / str(thread) / "schedstat").read_text("ascii").split()
        # The thread's name before the state may hold spaces and parentheses.
        state = (tasks / str(thread) / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0]
        return WorkerTimes((int(ran_ns) + int(waited_ns)) * _NS, state == _RUNNABLE)
    except (OSError, ValueError, IndexError):
        return None


def patience_left_s(
    patience_s: float, silent_s: float, before: WorkerTimes | None, now: WorkerTimes | None
) -> float | None:
    """Return for how many seconds longer a worker may be silent, 0 or less if its bus hangs; None: it is awake.

    silent_s: since it began its transfer. before, now: its times when it began its job, and now; None: unknown, so that
    all of its silence counts. Only time that it slept through counts.
    """
    if before is None or now is None:
        return patience_s - silent_s
    if now.is_awake:
        return None
    return patience_s - (silent_s - (now.awake_s - before.awake_s))
