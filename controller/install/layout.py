"""Every path of an installation, and the record of what an installation made on the machine."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from controller.install.boot_check import CURRENT, VERSIONS, current_version
from controller.install.update_file import MANIFEST, Manifest, read_manifest
from controller.settings import SERVICE_DATA, Home

PREFIX = Path("/opt/shutbox")


@dataclass(frozen=True, slots=True)
class Layout:
    """An installation: the program in `prefix`, the games in `data`, both as paths of the installed system.

    root: the tree in which the installation is built, for the image of a card; `/` for this machine.
    """

    prefix: Path = PREFIX
    data: Path = SERVICE_DATA
    root: Path = Path("/")

    @property
    def is_this_machine(self) -> bool:
        """True unless this is a tree for another machine."""
        return self.root == Path("/")

    def here(self, path: Path | str) -> Path:
        """Return the present place of a path of the installed system."""
        return self.root / Path(path).relative_to("/")

    @property
    def folder(self) -> Path:
        """The present place of the prefix."""
        return self.here(self.prefix)

    @property
    def programs(self) -> Path:
        """The folder of programs through which units and people start the current version."""
        return self.prefix / CURRENT / "bin"

    @property
    def home(self) -> Home:
        """The present place of the service's home folder."""
        return Home(self.here(self.data), self.here(self.data))

    def version(self, name: str) -> Path:
        """Return the present place of a version's folder."""
        return self.folder / VERSIONS / name

    def shared(self, name: str) -> Path:
        """Return the folder of a version that holds the files for the system: units, rules, the boot check."""
        return self.version(name) / "share" / "shutbox"

    @property
    def changes(self) -> tuple[tuple[bytes, bytes], ...]:
        """Replacements in copied files: the default prefix by the one of this installation."""
        return ((os.fsencode(PREFIX), os.fsencode(self.prefix)),)

    def versions(self) -> list[str]:
        """Return the names of all complete versions; a version cut off by a power cut has no manifest."""
        return sorted(path.parent.name for path in self.folder.glob(f"{VERSIONS}/*/{MANIFEST}"))

    def current(self) -> str | None:
        """Return the name of the version that is started; None if none is installed."""
        name = current_version(self.folder)
        return name if name in self.versions() else None

    def manifest(self, name: str) -> Manifest:
        """Return the manifest of an installed version. Raises `BadUpdate`."""
        return read_manifest((self.version(name) / MANIFEST).read_bytes())


def find_python() -> Path:
    """Return the interpreter below this virtual environment, which also makes those of other versions."""
    return Path(sys.base_prefix, "bin", f"python{sys.version_info.major}.{sys.version_info.minor}")
