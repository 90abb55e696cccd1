"""A restore beside a running daemon: a backup is received and checked now, and carried out at the daemon's next start.

The daemon has the journal open, so nothing is replaced while it runs. All lies in one hidden folder of the home: the
backup while it comes, then its checked files and what is told of them. What nobody confirms is removed by the next
start; from the confirmation on, the next start swaps the files in.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from pydantic import TypeAdapter, ValidationError

from controller.access.state import renew_secret
from controller.box.start import unusable_file
from controller.errors import BackupDoubtful, BackupError, DaemonRuns, ShutboxError
from controller.runtime.home import Home
from controller.runtime.locks import as_owner, lock
from controller.runtime.swap import finish_swap, swap_prepared, sync_prepared
from controller.service.contents import replaced_names
from controller.service.played import Played
from hardware.calibration import stamp, sync, write_durably
from hardware.errors import Fault
from hardware.toml_file import read_plain

_CHECKED, _CONFIRMED = "checked.json", "confirmed.json"
_ROOM_BYTES = 50_000_000  # free space that must remain on the disk for the games


@dataclass(frozen=True, slots=True)
class CheckedBackup:
    """A complete backup, and what it would replace.

    digest: the SHA-256 of its file. holds, replaces: kinds of files. doubts: a sentence for each reason why this may be
    the wrong backup for the box. brings, has: the games in the backup, and those in the home when it was checked.
    dates_fit: False if the clock of a computer was wrong.
    """

    digest: str
    box: str
    made: datetime
    program: str
    holds: tuple[str, ...]
    replaces: tuple[str, ...]
    doubts: tuple[str, ...]
    brings: Played
    has: Played
    dates_fit: bool = True


_CHECKED_BACKUP = TypeAdapter(CheckedBackup)


@dataclass(frozen=True, slots=True)
class PendingRestore:
    """The backup that was checked last, if any. is_confirmed: the next start of the daemon restores it."""

    backup: CheckedBackup | None = None
    is_confirmed: bool = False


def folder_of(home: Home) -> Path:
    """Return the hidden folder for the backup and its files."""
    return home.data / ".shutbox-restore"


def upload_of(home: Home) -> Path:
    """Return the path of the backup while it comes."""
    return folder_of(home) / "upload.tar.gz"


def read_pending(home: Home) -> PendingRestore:
    """Return what was checked, or waits for the next start."""
    for name in (_CONFIRMED, _CHECKED):
        with suppress(FileNotFoundError, ValidationError):
            found = _CHECKED_BACKUP.validate_json(read_plain(folder_of(home) / name))
            return PendingRestore(found, name == _CONFIRMED)
    return PendingRestore()


def withdraw(home: Home) -> None:
    """Remove a backup, whether it was confirmed or not. Raises `OSError`."""
    folder = folder_of(home)
    if not folder.exists():
        return
    # First, so that a power cut leaves nothing that a start would carry out.
    (folder / _CONFIRMED).unlink(missing_ok=True)
    sync(folder)
    shutil.rmtree(folder)


@contextmanager
def receive(home: Home) -> Iterator[BinaryIO]:
    """Yield a new file for a backup, in place of an earlier one; remove it if the block fails. Raises `OSError`."""
    withdraw(home)
    folder = folder_of(home)
    folder.mkdir(mode=0o700)
    try:
        with open(upload_of(home), "wb") as file:
            yield file
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def check_room(home: Home, size_bytes: int) -> None:
    """Raise `BackupError` unless so many bytes leave room on the disk for the games."""
    if shutil.disk_usage(home.data).free < size_bytes + _ROOM_BYTES:
        raise BackupError("the disk of the box has no room for this; make room there")


def keep_checked(home: Home, checked: CheckedBackup) -> None:
    """Keep what is told of the checked files. Raises `OSError`."""
    write_durably(folder_of(home) / _CHECKED, _CHECKED_BACKUP.dump_json(checked))


def confirm(home: Home, digest: str, *, anyway: bool) -> None:
    """Have the next start restore the checked backup with this digest. anyway: in spite of its doubts.

    Raises `BackupError` for any other digest, `BackupDoubtful`, and `OSError`.
    """
    pending, folder = read_pending(home), folder_of(home)
    if pending.backup is None or pending.backup.digest != digest:
        raise BackupError("this backup is not at the box any more; choose its file again")
    if pending.is_confirmed:
        return
    if pending.backup.doubts and not anyway:
        raise BackupDoubtful(f"{pending.backup.doubts[0]}; nothing was changed; say that you want it all the same")
    sync_prepared(folder)
    os.replace(folder / _CHECKED, folder / _CONFIRMED)
    sync(folder)
    sync(home.data)


def restore_at_start(home: Home, now: datetime) -> tuple[Fault, ...]:
    """Carry out a confirmed restore before a daemon starts, or remove what nobody confirmed.

    Return the findings, if it could not be done. Does nothing beside another daemon.
    """
    folder = folder_of(home)
    if not folder.exists():
        return ()
    try:
        with as_owner(home.data), lock(home.lock):
            finish_swap(home.data)
            _carry_out(home, folder, now)
    except DaemonRuns:
        pass
    except (OSError, ShutboxError) as error:
        return (unusable_file(home, f"{folder}: {error}", "Until then the box plays with what is there."),)
    return ()


def _carry_out(home: Home, folder: Path, now: datetime) -> None:
    if not (folder / _CONFIRMED).exists():
        shutil.rmtree(folder)
        return
    from controller.service.backup import free_path

    # As `Restore.carry_out` does.
    renew_secret(home.access, now.date())
    aside = free_path(home.data, f"before-restore-{stamp(now)}")
    swap_prepared(home.data, folder, replaced_names(home.data), aside.name)
