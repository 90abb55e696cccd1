"""Where everything of an installation lies; every path of it is decided here."""

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
    """An installation: the program in `prefix`, the games in `data`; both as the installed system will name them.

    root: the tree in which it is put together, for an image of a card; `/` for this machine.
    """

    prefix: Path = PREFIX
    data: Path = SERVICE_DATA
    root: Path = Path("/")

    @property
    def is_this_machine(self) -> bool:
        """True unless a tree is put together that runs elsewhere."""
        return self.root == Path("/")

    def here(self, path: Path | str) -> Path:
        """Where a path of the installed system lies now."""
        return self.root / Path(path).relative_to("/")

    @property
    def folder(self) -> Path:
        """The prefix, where it lies now."""
        return self.here(self.prefix)

    @property
    def programs(self) -> Path:
        """The folder of programs by which units and people start whichever version is current."""
        return self.prefix / CURRENT / "bin"

    @property
    def home(self) -> Home:
        """The home folder of the service, where it lies now."""
        return Home(self.here(self.data), self.here(self.data))

    def version(self, name: str) -> Path:
        """The folder of a version, where it lies now."""
        return self.folder / VERSIONS / name

    def shared(self, name: str) -> Path:
        """The folder of a version in which lies what the system is given."""
        return self.version(name) / "share" / "shutbox"

    @property
    def changes(self) -> tuple[tuple[bytes, bytes], ...]:
        """What files of the sources name, and what stands there instead here."""
        return ((os.fsencode(PREFIX), os.fsencode(self.prefix)),)

    def versions(self) -> list[str]:
        """The names of all versions that are whole; what a power cut has left of one is none."""
        return sorted(path.parent.name for path in self.folder.glob(f"{VERSIONS}/*/{MANIFEST}"))

    def current(self) -> str | None:
        """The name of the version that is started; None where none is installed."""
        name = current_version(self.folder)
        return name if name in self.versions() else None

    def manifest(self, name: str) -> Manifest:
        """What the update file of an installed version said of it. Raises `BadUpdate`."""
        return read_manifest((self.version(name) / MANIFEST).read_bytes())


def find_python() -> Path:
    """The interpreter under this program's virtual environment, which makes those of other versions too."""
    return Path(sys.base_prefix, "bin", f"python{sys.version_info.major}.{sys.version_info.minor}")
