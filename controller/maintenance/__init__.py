"""Maintain an installation: back up its home in one file, restore it, count restarts, report on its state."""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from controller.maintenance.archive import Manifest
    from controller.maintenance.backup import Backup, save_backup
    from controller.maintenance.contents import kinds_of
    from controller.maintenance.played import Played
    from controller.maintenance.report import Section, make_report
    from controller.maintenance.restore import Restore, prepare_restore
    from controller.maintenance.runs import find_boot, note_run
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = [
    "Backup",
    "Manifest",
    "Played",
    "Restore",
    "Section",
    "find_boot",
    "kinds_of",
    "make_report",
    "note_run",
    "prepare_restore",
    "save_backup",
]
