"""Check the files of a backup before anyone relies on it: the program must be able to read each of them."""

from collections.abc import Callable, Iterator
from pathlib import Path

from pydantic import ValidationError

from controller.errors import BackupDamaged, BackupNewer, JournalError, JournalFormat, SettingsError
from controller.journal.copies import check_journal
from controller.settings import Home, Settings, load_settings
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
            from vision.taught.dice_folder import DiceFolder

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
