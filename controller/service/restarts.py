"""Count how the runs of a daemon ended: on request, by an error, killed, or by a power cut.

A daemon notes its start, with the kernel's random id of this boot, and its end. If a start finds an earlier run without
an end, the id tells the cause: with another id the power was cut, with the same one only the process died. The clock
is not used, because that of a Pi is wrong after a start.
"""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hardware.calibration import write_durably
from hardware.toml_file import name_aside, read_plain

_log = logging.getLogger(__name__)
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")  # random(4): different at each boot

Ending = Literal["ended", "failed", "killed", "unplugged"]


class RunCounts(BaseModel):
    """The number of runs of a daemon so far, by how they ended.

    ended: on request.
    failed: by an error, which is in the log.
    killed: the process died, the computer kept running.
    unplugged: the computer lost power before the daemon had ended.
    running_in: the boot id of the run that has not ended; None if all have.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    ended: int = Field(default=0, ge=0)
    failed: int = Field(default=0, ge=0)
    killed: int = Field(default=0, ge=0)
    unplugged: int = Field(default=0, ge=0)
    running_in: str | None = None

    def settled(self, boot: str) -> "RunCounts":
        """Count a run that has not ended, as seen in the boot with this id."""
        if self.running_in is None:
            return self
        return self.with_end("killed" if self.running_in == boot else "unplugged")

    def with_end(self, how: Ending) -> "RunCounts":
        """Count the current run as ended in this way."""
        return self.model_copy(update={how: getattr(self, how) + 1, "running_in": None})


def read_runs(path: Path) -> RunCounts:
    """Read the noted runs; a missing or damaged file counts as none."""
    return _read(path)[0]


def _read(path: Path) -> tuple[RunCounts, str]:
    """Return the noted runs, and why their file cannot be used, beginning with its name; "" if there is no reason."""
    try:
        return RunCounts.model_validate_json(read_plain(path)), ""
    except FileNotFoundError:
        return RunCounts(), ""
    except (OSError, ValidationError) as error:
        return RunCounts(), f"{path}: {error.strerror if isinstance(error, OSError) else 'damaged'}"


def find_boot() -> str:
    """Return the id of this boot; "" on a system without one, where all boots count as the same."""
    try:
        return _BOOT_ID.read_text("ascii").strip()
    except OSError:
        return ""


@contextmanager
def note_run(path: Path, boot: str) -> Iterator[str]:
    """Note that a daemon runs during the block, and how it ends; yield why the file could not be used, or "".

    Such a file is put aside. A disk error does not stop the daemon; it is only logged. Concurrency: one daemon for each
    file.
    """
    before, problem = _read(path)
    if problem:
        with suppress(OSError):
            os.replace(path, name_aside(path, "damaged", date.today()))
    runs = before.settled(boot).model_copy(update={"running_in": boot})
    _write(path, runs)
    try:
        yield problem
    except Exception:
        _write(path, runs.with_end("failed"))
        raise
    except BaseException:
        # Stopped on request: Ctrl-C, or its task was cancelled.
        _write(path, runs.with_end("ended"))
        raise
    _write(path, runs.with_end("ended"))


def _write(path: Path, runs: RunCounts) -> None:
    try:
        write_durably(path, runs.model_dump_json().encode())
    except OSError as error:
        _log.warning("count of daemon runs could not be saved path=%s error=%s", path, error.strerror)
