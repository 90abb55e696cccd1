"""The boot check: watch a new version on trial, and restore the previous version if the new one does not come up.

This file is installed as PREFIX/boot_check.py, next to the versions, and run by the system's Python with `-I`. It must
work exactly when the program does not, so it uses the standard library only and imports no version of the program. The
updater imports it, so that both follow the same rules.

A trial is a file beside this one. `trial.json`: a version is being put in place and has not been started yet.
`started.json`: it was started once, and until it is confirmed any further start goes back. Neither: no trial.
"""

import fcntl
import json
import os
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from threading import Event
from typing import Protocol, Self

TRIAL, STARTED = "trial.json", "started.json"
CURRENT, PREVIOUS, VERSIONS = "current", "previous", "versions"
# A digest of 64 bits; the first versions had 32, and are gone back to all the same.
VERSION_NAME = re.compile(r"[0-9][0-9A-Za-z.+]*-[0-9a-f]{8}(?:[0-9a-f]{8})?")

# Together with TimeoutStopSec=5 of the unit, the previous version is started within a minute.
PATIENCE_S = 45.0
STEADY_S = 5.0  # a version that crashes right after it was ready has not come up
_LOOK_S = 0.5
_BUSY_S = 0.5  # wait for a reader of a journal that is about to be set aside
_NEVER = Event()  # never set: `wait(seconds)` is a sleep

_SYSTEMCTL = "/usr/bin/systemctl"
_UNIT, _GUARD = "shutbox.service", "shutbox-guard.service"

# Files that belong to a journal: SQLite's log, the high-water mark, the backup copy.
_LOGS = ("-wal", "-shm")
_COMPANIONS = (".mark", ".good.sqlite3", ".good.sqlite3-journal")


class Service(Protocol):
    """The daemon's service."""

    def is_active(self) -> bool:
        """Return True from the time the daemon reports ready until it ends."""

    def start(self) -> None:
        """Start the service without waiting for it."""

    def stop(self) -> None:
        """Stop the service and wait until it has ended."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What going back needs to know: the version on trial, the previous one, and the journal that it left.

    journal_format: of the journal before the trial; None if there was none.
    kept: the path of the previous journal; None if both versions write the same format, so that nothing is moved.
    """

    version: str
    before: str
    journal: str
    journal_format: int | None
    kept: str | None

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a trial. Raises `OSError`, or `ValueError` if the file is not a trial."""
        values = json.loads(path.read_text("utf-8"))
        try:
            trial = cls(**values)
            names = (VERSION_NAME.fullmatch(trial.version), VERSION_NAME.fullmatch(trial.before))
        except TypeError as error:
            raise ValueError(f"{path} is no trial") from error
        if not all(names):
            raise ValueError(f"{path} names no versions")
        return trial

    def dump(self) -> bytes:
        return json.dumps(asdict(self)).encode()


def check_start(folder: Path) -> str:
    """Decide before a start of the daemon which version it starts; return one line about what was done, or "".

    The first start of a version on trial passes. Any other start goes back: the version has crashed, or the power was
    cut before it was confirmed. Raises `OSError`, `ValueError` or `sqlite3.Error`; nothing was switched then.
    """
    with _alone(folder):
        if (folder / STARTED).exists() or not (folder / TRIAL).exists():
            return _go_back(folder)
        trial = Trial.load(folder / TRIAL)
        if current_version(folder) != trial.version:
            return _go_back(folder)  # the power failed before the switch
        os.replace(folder / TRIAL, folder / STARTED)
        sync_folder(folder)
        return f"version {trial.version} is on trial"


def watch(
    folder: Path,
    service: Service,
    now: Callable[[], float] = time.monotonic,
    wait: Callable[[float], object] = _NEVER.wait,
) -> str:
    """Wait until the version on trial is confirmed or replaced; return one line about what was done, or "".

    The version is confirmed once the daemon has been ready for `STEADY_S` without a break, and replaced by the previous
    one after `PATIENCE_S`. now: a monotonic clock in seconds. Raises what `check_start` raises, after the daemon was
    started all the same.
    """
    # A monotonic clock: the clock of a Pi jumps when it first hears the time.
    deadline, ready_since = now() + PATIENCE_S, None
    while is_on_trial(folder):
        is_ready = (folder / STARTED).exists() and service.is_active()
        ready_since = (ready_since or now()) if is_ready else None
        if ready_since is not None and now() >= ready_since + STEADY_S:
            return confirm(folder)
        if now() >= deadline:
            service.stop()
            try:
                return go_back(folder)
            finally:
                service.start()  # even the wrong version is better than no daemon
        wait(_LOOK_S)
    return ""


def is_on_trial(folder: Path) -> bool:
    """Return True while a version waits to be confirmed or replaced."""
    return (folder / TRIAL).exists() or (folder / STARTED).exists()


def confirm(folder: Path) -> str:
    """End the trial: the new version stays. Return one line about it; "" if the previous version is back already."""
    with _alone(folder):
        if not (folder / STARTED).exists():
            return ""
        # An unreadable trial does not keep a version on trial.
        with suppress(ValueError):
            link_version(folder, PREVIOUS, Trial.load(folder / STARTED).before)
        _forget(folder / STARTED)
        return f"version {current_version(folder)} has come up and stays"


def go_back(folder: Path) -> str:
    """End the trial: restore the previous version and its journal. Return one line about it; "" without a trial.

    After a power cut on the way, another call completes it.
    """
    with _alone(folder):
        return _go_back(folder)


def current_version(folder: Path, link: str = CURRENT) -> str | None:
    """Return the name of the version that the daemon's unit starts; None if there is none.

    link: `PREVIOUS` for the version before it, None if no trial has ended well since the installation.
    """
    try:
        return Path(os.readlink(folder / link)).name
    except OSError:
        return None


def switch(folder: Path, version: str) -> None:
    """Make `version` the one that is started, in one rename: at any moment either version is current."""
    link_version(folder, CURRENT, version)


def link_version(folder: Path, link: str, version: str) -> None:
    """Have a link of `folder` name this version, in one rename."""
    fresh = folder / f".{link}.new"
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(Path(VERSIONS, version))
    os.replace(fresh, folder / link)
    sync_folder(folder)


def journal_format(journal: Path) -> int | None:
    """Return the format number stored in a journal; None if there is no file. Raises `sqlite3.Error`."""
    if not journal.exists():
        return None
    # Writable, because SQLite may first have to recover the last commits from the write-ahead log.
    with as_owner(journal.parent), closing(sqlite3.connect(_uri(journal), uri=True)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


def set_aside(journal: Path, name: Path) -> None:
    """Rename a journal with its companion files, so that another can take its place; its games stay readable.

    Raises `sqlite3.Error` if a process still has it open, or if it is damaged; nothing was renamed then.
    """
    with as_owner(journal.parent):
        with closing(sqlite3.connect(_uri(journal), uri=True, timeout=_BUSY_S)) as db:
            # Empty the log into the file: SQLite would take a remaining log for that of the next journal.
            is_busy = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        if is_busy:
            raise sqlite3.OperationalError(f"{journal} is in use; end every shutbox first")
        _rename_away(journal, name)


def put_in_place(kept: Path, journal: Path) -> None:
    """Rename a kept journal and its companion files to a name that is free. Raises `OSError`."""
    with as_owner(journal.parent):
        # The journal first: after a power cut the companions are found once the journal is renamed back or forward.
        os.replace(kept, journal)
        _move_companions(kept, journal)
        sync_folder(journal.parent)


def free_name(journal: Path, form: int | None) -> Path:
    """Return an unused path beside `journal` for one of format `form` (None: the format is unknown)."""
    stem = f"{journal.stem}-format-{'unknown' if form is None else form}"
    names = (journal.with_name(f"{stem}{f'-{number}' if number > 1 else ''}{journal.suffix}") for number in count(1))
    return next(name for name in names if not name.exists())


def sync_folder(folder: Path) -> None:
    """Return when the directory entries of `folder` are on the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _go_back(folder: Path) -> str:
    mark = folder / (STARTED if (folder / STARTED).exists() else TRIAL)
    if not mark.exists():
        return ""
    trial = Trial.load(mark)
    journal = Path(trial.journal)
    # If the trial has changed the journal, restore the previous one; games of the trial are set aside.
    if trial.kept is not None and journal.parent.is_dir():
        kept = Path(trial.kept)
        with as_owner(journal.parent):
            if not kept.exists():
                _move_companions(kept, journal)  # the power was cut in the middle of a move
            elif not journal.exists() or _clear_place(journal, trial.journal_format):
                put_in_place(kept, journal)
    if current_version(folder) != trial.before:
        switch(folder, trial.before)
    _forget(mark)  # last, so that a power cut repeats all steps
    return f"version {trial.version} did not come up; {trial.before} is back"


def _clear_place(journal: Path, wanted: int | None) -> bool:
    """Set a journal aside, even one that is open or damaged, unless it has the wanted format; return True if it was."""
    # The name to which the journal was being renamed when the power was cut: its log has it already.
    logs = journal.parent.glob(f"{journal.stem}-format-*{journal.suffix}-wal")
    names = (log.with_name(log.name.removesuffix("-wal")) for log in logs)
    begun = next((name for name in names if not name.exists()), None)
    if begun is not None:
        _rename_away(journal, begun)
        return True
    found = None
    try:
        found = journal_format(journal)
        if found == wanted:
            return False
        set_aside(journal, free_name(journal, found))
    except sqlite3.Error:
        # In use or damaged. A process that has it open continues with the same files under their new names: SQLite
        # does not remove the log of a renamed database.
        _rename_away(journal, free_name(journal, found))
    return True


def _rename_away(journal: Path, name: Path) -> None:
    """Rename a journal and its companion files, itself last: until then another attempt can complete the move."""
    _move_companions(journal, name)
    os.replace(journal, name)
    sync_folder(journal.parent)


def _move_companions(source: Path, target: Path) -> None:
    pairs = [(Path(f"{source}{end}"), Path(f"{target}{end}")) for end in _LOGS]
    pairs += [(source.with_suffix(end), target.with_suffix(end)) for end in _COMPANIONS]
    for there, here in pairs:
        if os.path.lexists(there):
            os.replace(there, here)


def _uri(journal: Path) -> str:
    return f"{journal.absolute().as_uri()}?mode=rw"


def _forget(mark: Path) -> None:
    mark.unlink()
    sync_folder(mark.parent)


@contextmanager
def as_owner(folder: Path) -> Iterator[None]:
    """In the block, root is the owner of `folder`, and can do no more; anybody else stays who they are.

    Where others may write, they may put links to what is root's alone. For the whole process: no other thread may need
    to be root meanwhile.
    """
    status = os.stat(folder)
    if os.geteuid() != 0 or status.st_uid == 0:
        yield
        return
    group, groups = os.getegid(), os.getgroups()
    try:
        os.setgroups([])
        os.setegid(status.st_gid)
        os.seteuid(status.st_uid)
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
        os.setgroups(groups)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let one process at a time decide about a trial: a crash and the end of the waiting time may coincide."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


class SystemdService:
    """The daemon's systemd unit."""

    def is_active(self) -> bool:
        return self._ask("is-active", "--quiet") == 0

    def start(self) -> None:
        """Start the unit without waiting; earlier failed starts do not count against it.

        The guard is restarted first, because it still runs the other version and the daemon's unit waits for it.
        """
        self.renew_guard("--no-block")
        self._ask("reset-failed")
        self._ask("start", "--no-block")

    def stop(self) -> None:
        self._ask("stop")

    def renew_guard(self, *how: str) -> None:
        """Restart the guard, which still runs the other version, and wait for it unless `how` has `--no-block`.

        Without a guard, the daemon would take /OE itself.
        """
        self._ask("reset-failed", unit=_GUARD)
        self._ask("try-restart", *how, unit=_GUARD)

    def _ask(self, *words: str, unit: str = _UNIT) -> int:
        return subprocess.run([_SYSTEMCTL, *words, unit], check=False).returncode  # noqa: S603


def main() -> None:
    """Run `before-start` for the daemon's unit or `watch` for the trial's; exit with 1 if the check fails."""
    folder, service = Path(__file__).parent, SystemdService()
    try:
        if sys.argv[1:] == ["watch"]:
            told = watch(folder, service)
        else:
            told = check_start(folder)
            if told and not is_on_trial(folder):
                service.renew_guard()
    except (OSError, ValueError, sqlite3.Error) as error:
        sys.exit(f"shutbox boot check: {error}")
    if told:
        print(f"shutbox boot check: {told}")


if __name__ == "__main__":
    main()
