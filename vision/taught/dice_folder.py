"""The custom dice of this box: one file a set in the folder `dice` of the home folder.

A power cut leaves the old set or the new one; a set that is replaced is kept under the time of the replacement.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from hardware.calibration import stamp, write_durably
from vision.errors import BadDice
from vision.taught.faces import DiceSet
from vision.taught.files import MOST_BYTES, pack, taught_at, unpack
from vision.taught.kinds import PIPS

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")


@dataclass(frozen=True, slots=True)
class DiceFolder:
    """The custom sets in the data folder of a home."""

    home: Path

    @property
    def folder(self) -> Path:
        """Return the folder of the files; it need not exist yet."""
        return self.home / "dice"

    def path(self, name: str) -> Path:
        """Return the file of a set. Raises `BadDice` for an invalid name."""
        if not _NAME.fullmatch(name) or name == PIPS:
            raise BadDice(f"{name!r} is no name for dice: small letters, digits, - and _, at most 32, but not {PIPS!r}")
        return self.folder / f"{name}.npz"

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the sets, in alphabetical order."""
        return tuple(sorted(path.stem for path in self.folder.glob("*.npz") if _NAME.fullmatch(path.stem)))

    def load(self, name: str) -> DiceSet:
        """Load a set. Raises `BadDice` when there is none of that name or its file is damaged."""
        path = self.path(name)
        data = self._data(path, name)
        try:
            taught = unpack(data)
        except ValueError as problem:
            raise BadDice(f"{path}: {problem}; teach these dice again") from problem
        if taught.name != name:
            raise BadDice(f"{path}: this file holds the dice {taught.name!r}; teach {name!r} again")
        return taught

    def taught_at(self, name: str) -> datetime:
        """Return the time at which a set was taught. Raises `BadDice`."""
        path = self.path(name)
        try:
            return taught_at(self._data(path, name))
        except ValueError as problem:
            raise BadDice(f"{path}: {problem}; teach these dice again") from problem

    def save(self, taught: DiceSet, date: datetime) -> Path:
        """Write a set; an older one of that name is kept under the time of `date`. Raises `BadDice` and `OSError`."""
        path = self.path(taught.name)
        self.folder.mkdir(parents=True, exist_ok=True)  # it belongs to the owner of the home folder
        if path.exists():
            write_durably(path.with_name(f"{path.name}.{stamp(date)}"), path.read_bytes())
        write_durably(path, pack(taught, date))
        return path

    def forget(self, name: str) -> None:
        """Delete a set with its earlier versions. Raises `BadDice` when there is none, `OSError`."""
        path = self.path(name)
        if not path.exists():
            raise BadDice(self._unknown(name))
        for file in [path, *self.folder.glob(f"{path.name}.*")]:
            file.unlink()

    def _data(self, path: Path, name: str) -> bytes:
        try:
            if path.stat().st_size > MOST_BYTES:
                raise BadDice(f"{path}: it is too large to be taught dice")
            return path.read_bytes()
        except FileNotFoundError:
            raise BadDice(self._unknown(name)) from None
        except OSError as error:
            raise BadDice(f"{path} cannot be read: {error.strerror}") from error

    def _unknown(self, name: str) -> str:
        known = ", ".join((PIPS, *self.names))
        return f"no dice {name!r} were taught on this box; it knows {known}"
