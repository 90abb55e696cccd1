"""How often the daemon of a home was started, and how it ended: asked to, by an error, killed, or by the power cut.

A daemon notes its start, with the number that the kernel draws at each start of the computer, and its end. A start that
finds one before it without an end tells them apart: with another number, the computer was off meanwhile and nobody had
asked for it; with the same one, only the process has died. No clock is asked, for that of a Pi wakes in the past.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hardware.calibration import write_durably

_log = logging.getLogger(__name__)
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")  # random(4): another at each start of the kernel

Ending = Literal["ended", "failed", "killed", "unplugged"]


class Runs(BaseModel):
    """The runs of a daemon so far, by how they ended, and the start of the computer in which one goes on.

    unplugged: the computer was off before the daemon had ended. killed: the daemon alone was gone. failed: it ended
    by an error, which stands in the log.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    ended: int = Field(default=0, ge=0)
    failed: int = Field(default=0, ge=0)
    killed: int = Field(default=0, ge=0)
    unplugged: int = Field(default=0, ge=0)
    running_in: str | None = None

    def settled(self, boot: str) -> "Runs":
        """The same once a run that did not end is counted, by the start of the computer in which that is noticed."""
        if self.running_in is None:
            return self
        return self.with_end("killed" if self.running_in == boot else "unplugged")

    def with_end(self, how: Ending) -> "Runs":
        """The same after the run that goes on has ended so."""
        return self.model_copy(update={how: getattr(self, how) + 1, "running_in": None})


def read_runs(path: Path) -> Runs:
    """The runs that were noted; none where there is no file, or where it is damaged."""
    try:
        return Runs.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return Runs()


def find_boot() -> str:
    """The number of this start of the computer; empty where the system draws none, and all starts count as one."""
    try:
        return _BOOT_ID.read_text("ascii").strip()
    except OSError:
        return ""


@contextmanager
def note_run(path: Path, boot: str) -> Iterator[None]:
    """Note that a daemon runs for the time of the block, and how it ends.

    A disk that does not take the note keeps no daemon from its work: that is logged. Concurrency: one daemon a file.
    """
    runs = read_runs(path).settled(boot).model_copy(update={"running_in": boot})
    _write(path, runs)
    try:
        yield
    except Exception:
        _write(path, runs.with_end("failed"))
        raise
    except BaseException:
        # Somebody stops the daemon: Ctrl-C, or the end of its task.
        _write(path, runs.with_end("ended"))
        raise
    _write(path, runs.with_end("ended"))


def _write(path: Path, runs: Runs) -> None:
    try:
        write_durably(path, runs.model_dump_json().encode())
    except OSError as error:
        _log.warning("the runs of the daemon cannot be noted: %s: %s", path, error.strerror)
