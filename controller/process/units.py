"""Checks whether the installed systemd units start modules that this version still has."""

import re
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

UNITS = Path("/etc/systemd/system")  # where `shutbox install` puts them
_MODULE = re.compile(r"^Exec\w+=.* -m ([\w.]+)", re.MULTILINE)


def find_stale_units(folder: Path = UNITS) -> Iterator[str]:
    """Yield a sentence for each of our units in `folder` that starts a module which this version does not have.

    Such a unit is from an older installation: systemd would keep restarting it in vain.
    """
    for unit in sorted(folder.glob("shutbox*.service")):
        started = list[str]()
        # A unit that cannot be read must not keep the daemon from starting.
        with suppress(OSError):
            started = _MODULE.findall(unit.read_text("utf-8", errors="replace"))
        for module in started:
            if not _exists(module):
                yield (
                    f"{unit} is of an older version of this program and cannot start ({module} has moved); "
                    "say `sudo shutbox install`"
                )


def _exists(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False
