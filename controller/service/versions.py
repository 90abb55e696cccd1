"""The versions of this program on this computer, as a daemon that may change none of them sees them."""

import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from controller.errors import BadUpdate, InstallError
from controller.journal.tables import FORMAT
from controller.service.boot_check import VERSIONS, is_on_trial
from controller.service.layout import PREFIX, Layout
from controller.service.plan import plan_way_back


@dataclass(frozen=True, slots=True)
class InstalledVersion:
    """A version that is installed. name: of its folder. keeps_games: it reads the games of the version that runs."""

    name: str
    version: str
    keeps_games: bool


@dataclass(frozen=True, slots=True)
class Versions:
    """What runs, and what can be tried or gone back to.

    installed: its folder's name; empty if the program was not put here by `shutbox install`. on_trial: a new version
    has yet to prove itself. before: the version that `--back` goes to; None if there is none, and `why_not` says why.
    options: what the commands need besides.
    """

    running: str
    installed: str = ""
    on_trial: bool = False
    before: InstalledVersion | None = None
    why_not: str = ""
    options: str = ""


def read_versions(program: Path | None = None) -> Versions:
    """Return the versions of the installation that a program is of. program: its environment; None: this one's."""
    running, place = version("shutbox"), (program or Path(sys.prefix)).resolve()
    if place.parent.name != VERSIONS:
        return Versions(running)
    layout = Layout(prefix=place.parent.parent)
    options = "" if layout.prefix == PREFIX else f" --prefix {layout.prefix}"
    before, why_not = None, ""
    try:
        name = plan_way_back(layout).version
        manifest = layout.manifest(name)
        before = InstalledVersion(name, manifest.version, keeps_games=manifest.journal_format >= FORMAT)
    except (BadUpdate, InstallError, OSError) as error:
        why_not = str(error)
    return Versions(running, place.name, is_on_trial(layout.folder), before, why_not, options)
