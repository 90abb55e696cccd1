"""Keeps an installation well: saves its home in one file, brings it back, counts its runs, reports on its state."""

from controller.maintenance.archive import Manifest
from controller.maintenance.backup import Backup, save_backup
from controller.maintenance.contents import kinds_of
from controller.maintenance.report import Section, make_report
from controller.maintenance.restore import Restore, prepare_restore
from controller.maintenance.runs import find_boot, note_run

__all__ = [
    "Backup",
    "Manifest",
    "Restore",
    "Section",
    "find_boot",
    "kinds_of",
    "make_report",
    "note_run",
    "prepare_restore",
    "save_backup",
]
