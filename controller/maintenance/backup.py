"""One file with all that was played, set and measured on a box: the files of its home, copied, checked and packed."""

import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from itertools import count
from pathlib import Path

from controller.errors import BackupError, SettingsError
from controller.journal import copy_journal, has_journal_beside
from controller.maintenance.archive import Manifest, describe_file, pack
from controller.maintenance.checks import check_files
from controller.maintenance.contents import left_out, saved_names
from controller.settings import Home, load_settings
from hardware.box import load_box
from hardware.errors import BoxProfileError


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was made: its file, what it holds, what it leaves out by the reason why, and what does not fit."""

    file: Path
    manifest: Manifest
    left_out: Mapping[str, Sequence[str]]
    doubts: tuple[str, ...]


def save_backup(home: Home, target: Path, now: datetime, tell: Callable[[float], None]) -> Backup:
    """Save a home in the file `target`, or, in a folder, under a name with the box and the date.

    A daemon may go on: the journal is copied as it is at one moment. `tell` hears the fraction done. Raises
    `BackupError` where there is nothing to be saved or the file exists, `BackupDamaged` and `BackupNewer` for what
    could not be restored, `JournalDamaged`, and `OSError`.
    """
    file = _free_name(target, f"shutbox-{name_of_box(home)}-{now:%Y-%m-%d}") if target.is_dir() else target
    if file.exists():
        raise BackupError(f"{file} exists; name another file")
    if not file.absolute().parent.is_dir():
        raise BackupError(f"{file.parent} is no folder; make it first, or name another")
    # Beside the target: a small computer keeps its temporary files in its memory.
    with tempfile.TemporaryDirectory(prefix=".shutbox-", dir=file.absolute().parent) as scratch:
        if not home.journal.exists() and has_journal_beside(home.journal):
            raise BackupError(
                "the file of the games is missing: start the box once, which mends that, and save it then"
            )
        manifest = copy_home(home, Path(scratch), now)
        if not manifest.files:
            raise BackupError(f"there is nothing to be saved in {home.data} yet")
        doubts = _check(Path(scratch), tell)
        pack(Path(scratch), manifest, file)
    return Backup(file, manifest, left_out(home.data) | _profile_outside(home), doubts)


def copy_home(home: Home, folder: Path, now: datetime) -> Manifest:
    """Copy the files of a home that a backup holds into `folder`, each as it is at one moment, and list them.

    Raises `JournalDamaged` and `OSError`.
    """
    names = []
    for name in saved_names(home.data):
        (folder / name).parent.mkdir(exist_ok=True)
        if home.data / name == home.journal:
            copy_journal(home.journal, folder / name)
        else:
            shutil.copyfile(home.data / name, folder / name)
        names.append(name)
    files = tuple(describe_file(folder, name) for name in names)
    return Manifest(program=version("shutbox"), box=name_of_box(home), made=now, files=files)


def name_of_box(home: Home) -> str:
    """The name of the box that the settings of a home name; `unknown` where they cannot be read."""
    try:
        return load_box(load_settings(home.settings).box).name
    except (SettingsError, BoxProfileError):
        return "unknown"


def _free_name(folder: Path, stem: str) -> Path:
    names = (f"{stem}{f'-{number}' if number > 1 else ''}.tar.gz" for number in count(1))
    return next(path for path in map(folder.joinpath, names) if not path.exists())


def _check(folder: Path, tell: Callable[[float], None]) -> tuple[str, ...]:
    try:
        return check_files(folder, tell)
    except BackupError as error:
        raise type(error)(f"nothing was saved, because it could not be restored: {error}") from error


def _profile_outside(home: Home) -> dict[str, list[str]]:
    """The profile of a box of one's own, which lies where its maker keeps it."""
    box = load_settings(home.settings).box
    is_file = "/" in box or box.endswith(".toml")
    return {"the profile that the settings name; keep a copy of it": [box]} if is_file else {}
