"""What a self-test looks at beside the metal: calibration, journal, disk and clock."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime

from controller.errors import JournalError
from controller.journal import Journal
from controller.settings import Home
from firmware.findings import SelftestReport
from hardware.box import Box
from hardware.errors import CalibrationError, Fault

CALIBRATION = "calibration"
_ROOM_BYTES = 50_000_000  # years of games
_BUILT = datetime(2026, 1, 1, tzinfo=UTC)  # a clock that shows less was never set: a Pi has no battery for it


def calibration_missing(box: str) -> Fault:
    """The servos were never calibrated: their end points are the profile's."""
    cure = "Run `shutbox calibrate servos`; until then the tiles go where the profile says."
    return Fault("C-103", CALIBRATION, f"measured end points of the servos of {box}", "none", cure)


def calibration_wrong(error: CalibrationError) -> Fault:
    """The file of the calibration cannot be used, so that nobody knows how far a servo may be driven."""
    return Fault(error.code, CALIBRATION, "a calibration of this box", str(error), error.cure)


def untested_for(error: CalibrationError, box: Box) -> SelftestReport:
    """The report of a box that cannot be tested because its calibration is wrong."""
    return SelftestReport((calibration_wrong(error),), tuple(map(str, box.tile_ids)))


def is_unsafe(paper: Fault) -> bool:
    """Whether no tile may be driven because of it."""
    return paper.code == CalibrationError.code


def home_papers(home: Home) -> Iterator[Fault]:
    """What is wrong with the journal, the disk and the clock of this computer."""
    free = shutil.disk_usage(home.data).free
    if free < _ROOM_BYTES:
        room = f"{_ROOM_BYTES // 1_000_000} MB free in {home.data}"
        cure = "Delete what is not needed, or use a larger card."
        yield Fault("C-315", "disk", room, f"{free // 1_000_000} MB", cure)
    try:
        if home.journal.exists():
            with Journal(home.journal, read_only=True) as journal:
                journal.game_ids()
    except JournalError as error:
        cure = "Restore it (`shutbox restore`), or move it away and begin a new one."
        yield Fault(error.code, "journal", "a journal that can be read", str(error), cure)
    now = datetime.now(UTC)
    if now < _BUILT:
        cure = "Connect the computer to a network once, or set its clock (`sudo date`)."
        yield Fault("C-316", "clock", f"{_BUILT:%Y} or later", f"{now:%Y-%m-%d}", cure)
