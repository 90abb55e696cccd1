"""The effects that try a version: stop the daemon, keep the games, switch the link, start the daemon.

From the mark of the trial on, the boot check can continue or go back after a power cut in any of these effects.
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
    VERSIONS,
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
from controller.service.effects import Effect, Host, Step
from controller.service.layout import Layout
from controller.service.staging import remove_all_but
from hardware.calibration import sync, write_durably


@dataclass(frozen=True, slots=True)
class VersionTrial:
    """The trial of `version`, which writes journals of the format `writes`; `before` is the version before it."""

    layout: Layout
    version: str
    before: str
    writes: int

    @property
    def switching(self) -> list[Effect]:
        """The steps up to the switch, undone as a whole if any of them fails."""
        return [
            Step("stop the daemon; an unfinished game goes on afterwards", self.stop_daemon),
            Step(
                f"note that {self.version} is on trial, so that every start without it going well goes back", self.mark
            ),
            Step(f"keep the games as they are (this version writes format {self.writes})", self.prepare_journal),
            Step(f"switch to {self.version}", self.switch_to_it),
        ]

    @property
    def settling(self) -> list[Effect]:
        """The steps from the start of the version on."""
        waits = "wait until it has come up; within a minute the version before is started if it does not"
        return [
            # Leaving the stack releases the lock and starts the daemon.
            Step("start the daemon", lambda host: host.until_start.close()),
            Step(waits, self.wait),
            Step(f"remove every version but this one and {self.before}", self.remove_others),
        ]

    def stop_daemon(self, host: Host) -> None:
        """Stop the service, and lock the box until the version is switched.

        Raises `DaemonRuns` if a daemon runs outside the service.
        """
        # Registered first: if stopping or a later step fails, the daemon is started again.
        host.until_start.callback(host.service.start)
        host.service.stop()
        home = self.layout.home
        if home.data.is_dir():
            with as_owner(home.data):
                host.until_start.enter_context(lock(home.lock))

    def mark(self, _host: Host) -> None:
        """Write down what going back needs before anything is changed."""
        journal = self.layout.home.journal
        found = journal_format(journal)
        # With equal formats both versions use the same file, and going back must not touch it.
        is_moved = found is not None and found != self.writes
        kept = str(free_name(journal, found)) if is_moved else None
        trial = Trial(self.version, self.before, str(journal), found, kept)
        write_durably(self.layout.folder / TRIAL, trial.dump())

    def prepare_journal(self, _host: Host) -> None:
        """Keep the games as they are if the version writes another journal format, under the name in the trial file.

        A newer format: keep a copy; the version converts the journal when it opens it. An older format: the version
        cannot read the journal, so set it aside and put back the one kept when the format became newer.
        """
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

    def switch_to_it(self, _host: Host) -> None:
        """Switch in a single rename. Raises `InstallError` if the daemon was started meanwhile: the trial is over."""
        if not (self.layout.folder / TRIAL).exists():
            raise InstallError("the daemon was started before all was ready; say `shutbox update` again")
        switch(self.layout.folder, self.version)

    def wait(self, host: Host) -> None:
        """Wait until the version has come up. Raises `InstallError` if the previous one is back.

        The boot check's unit does this too. Doing it twice is safe, and neither this program nor systemd has to
        outlive the trial.
        """
        watch(self.layout.folder, host.service, host.now, host.wait)
        if current_version(self.layout.folder) != self.version:
            why = "`journalctl -u shutbox` says why"
            raise InstallError(
                f"{self.version} did not come up; {self.before} is back, and no game was deleted ({why})"
            )

    def remove_others(self, _host: Host) -> None:
        remove_all_but(self.layout.folder / VERSIONS, (self.version, self.before))


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
