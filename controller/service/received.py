"""Check a backup that was received beside a running daemon (`controller.service.pending`)."""

import hashlib
import shutil
from datetime import datetime
from pathlib import Path

from controller.errors import BackupError
from controller.runtime.home import Home
from controller.service.archive import unpack
from controller.service.contents import kinds_of
from controller.service.pending import CheckedBackup, folder_of, keep_checked, upload_of
from controller.service.restore import clock_was_wrong, examine


def check_received(home: Home, now: datetime) -> CheckedBackup:
    """Unpack and check the received backup, and keep its files. If anything is wrong with it, remove all of it.

    Raises `BackupDamaged`, `BackupNewer`, `BackupError`, `JournalError` and `OSError`.
    """
    upload = upload_of(home)
    try:
        checked = _check(home, upload, now)
        keep_checked(home, checked)
    except BaseException as error:
        shutil.rmtree(folder_of(home), ignore_errors=True)
        if isinstance(error, BackupError):
            # People know the file by the name that it has on their device.
            line = str(error).replace(f"{upload}: ", "").replace(str(upload), "this file")
            raise type(error)(line) from error
        raise
    return checked


def _check(home: Home, upload: Path, now: datetime) -> CheckedBackup:
    staged = folder_of(home) / "new"
    with open(upload, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        file.seek(0)
        staged.mkdir()
        manifest = unpack(file, staged)
    upload.unlink()
    ready = examine(home, staged, manifest, lambda _done: None)
    return CheckedBackup(
        digest=digest,
        box=manifest.box,
        made=manifest.made,
        program=manifest.program,
        holds=tuple(kinds_of(saved.name for saved in manifest.files)),
        replaces=tuple(kinds_of(ready.replaced)),
        doubts=ready.doubts,
        brings=ready.brings,
        has=ready.has,
        dates_fit=not clock_was_wrong(ready, now),
    )
