"""The installed systemd units: do they still start what this version of the program has?"""

import re
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

UNITS = Path("/etc/systemd/system")  # where `shutbox install` puts them
_MODULE = re.compile(r"^Exec\w+=.* -m ([\w.]+)", re.MULTILINE)


def find_stale_units(folder: Path = UNITS) -> Iterator[str]:
    """A sentence for each of our units in `folder` that starts a module which this version does not have.

    Such a unit is of an older installation: systemd would start it in vain, again and again.
    """
    for unit in sorted(folder.glob("shutbox*.service")):
        for module in _modules_started_by(unit):
            if not _exists(module):
                yield (
                    f"{unit} is of an older version of this program and cannot start ({module} has moved); "
                    "say `sudo shutbox install`"
                )


def _modules_started_by(unit: Path) -> list[str]:
    """The modules that a unit starts; none of one that cannot be read, which must not keep the daemon from starting."""
    with suppress(OSError):
        return _MODULE.findall(unit.read_text("utf-8", errors="replace"))
    return []


def _exists(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False
