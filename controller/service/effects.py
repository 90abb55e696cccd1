"""The small effects that make up an installation, and the machine on which they act.

Each effect knows what it does, whether it is done, and how to undo it. Tests supply a machine of their own.
"""

import grp
import os
import pwd
import shutil
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from controller.errors import InstallError
from controller.service.boot_check import Service, SystemdService
from controller.service.layout import Record
from hardware.calibration import write_durably

_SYSTEMD = Path("/run/systemd/system")  # exists if systemd has booted this machine, see sd_booted(3)


def run_program(*command: str) -> str:
    """Run a program to its end and return what it printed. Raises `InstallError` with its last line if it fails."""
    try:
        ended = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    except OSError as error:
        raise InstallError(f"{command[0]} cannot be run: {error.strerror}") from error
    if ended.returncode:
        last = (ended.stderr.strip() or ended.stdout.strip() or f"status {ended.returncode}").splitlines()[-1]
        raise InstallError(f"{' '.join(command[:4])} failed: {last}")
    return ended.stdout


@dataclass(frozen=True, slots=True)
class Host:
    """The machine.

    has_systemd: False in a tree and in most containers, where systemd reads its units at the next start anyway.
    until_start: what to release and do as soon as a stopped daemon may start again.
    """

    run: Callable[..., str] = run_program
    service: Service = field(default_factory=SystemdService)
    has_systemd: bool = field(default_factory=_SYSTEMD.is_dir)
    now: Callable[[], float] = time.monotonic
    wait: Callable[[float], object] = field(default_factory=lambda: Event().wait)
    sync: Callable[[], None] = os.sync
    until_start: ExitStack = field(default_factory=ExitStack)


_A_USER, _A_GROUP = "user ", "group "  # prefixes in the record, which otherwise lists paths


class Effect(ABC):
    """One change of the machine. `str` of it is a description of what will be done."""

    @abstractmethod
    def perform(self, host: Host) -> None:
        """Make the change. Raises `OSError` or an `InstallError`."""


@dataclass(frozen=True, slots=True)
class Step(Effect):
    """A change that is not undone by itself: its description, and the work."""

    words: str
    work: Callable[[Host], object]

    def __str__(self) -> str:
        return self.words

    def perform(self, host: Host) -> None:
        self.work(host)


def run_step(words: str, *command: str) -> Step:
    """Return the effect of running a program."""
    return Step(words, lambda host: host.run(*command))


class Lasting(Effect):
    """A change that can be checked and undone."""

    @abstractmethod
    def is_done(self) -> bool:
        """Return True if nothing is left to do."""

    @abstractmethod
    def undo(self, host: Host) -> None:
        """Reverse this effect; one that was never done is no error."""


@dataclass(frozen=True, slots=True)
class MakeFolder(Lasting):
    """A folder and its missing parents; undone only while it is empty."""

    path: Path
    record: Record

    def __str__(self) -> str:
        return f"make the folder {self.path}"

    def is_done(self) -> bool:
        return self.path.is_dir()

    def perform(self, host: Host) -> None:
        """Make the folder; each new folder is noted before it is made."""
        for folder in (*reversed(self.path.parents), self.path):
            if not folder.exists():
                self.record.note(folder)
                folder.mkdir()

    def undo(self, host: Host) -> None:
        """Remove those folders that were made for it and are empty."""
        _remove_made((self.path, *self.path.parents), self.record)


@dataclass(frozen=True, slots=True)
class Placed(Lasting):
    """Something at a path; a file that it replaces is kept, and restored by undoing."""

    path: Path
    record: Record

    @property
    def stands(self) -> bool:
        """True if an installation has put something there, up to date or not."""
        return self.path in self.record and os.path.lexists(self.path)

    def undo(self, host: Host) -> None:
        """Remove it, or restore the file that it replaced."""
        if self.path in self.record:
            self.record.bring_back(self.path)


@dataclass(frozen=True, slots=True)
class CopyFile(Placed):
    """A copy of a file.

    source: may be created by effects that come earlier.
    changes: pairs of bytes in the source and their replacement in the copy.
    """

    source: Path
    changes: tuple[tuple[bytes, bytes], ...]

    def __str__(self) -> str:
        return f"write {self.path}"

    def is_done(self) -> bool:
        is_file = self.path.is_file() and not self.path.is_symlink() and self.source.exists()
        return is_file and self.path.read_bytes() == self._content()

    def perform(self, host: Host) -> None:
        """Keep the replaced file, then write the copy durably."""
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
        return self.path.is_symlink() and self.path.readlink() == self.target

    def perform(self, host: Host) -> None:
        """Make the link, in a single rename."""
        self.record.keep(self.path)
        fresh = self.path.with_name(f".{self.path.name}.new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(self.target)
        os.replace(fresh, self.path)


class MakePrefix(MakeFolder):
    """The program's own folder, which holds the record; undoing removes it with its contents."""

    def perform(self, host: Host) -> None:
        """Make the folder, and note its missing parents: the record is inside it."""
        missing = [folder for folder in self.path.parents if not folder.exists()]
        self.path.mkdir(parents=True)
        for folder in missing:
            self.record.note(folder)

    def undo(self, host: Host) -> None:
        """Remove all versions, the record, and the parents that were made."""
        if self.path.exists():
            shutil.rmtree(self.path)
        _remove_made(self.path.parents, self.record)


@dataclass(frozen=True, slots=True)
class MakeUser(Lasting):
    """The user of the service, created by systemd-sysusers from a file that was installed earlier."""

    name: str
    data: Path
    record: Record

    def __str__(self) -> str:
        return f"make the user {self.name} and its groups (systemd-sysusers)"

    def is_done(self) -> bool:
        try:
            pwd.getpwnam(self.name)
        except KeyError:
            return False
        return True

    def perform(self, host: Host) -> None:
        """Create the user, and note the user and the new groups."""
        before = _groups()
        self.record.note(f"{_A_USER}{self.name}")
        host.run("systemd-sysusers", f"{self.name}.conf")
        for group in sorted(_groups().keys() - before.keys() - {self.name}):
            self.record.note(f"{_A_GROUP}{group}")

    def undo(self, host: Host) -> None:
        """Remove the user and the groups made for it, unless games are left, which would then have no owner."""
        if f"{_A_USER}{self.name}" not in self.record or self.data.exists():
            return
        if self.is_done():
            host.run("userdel", self.name)
        for group, members in _groups().items():
            # Not every Debian's userdel removes the user's own group.
            if (group == self.name or f"{_A_GROUP}{group}" in self.record) and not members:
                host.run("groupdel", group)


@dataclass(frozen=True, slots=True)
class MakeData(Lasting):
    """The folder of the games, created by systemd-tmpfiles from a file installed earlier; undone only while empty."""

    path: Path

    def __str__(self) -> str:
        return f"make the folder {self.path} for the games (systemd-tmpfiles)"

    def is_done(self) -> bool:
        return self.path.is_dir()

    def perform(self, host: Host) -> None:
        host.run("systemd-tmpfiles", "--create", "shutbox.conf")

    def undo(self, host: Host) -> None:
        """Remove the folder if it is empty; games are never deleted."""
        with suppress(OSError):
            self.path.rmdir()


def _groups() -> dict[str, list[str]]:
    return {group.gr_name: group.gr_mem for group in grp.getgrall()}


def _remove_made(folders: Iterable[Path], record: Record) -> None:
    """Remove those of `folders`, given innermost first, that an installation made and that are empty."""
    for folder in folders:
        if folder in record:
            with suppress(OSError):
                folder.rmdir()
