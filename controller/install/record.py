"""The record of an installation: what it made on this machine, and the files that it replaced."""

import json
import os
import shutil
from pathlib import Path

from hardware.calibration import write_durably

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
