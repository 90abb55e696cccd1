"""Every path of an installation, and the record of what an installation made on the machine."""

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from controller.runtime.home import SERVICE_DATA, Home
from controller.service.boot_check import CURRENT, VERSIONS, current_version
from controller.service.update_file import MANIFEST, Manifest, read_manifest
from hardware.calibration import write_durably

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
        """Return where a path of the installed system lies on this machine: below `root` while an image is built."""
        return self.root / Path(path).relative_to("/")

    @property
    def folder(self) -> Path:
        """Where the prefix lies on this machine."""
        return self.here(self.prefix)

    @property
    def programs(self) -> Path:
        """The folder of programs through which units and people start the current version."""
        return self.prefix / CURRENT / "bin"

    @property
    def home(self) -> Home:
        """Where the service's home folder lies on this machine."""
        return Home(self.here(self.data), self.here(self.data))

    def version(self, name: str) -> Path:
        """Return where a version's folder lies on this machine."""
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


_KEPT = "replaced"


class Record:
    """The paths that an installation has made, in a file in its folder; each is noted before it is made.

    They are noted as paths of the installed system, so that an installation built as a tree can be undone on its own
    machine. A noted path that does not exist was never made: the power was cut in between. A replaced file is kept
    beside the record, and restored by undoing.
    """

    FILE_NAME = "installed.json"

    def __init__(self, folder: Path, root: Path = Path("/")) -> None:
        """Load the record in `folder`, if there is one. root: the tree that it describes.

        Raises `OSError` or `ValueError` if it cannot be read.
        """
        self._root = root
        self._path = folder / self.FILE_NAME
        self._kept = folder / _KEPT
        self._made: dict[str, str | None] = json.loads(self._path.read_bytes()) if self._path.exists() else {}

    def __contains__(self, made: Path | str) -> bool:
        is_outside = isinstance(made, Path) and not made.is_relative_to(self._root)
        return not is_outside and self._name(made) in self._made

    def note(self, made: Path | str) -> None:
        """Note that a path, or something else with a name, is about to be made."""
        if made not in self:
            self._write({**self._made, self._name(made): None})

    def keep(self, path: Path) -> None:
        """Note that `path` is about to be written, and keep the file that is there."""
        if path in self or not os.path.lexists(path):
            self.note(path)
            return
        name = str(len(self._made))
        kept = self._kept / name
        self._kept.mkdir(exist_ok=True)
        kept.unlink(missing_ok=True)  # copied but not noted before a power cut
        shutil.copy2(path, kept, follow_symlinks=False)
        self._write({**self._made, self._name(path): name})

    def bring_back(self, path: Path) -> None:
        """Restore the file that was at `path`, or remove the one made there."""
        # A power cut may have left a temporary file that was to be renamed.
        path.with_name(f".{path.name}.new").unlink(missing_ok=True)
        name = self._made[self._name(path)]
        if name is None:
            path.unlink(missing_ok=True)
        elif os.path.lexists(self._kept / name):
            shutil.move(self._kept / name, path)

    def _name(self, made: Path | str) -> str:
        return made if isinstance(made, str) else f"/{made.relative_to(self._root)}"

    def _write(self, made: dict[str, str | None]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_durably(self._path, json.dumps(made, indent=1).encode())
        self._made = made
