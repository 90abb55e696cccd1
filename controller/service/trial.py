"""The effects that try a version: stop the daemon, keep the games, switch the link, start the daemon.

From `MarkTrial` on, the boot check can continue or go back after a power cut in any of these effects.
"""

import os
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from controller.errors import InstallError
from controller.runtime.locks import lock
from controller.service.boot_check import (
    TRIAL,
    Trial,
    as_owner,
    current_version,
    free_name,
    journal_format,
    put_in_place,
    set_aside,
    switch,
    watch,
)
from controller.service.effects import Effect, Host
from controller.service.layout import Layout
from controller.service.staging import remove_version
from hardware.calibration import sync, write_durably


@dataclass(frozen=True, slots=True)
class StopDaemon(Effect):
    """Stop the daemon, and keep any other from starting until the version is switched."""

    layout: Layout

    def __str__(self) -> str:
        return "stop the daemon; an unfinished game goes on afterwards"

    def perform(self, host: Host) -> None:
        """Stop the service and lock the box. Raises `DaemonRuns` if a daemon runs outside the service."""
        # Registered first: if stopping or a later step fails, the daemon is started again.
        host.until_start.callback(host.service.start)
        host.service.stop()
        if self.layout.home.data.is_dir():
            host.until_start.enter_context(lock(self.layout.home.lock))


@dataclass(frozen=True, slots=True)
class MarkTrial(Effect):
    """Write down what going back needs before anything is changed. writes: the journal format of the version."""

    layout: Layout
    version: str
    before: str
    writes: int

    def __str__(self) -> str:
        return f"note that {self.version} is on trial, so that every start without it going well goes back"

    def perform(self, host: Host) -> None:
        journal = self.layout.home.journal
        found = journal_format(journal)
        # With equal formats both versions use the same file, and going back must not touch it.
        is_moved = found is not None and found != self.writes
        kept = str(free_name(journal, found)) if is_moved else None
        trial = Trial(self.version, self.before, str(journal), found, kept)
        write_durably(self.layout.folder / TRIAL, trial.dump())


@dataclass(frozen=True, slots=True)
class PrepareJournal(Effect):
    """Keep the games as they are if the version on trial writes another journal format.

    A newer format: keep a copy; the version converts the journal when it opens it. An older format: the version cannot
    read the journal, so set it aside and put back the one kept when the format became newer.
    """

    layout: Layout
    writes: int

    def __str__(self) -> str:
        return f"keep the games as they are (this version writes format {self.writes})"

    def perform(self, host: Host) -> None:
        """Copy the journal, or set it aside, under the name in the trial file."""
        trial = Trial.load(self.layout.folder / TRIAL)
        if trial.kept is None or trial.journal_format is None:
            return
        journal, kept = Path(trial.journal), Path(trial.kept)
        if trial.journal_format < self.writes:
            copy_journal(journal, kept)
            return
        set_aside(journal, kept)
        if (older := newest_readable(journal, self.writes)) is not None:
            put_in_place(older, journal)


def copy_journal(journal: Path, copy: Path) -> None:
    """Copy a journal with everything committed to it, and its high-water mark, durably and with the same mode.

    Its backup copy is not copied: the copy made here serves as well. Raises `sqlite3.Error` or `OSError`.
    """
    with as_owner(journal.parent):
        mark = journal.with_suffix(".mark")
        if mark.is_file():
            _copy_durably(shutil.copyfile, mark, copy.with_suffix(mark.suffix))
        _copy_durably(_back_up, journal, copy)  # last, so that an existing copy always has its mark


def _copy_durably(write: Callable[[Path, Path], object], source: Path, copy: Path) -> None:
    fresh = copy.with_name(f".{copy.name}.new")
    fresh.unlink(missing_ok=True)
    # Created exclusively, and its mode set through the handle, so that a link planted at this name is never followed.
    handle = os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        write(source, fresh)
        os.fchmod(handle, stat.S_IMODE(source.stat().st_mode))
        os.fsync(handle)
    finally:
        os.close(handle)
    os.replace(fresh, copy)
    sync(copy.parent)


def _back_up(journal: Path, copy: Path) -> None:
    with closing(sqlite3.connect(journal)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)


def newest_readable(journal: Path, writes: int) -> Path | None:
    """Return the newest journal kept beside this one that a version writing format `writes` can read.

    The newest is the one with the most events, because the clock of a box without a network may jump back.
    """
    found = journal.parent.glob(f"{journal.stem}-format-[0-9]*{journal.suffix}")
    kept = ((path, journal_format(path)) for path in found if path.stem[-1].isdigit())  # not the backup copy of one
    readable = [path for path, form in kept if form is not None and form <= writes]
    return max(readable, key=lambda path: (_last_event(path), path.stat().st_mtime), default=None)


def _last_event(journal: Path) -> tuple[int, int]:
    """Return the last game of a journal and its last event; zeros if nothing was played or can be read."""
    with suppress(sqlite3.Error), as_owner(journal.parent), closing(sqlite3.connect(journal)) as db:
        last = db.execute("SELECT game, number FROM event ORDER BY game DESC, number DESC LIMIT 1").fetchone()
        return (last[0], last[1]) if last else (0, 0)
    return 0, 0


@dataclass(frozen=True, slots=True)
class SwitchVersion(Effect):
    """Make the version the current one, in a single rename."""

    layout: Layout
    version: str

    def __str__(self) -> str:
        return f"switch to {self.version}"

    def perform(self, host: Host) -> None:
        """Switch. Raises `InstallError` if the daemon was started meanwhile, which ended the trial."""
        if not (self.layout.folder / TRIAL).exists():
            raise InstallError("the daemon was started before all was ready; say `shutbox update` again")
        switch(self.layout.folder, self.version)


@dataclass(frozen=True, slots=True)
class StartDaemon(Effect):
    """Start the daemon, now of the new version."""

    def __str__(self) -> str:
        return "start the daemon"

    def perform(self, host: Host) -> None:
        """Release the lock and start the daemon."""
        host.until_start.close()


@dataclass(frozen=True, slots=True)
class AwaitTrial(Effect):
    """Wait until the version has come up, or the previous one is back. The boot check's unit does this too.

    Doing it twice is safe, and neither this program nor systemd has to outlive the trial.
    """

    layout: Layout
    version: str
    before: str

    def __str__(self) -> str:
        return "wait until it has come up; within a minute the version before is started if it does not"

    def perform(self, host: Host) -> None:
        """Wait. Raises `InstallError` if the previous version is back."""
        watch(self.layout.folder, host.service, host.now, host.wait)
        if current_version(self.layout.folder) != self.version:
            why = "`journalctl -u shutbox` says why"
            raise InstallError(
                f"{self.version} did not come up; {self.before} is back, and no game was deleted ({why})"
            )


@dataclass(frozen=True, slots=True)
class RemoveOtherVersions(Effect):
    """Remove every version except the current and the previous one."""

    layout: Layout
    version: str
    before: str

    def __str__(self) -> str:
        return f"remove every version but this one and {self.before}"

    def perform(self, host: Host) -> None:
        for folder in self.layout.version(self.version).parent.iterdir():
            if folder.name not in (self.version, self.before):
                remove_version(folder)
