"""Back up the home of a box in one file: games, settings and calibrations are copied, checked and packed."""

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from itertools import count
from pathlib import Path

from pydantic import ValidationError

from controller.errors import BackupDamaged, BackupError, BackupNewer, JournalError, JournalFormat, SettingsError
from controller.journal.copies import check_journal, copy_journal
from controller.journal.files import has_journal_beside
from controller.runtime.home import Home
from controller.service.archive import Manifest, describe_file, pack
from controller.service.contents import left_out, saved_names
from controller.settings import Settings, load_settings
from firmware.selftest.wear import WearBook
from hardware.box import load_box
from hardware.calibration import read_calibration
from hardware.errors import BoxProfileError, CalibrationError
from vision.errors import BadDice

_PNG = b"\x89PNG\r\n\x1a\n"


def check_files(folder: Path, tell: Callable[[float], None]) -> tuple[str, ...]:
    """Check the files in a home's folder; return a sentence for each thing that is valid but does not fit the rest.

    tell: called with the fraction done. Earlier versions of calibrations and dice are kept for people and not checked.
    Raises `BackupDamaged` for an invalid file, `BackupNewer` for a journal of another version.
    """
    home = Home(folder, folder)
    try:
        settings = load_settings(home.settings)
        doubts = []
        # A home with settings that name missing things would not start.
        try:
            load_box(settings.box)
        except BoxProfileError as error:
            doubts.append(f"the settings name a box that is not known here: {error}")
        if settings.dice != Settings().dice and not (folder / "dice" / f"{settings.dice}.npz").exists():
            doubts.append(f"the settings name the dice {settings.dice!r}, which are not there")
        doubts += _check_calibration(folder)
        for path in folder.glob("wear-*.json"):
            try:
                WearBook.model_validate_json(path.read_bytes())
            except ValidationError:
                doubts.append(f"{path.name} is damaged, and will be begun anew")
        if (folder / "dice").exists():
            # Imported here because only boxes with taught dice should load the code that reads pictures.
            from vision.custom_dice.storage import DiceFolder

            dice = DiceFolder(folder)
            for name in dice.names:
                dice.load(name)
        if home.journal.exists():
            doubts += check_journal(home.journal, tell)
    except JournalFormat as error:
        raise BackupNewer(f"{_printable(home.name_within(str(error)))}: update this program first") from error
    except (SettingsError, CalibrationError, BadDice, JournalError) as error:
        raise BackupDamaged(_printable(home.name_within(str(error)))) from error
    return tuple(map(_printable, doubts))


def _check_calibration(folder: Path) -> Iterator[str]:
    for picture in folder.glob("background-*.png"):
        with open(picture, "rb") as file:
            if file.read(len(_PNG)) != _PNG:
                raise BackupDamaged(f"{picture.name} is no picture")
    calibration = read_calibration(folder)
    camera = calibration.camera if calibration is not None else None
    if camera is not None and not (folder / camera.background).exists():
        yield f"the calibration of the camera names {camera.background}, which is not there"


def _printable(text: str) -> str:
    """Replace characters of an untrusted file that could control a terminal."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was made.

    left_out: the names that are not in it, by the reason.
    doubts: a sentence for each thing that is valid but does not fit the rest.
    """

    file: Path
    manifest: Manifest
    left_out: Mapping[str, Sequence[str]]
    doubts: tuple[str, ...]


def save_backup(home: Home, target: Path, now: datetime, tell: Callable[[float], None]) -> Backup:
    """Back up a home in the file `target`; if `target` is a folder, under a name with the box and the date.

    A daemon may keep running: the journal is copied in a consistent state. tell: called with the fraction done. Raises
    `BackupError` if there is nothing to save or the file exists, `BackupDamaged` and `BackupNewer` for files that could
    not be restored, `JournalDamaged`, and `OSError`.
    """
    stem = f"shutbox-{name_of_box(home)}-{now:%Y-%m-%d}"
    file = free_path(target, stem, ".tar.gz") if target.is_dir() else target
    if file.exists():
        raise BackupError(f"{file} exists; name another file")
    if not file.absolute().parent.is_dir():
        raise BackupError(f"{file.parent} is no folder; make it first, or name another")
    if file.resolve().is_relative_to(home.data.resolve()):
        home.make()  # a file in the home is its owner's, whoever asked for it
    # Beside the target: on a small computer the folder for temporary files is in memory.
    with tempfile.TemporaryDirectory(prefix=".shutbox-", dir=file.absolute().parent) as scratch:
        # Without this check the backup would silently lack all games.
        if not home.journal.exists() and has_journal_beside(home.journal):
            raise BackupError(
                "the file of the games is missing: start the box once, which mends that, and save it then"
            )
        manifest = copy_home(home, Path(scratch), now)
        if not manifest.files:
            raise BackupError(f"there is nothing to be saved in {home.data} yet")
        try:
            doubts = check_files(Path(scratch), tell)
        except BackupError as error:
            raise type(error)(f"nothing was saved, because it could not be restored: {error}") from error
        pack(Path(scratch), manifest, file)
    omitted = left_out(home.data)
    box = load_settings(home.settings).box
    if "/" in box or box.endswith(".toml"):
        # The profile of a home-made box is not in the home folder.
        omitted["the profile that the settings name; keep a copy of it"] = [box]
    return Backup(file, manifest, omitted, doubts)


def copy_home(home: Home, folder: Path, now: datetime) -> Manifest:
    """Copy the files that a backup holds from a home into `folder`, each in a consistent state, and list them.

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
    """Return the name of the box in the settings of a home; `unknown` if they cannot be read."""
    try:
        return load_box(load_settings(home.settings).box).name
    except (SettingsError, BoxProfileError):
        return "unknown"


def free_path(folder: Path, stem: str, suffix: str = "") -> Path:
    """Return an unused path in `folder`: `stem`, or `stem-2` and so on, with `suffix`."""
    names = (f"{stem}{f'-{number}' if number > 1 else ''}{suffix}" for number in count(1))
    return next(path for path in map(folder.joinpath, names) if not path.exists())
