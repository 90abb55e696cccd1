"""Puts the program on a box, and a new version in the place of an old one, as lists of small effects.

Nothing half done: whatever a power cut interrupts, the old version runs or the new one, with all games. `boot_check`
sees to that when the box starts, and imports nothing of any version.
"""

from controller.install.host import Host
from controller.install.layout import PREFIX, Layout
from controller.install.perform import perform, perform_update, undo_all
from controller.install.plan import Update, plan_install, plan_undo, plan_update, plan_way_back
from controller.install.update_file import UpdateFile, check_fits, pack_update, read_update

__all__ = [
    "PREFIX",
    "Host",
    "Layout",
    "Update",
    "UpdateFile",
    "check_fits",
    "pack_update",
    "perform",
    "perform_update",
    "plan_install",
    "plan_undo",
    "plan_update",
    "plan_way_back",
    "read_update",
    "undo_all",
]
