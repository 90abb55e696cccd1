"""The small effects that an installation is made of: what each does, whether it is done, and how it is undone."""

import grp
import os
import pwd
import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from controller.install.host import Host
from controller.install.record import Record
from hardware.calibration import write_durably

_A_USER, _A_GROUP = "user ", "group "  # as the record names them, beside paths


class Effect(ABC):
    """One change of the machine. `str` of it says in words what will be done."""

    @abstractmethod
    def perform(self, host: Host) -> None:
        """Do it. Raises `OSError` or an `InstallError`."""


class Lasting(Effect):
    """A change that can be seen to be done, and that can be undone."""

    @abstractmethod
    def is_done(self) -> bool:
        """True if nothing is left to do."""

    @abstractmethod
    def undo(self, host: Host) -> None:
        """Leave the machine as it was, as far as it is this effect's. Not to have been done is no error."""


@dataclass(frozen=True, slots=True)
class MakeFolder(Lasting):
    """A folder, and those above it that are missing; undone where nobody has put anything into it."""

    path: Path
    record: Record

    def __str__(self) -> str:
        return f"make the folder {self.path}"

    def is_done(self) -> bool:
        """True if it is there."""
        return self.path.is_dir()

    def perform(self, host: Host) -> None:
        """Make it and note every folder that was made, before it is."""
        for folder in (*reversed(self.path.parents), self.path):
            if not folder.exists():
                self.record.note(folder)
                folder.mkdir()

    def undo(self, host: Host) -> None:
        """Remove the folders that were made for it and are empty."""
        _remove_made((self.path, *self.path.parents), self.record)


@dataclass(frozen=True, slots=True)
class Placed(Lasting):
    """Something at a path; what stood there is kept, and put back when it is undone."""

    path: Path
    record: Record

    @property
    def stands(self) -> bool:
        """True if an installation has put it there, as it should be now or otherwise."""
        return self.path in self.record and os.path.lexists(self.path)

    def undo(self, host: Host) -> None:
        """Remove it, or put back what stood there."""
        if self.path in self.record:
            self.record.bring_back(self.path)


@dataclass(frozen=True, slots=True)
class CopyFile(Placed):
    """A copy of a file.

    source: need not be there before the effects that come first have put it there. changes: what it has instead of
    what stands in the sources.
    """

    source: Path
    changes: tuple[tuple[bytes, bytes], ...]

    def __str__(self) -> str:
        return f"write {self.path}"

    def is_done(self) -> bool:
        """True if this very content is there."""
        is_file = self.path.is_file() and not self.path.is_symlink() and self.source.exists()
        return is_file and self.path.read_bytes() == self._content()

    def perform(self, host: Host) -> None:
        """Write it, durably."""
        self.record.keep(self.path)
        write_durably(self.path, self._content())
        self.path.chmod(0o644)

    def _content(self) -> bytes:
        content = self.source.read_bytes()
        for here, instead in self.changes:
            content = content.replace(here, instead)
        return content


@dataclass(frozen=True, slots=True)
class MakeLink(Placed):
    """A symbolic link."""

    target: Path

    def __str__(self) -> str:
        return f"link {self.path} to {self.target}"

    def is_done(self) -> bool:
        """True if it leads there."""
        return self.path.is_symlink() and self.path.readlink() == self.target

    def perform(self, host: Host) -> None:
        """Make it, in one rename."""
        self.record.keep(self.path)
        fresh = self.path.with_name(f".{self.path.name}.new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(self.target)
        os.replace(fresh, self.path)


@dataclass(frozen=True, slots=True)
class Withdraw(Effect):
    """What an installation has put somewhere is wanted there no more."""

    placed: Placed

    def __str__(self) -> str:
        return f"undo: {self.placed}"

    def perform(self, host: Host) -> None:
        """Undo it."""
        self.placed.undo(host)


@dataclass(frozen=True, slots=True)
class MakePrefix(Lasting):
    """The program's own folder, with the record in it; undone with everything in it."""

    path: Path
    record: Record

    def __str__(self) -> str:
        return f"make the folder {self.path}"

    def is_done(self) -> bool:
        """True if it is there."""
        return self.path.is_dir()

    def perform(self, host: Host) -> None:
        """Make it, and note the folders above it that were missing."""
        missing = [folder for folder in self.path.parents if not folder.exists()]
        self.path.mkdir(parents=True)
        for folder in missing:
            self.record.note(folder)

    def undo(self, host: Host) -> None:
        """Remove all versions, the record, and the folders that were made above."""
        if self.path.exists():
            shutil.rmtree(self.path)
        _remove_made(self.path.parents, self.record)


@dataclass(frozen=True, slots=True)
class MakeUser(Lasting):
    """The user of the service, by the file for systemd-sysusers that was written before."""

    name: str
    data: Path
    record: Record

    def __str__(self) -> str:
        return f"make the user {self.name} and his groups (systemd-sysusers)"

    def is_done(self) -> bool:
        """True if there is such a user."""
        try:
            pwd.getpwnam(self.name)
        except KeyError:
            return False
        return True

    def perform(self, host: Host) -> None:
        """Have systemd make him."""
        before = _groups()
        self.record.note(f"{_A_USER}{self.name}")
        host.run("systemd-sysusers", f"{self.name}.conf")
        for group in sorted(_groups().keys() - before.keys() - {self.name}):
            self.record.note(f"{_A_GROUP}{group}")

    def undo(self, host: Host) -> None:
        """Remove him and the groups that were made for him, unless games of his are left: they would be nobody's."""
        if f"{_A_USER}{self.name}" not in self.record or self.data.exists():
            return
        if self.is_done():
            host.run("userdel", self.name)
        for group, members in _groups().items():
            # His own group goes with him, but not by every Debian's userdel.
            if (group == self.name or f"{_A_GROUP}{group}" in self.record) and not members:
                host.run("groupdel", group)


@dataclass(frozen=True, slots=True)
class MakeData(Lasting):
    """The folder of the games, by the file for systemd-tmpfiles that was written before; undone only while empty."""

    path: Path

    def __str__(self) -> str:
        return f"make the folder {self.path} for the games (systemd-tmpfiles)"

    def is_done(self) -> bool:
        """True if it is there."""
        return self.path.is_dir()

    def perform(self, host: Host) -> None:
        """Have systemd make it."""
        host.run("systemd-tmpfiles", "--create", "shutbox.conf")

    def undo(self, host: Host) -> None:
        """Remove it if nothing was ever played: games are nobody's to throw away here."""
        with suppress(OSError):
            self.path.rmdir()


@dataclass(frozen=True, slots=True)
class RunProgram(Effect):
    """A program that is run because of what was done before."""

    words: str
    command: tuple[str, ...]

    def __str__(self) -> str:
        return self.words

    def perform(self, host: Host) -> None:
        """Run it."""
        host.run(*self.command)


def _groups() -> dict[str, list[str]]:
    """The groups of this machine, each with its members."""
    return {group.gr_name: group.gr_mem for group in grp.getgrall()}


def _remove_made(folders: Iterable[Path], record: Record) -> None:
    """Remove those of `folders`, the innermost first, that were made for an installation and are empty."""
    for folder in folders:
        if folder in record:
            with suppress(OSError):
                folder.rmdir()
