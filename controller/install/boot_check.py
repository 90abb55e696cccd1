"""The boot check: watches a new version on trial, and puts the version before back where it does not come up.

Installed as PREFIX/boot_check.py, beside the versions, and run by the system's own Python with `-I`. It needs the
standard library only: it must work just when the program does not, so it imports nothing of any version. The updater
imports it, so that both go by the same rules.

A trial is a file beside this one. `trial.json`: a version is being put in place, and has not been started.
`started.json`: it was started once; until it is confirmed, any further start goes back. None: no trial.
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
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from threading import Event
from typing import Protocol, Self

TRIAL, STARTED = "trial.json", "started.json"
CURRENT, VERSIONS = "current", "versions"
VERSION_NAME = re.compile(r"[0-9][0-9A-Za-z.+]*-[0-9a-f]{8}")

# With what systemd needs to stop a daemon (TimeoutStopSec=5), the version before is started within a minute.
PATIENCE_S = 45.0
STEADY_S = 5.0  # a version that crashes as soon as it is ready has not come up
_LOOK_S = 0.5
_BUSY_S = 0.5  # for somebody who reads a journal that is to be set aside
_NEVER = Event()  # whoever waits for it waits as long as he says

_SYSTEMCTL = "/usr/bin/systemctl"
_UNIT, _GUARD = "shutbox.service", "shutbox-guard.service"

# What lies beside a journal and belongs to it: SQLite's log, the mark of its last event, the good copy of its games.
_LOGS = ("-wal", "-shm")
_COMPANIONS = (".mark", ".good.sqlite3", ".good.sqlite3-journal")


class Service(Protocol):
    """The service of the daemon."""

    def is_active(self) -> bool:
        """True once the daemon has said that it is ready, and as long as it lives."""

    def start(self) -> None:
        """Have it started; returns at once."""

    def stop(self) -> None:
        """Stop it; returns when it has ended."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What going back needs to know: the version on trial, the one before, and the games as that one left them.

    journal_format: of the journal before the trial; None where there was none. kept: the journal as it was, wherever
    the two versions write different formats; None where both write the same, and nothing has to be moved.
    """

    version: str
    before: str
    journal: str
    journal_format: int | None
    kept: str | None

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a trial. Raises `OSError`, or `ValueError` for what is none."""
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
        """The trial as `load` reads it."""
        return json.dumps(asdict(self)).encode()


def check_start(folder: Path) -> str:
    """To be called before every start of the daemon; a line of what was done, or an empty one.

    The first start of a version on trial is let pass, any other goes back: the version has crashed, or the power was
    cut before it was confirmed. Raises `OSError`, `ValueError` or `sqlite3.Error`; then nothing was switched.
    """
    with _alone(folder):
        if (folder / STARTED).exists() or not (folder / TRIAL).exists():
            return _go_back(folder)
        trial = Trial.load(folder / TRIAL)
        if current_version(folder) != trial.version:
            return _go_back(folder)  # the power was cut before the switch
        os.replace(folder / TRIAL, folder / STARTED)
        sync_folder(folder)
        return f"version {trial.version} is on trial"


def watch(
    folder: Path,
    service: Service,
    now: Callable[[], float] = time.monotonic,
    wait: Callable[[float], object] = _NEVER.wait,
) -> str:
    """Wait until the version on trial is confirmed or was put back; a line of what was done, or an empty one.

    It is confirmed once the daemon has been ready for `STEADY_S` without a break, and put back after `PATIENCE_S`.
    now: a clock in seconds that nobody sets. Raises what `check_start` raises; the daemon is started even so.
    """
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
                service.start()  # a box with the wrong version is better than a dead one
        wait(_LOOK_S)
    return ""


def is_on_trial(folder: Path) -> bool:
    """True while a version waits to be confirmed or put back."""
    return (folder / TRIAL).exists() or (folder / STARTED).exists()


def confirm(folder: Path) -> str:
    """End the trial: the new version stays. A line of that; empty where the version before is back already."""
    with _alone(folder):
        if not (folder / STARTED).exists():
            return ""
        _forget(folder / STARTED)
        return f"version {current_version(folder)} has come up and stays"


def go_back(folder: Path) -> str:
    """End the trial: the version before and its journal are put back. A line of that; empty where there is no trial.

    A power cut on the way is no matter: whoever calls it again goes on with it.
    """
    with _alone(folder):
        return _go_back(folder)


def current_version(folder: Path) -> str | None:
    """The name of the version that would be started; None if there is none."""
    try:
        return Path(os.readlink(folder / CURRENT)).name
    except OSError:
        return None


def switch(folder: Path, version: str) -> None:
    """Make `version` the one that is started, in one rename: at any moment it is the one or the other."""
    fresh = folder / f".{CURRENT}.new"
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(Path(VERSIONS, version))
    os.replace(fresh, folder / CURRENT)
    sync_folder(folder)


def journal_format(journal: Path) -> int | None:
    """The format that a journal says it has; None where there is no file. Raises `sqlite3.Error`."""
    if not journal.exists():
        return None
    # Writable, since what was committed last may still have to be taken out of the write-ahead log.
    with as_owner(journal.parent), closing(sqlite3.connect(_uri(journal), uri=True)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


def set_aside(journal: Path, name: Path) -> None:
    """Rename a journal with all that belongs to it, so that another can take its place; its games stay readable.

    Raises `sqlite3.Error` where a process still has it open, or it is damaged; then nothing was renamed.
    """
    with as_owner(journal.parent):
        with closing(sqlite3.connect(_uri(journal), uri=True, timeout=_BUSY_S)) as db:
            # All of it into the one file: what is left in a log would be taken for that of the journal that comes next.
            is_busy = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        if is_busy:
            raise sqlite3.OperationalError(f"{journal} is in use; end every shutbox first")
        _rename_away(journal, name)


def put_in_place(kept: Path, journal: Path) -> None:
    """Rename a journal that was kept, and all that belongs to it, to a name that is free. Raises `OSError`."""
    with as_owner(journal.parent):
        # Itself first: if the power goes then, the rest lies where it is found once it is renamed back or on.
        os.replace(kept, journal)
        _move_companions(kept, journal)
        sync_folder(journal.parent)


def free_name(journal: Path, form: int | None) -> Path:
    """A name beside `journal`, not taken yet, for one of the format `form`; None: it cannot be read."""
    stem = f"{journal.stem}-format-{'unknown' if form is None else form}"
    names = (journal.with_name(f"{stem}{f'-{number}' if number > 1 else ''}{journal.suffix}") for number in count(1))
    return next(name for name in names if not name.exists())


def sync_folder(folder: Path) -> None:
    """Return when the names in `folder` have reached the disk."""
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
    _bring_journal_back(trial)
    if current_version(folder) != trial.before:
        switch(folder, trial.before)
    _forget(mark)  # last: after a power cut all of this is done again
    return f"version {trial.version} did not come up; {trial.before} is back"


def _bring_journal_back(trial: Trial) -> None:
    """Put the journal of before the trial in its place, if the trial has changed it; what was played is set aside."""
    journal = Path(trial.journal)
    if trial.kept is None or not journal.parent.is_dir():
        return
    kept = Path(trial.kept)
    with as_owner(journal.parent):
        if not kept.exists():
            _move_companions(kept, journal)  # the power was cut in the middle of a move
        elif not journal.exists() or _clear_place(journal, trial.journal_format):
            put_in_place(kept, journal)


def _clear_place(journal: Path, wanted: int | None) -> bool:
    """Set a journal aside that has not the format that is wanted, whoever reads it and whatever it is; else False."""
    begun = _begun_name(journal)
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
        # In use or damaged. Who has it open goes on with the same files under their new names: SQLite removes no log
        # of a database that was renamed.
        _rename_away(journal, free_name(journal, found))
    return True


def _begun_name(journal: Path) -> Path | None:
    """The name to which a journal was being renamed when the power was cut: its log has it already."""
    logs = journal.parent.glob(f"{journal.stem}-format-*{journal.suffix}-wal")
    names = (log.with_name(log.name.removesuffix("-wal")) for log in logs)
    return next((name for name in names if not name.exists()), None)


def _rename_away(journal: Path, name: Path) -> None:
    """Rename a journal and all that belongs to it, itself last: until then another attempt goes on with it."""
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
    """One process at a time decides about a trial: a crash and the end of patience may meet."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


class SystemdService:
    """The daemon's unit, as systemd has it."""

    def is_active(self) -> bool:
        """True once the daemon has said that it is ready, and as long as it lives."""
        return self._ask("is-active", "--quiet") == 0

    def start(self) -> None:
        """Have it started; returns at once. Failed starts of before do not count against it.

        The guard is started anew first, for it is another version's: the unit of the daemon waits for it.
        """
        self.renew_guard("--no-block")
        self._ask("reset-failed")
        self._ask("start", "--no-block")

    def stop(self) -> None:
        """Stop it; returns when it has ended."""
        self._ask("stop")

    def renew_guard(self, *how: str) -> None:
        """Start the guard anew, which runs in a version that was put away; returns once it is there, or as `how` says.

        While there is none, the daemon would take /OE itself.
        """
        self._ask("reset-failed", unit=_GUARD)
        self._ask("try-restart", *how, unit=_GUARD)

    def _ask(self, *words: str, unit: str = _UNIT) -> int:
        return subprocess.run([_SYSTEMCTL, *words, unit], check=False).returncode  # noqa: S603


def main() -> None:
    """`before-start` for the daemon's unit, `watch` for that of the trial; 1 if what was found cannot be mended."""
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
