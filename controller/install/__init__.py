"""Install the program on a box, and replace one version with another, as lists of small effects.

Whatever a power cut interrupts, either the old or the new version runs, with all games. `boot_check` ensures that at
every start of the box, and does not import the program.
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
